import Foundation
import Testing

/// Something banned, where it is banned, and the words that a finding opens with.
struct Planted: Sendable, CustomTestStringConvertible {
    let code: String
    let room: String
    let finding: String

    var testDescription: String { "\(code) in \(room)" }
}

private let loopRooms = ["Wire/Service", "Wire/Client", "Parts/Storage", "Assembly", "Rules/Keychain"]

private let banned: [Planted] =
    loopRooms.map { Planted(code: "Task { await work() }", room: $0, finding: "a bare Task") } + [
        Planted(code: "Task<Void, Never> { }", room: "Wire/Client", finding: "a bare Task"),
        Planted(code: "Task(priority: .high) { }", room: "Wire/Client", finding: "a bare Task"),
        Planted(code: "Task.init { }", room: "Wire/Client", finding: "a bare Task"),
        Planted(code: "Task.detached { }", room: "Wire/Service", finding: "a task or a sleep outside the loop"),
        Planted(code: "try await Task.sleep(for: .seconds(1))", room: "Parts/Helpers", finding: "a task or a sleep"),
        Planted(code: "Task<Never, Never>.sleep(nanoseconds: 1)", room: "Parts/Helpers", finding: "a task or a sleep"),
        Planted(code: "import Dispatch", room: "Assembly", finding: "Dispatch"),
        Planted(code: "DispatchQueue.main.async { }", room: "Rules/Access", finding: "Dispatch"),
        Planted(code: "import Foundation", room: "Secrets", finding: "Foundation"),
        Planted(code: "public import FoundationEssentials", room: "Wire/Client", finding: "Foundation"),
        Planted(code: "import struct Foundation.Data", room: "Rules/Keychain", finding: "Foundation"),
        Planted(code: "import Foundation", room: "Programs/thumbturnd", finding: "Foundation"),
        Planted(code: "let lock = Mutex(0)", room: "Secrets", finding: "a lock of another make"),
        Planted(code: "import struct Synchronization.Mutex", room: "Frameworks/SecurityAPI", finding: "a lock of another make"),
        Planted(code: "let lock = NSLock()", room: "Frameworks/SecurityAPI", finding: "a lock of another make"),
        Planted(code: "unsafe pointer.pointee = 1", room: "Rules/Access", finding: "unsafe"),
        Planted(code: "nonisolated(unsafe) var count = 0", room: "Wire/Conversation", finding: "unsafe"),
        Planted(code: "#if canImport(Security)\n#endif", room: "Frameworks/SecurityAPI", finding: "canImport"),
        Planted(code: "#if os(Linux) && canImport( LocalAuthentication )\n#endif", room: "Secrets", finding: "canImport"),
        Planted(code: "let text = \"it took \\(Task { 1 })\"", room: "Wire/Client", finding: "a bare Task"),
        Planted(code: "struct Item { var group: String }", room: "Rules/Keychain", finding: "a String that identifies"),
        Planted(code: "struct Caller { let groups: [String] }", room: "Rules/Access", finding: "a String that identifies"),
        Planted(code: "func verdict(on app: String) {}", room: "Rules/Keychain", finding: "a String that identifies"),
        Planted(code: "func mac(_ group : Swift.String?) {}", room: "Parts/Storage", finding: "a String that identifies"),
        Planted(code: "struct Words { var account, origin: String }", room: "Rules/Access", finding: "a String that identifies"),
        Planted(code: "func own(label: Substring) {}", room: "Rules/Access", finding: "a String that identifies"),
        Planted(code: "var own: String { \"\" }", room: "Rules/Authentication", finding: "a String that identifies"),
        Planted(code: "enum Wish { case face, group(String) }", room: "Rules/Access", finding: "a String that identifies"),
    ]

private let harmless: [Planted] =
    [
        "// Task { }  Mutex  import Foundation",
        "/* Task.detached /* DispatchQueue */ canImport(Security)\n import Foundation */",
        "let quoted = \"Task { } \\\" Mutex unsafe \\(name(\"Task { }\")) import Foundation\"",
        "let raw = #\"a lone \" then Task { } and \\( Mutex\"#",
        "let long = \"\"\"\n    import Foundation\n    Task { \"quoted\" }\n    \"\"\"",
        "Task(executorPreference: loop) { }",
        "let running: Task<Void, Never>? = nil",
        "extension Task where Failure == Never {}",
        "withUnsafeNames(unsafely: true)",
        "let foundationStone = Foundations.first",
    ].map { Planted(code: $0, room: "Wire/Client", finding: "") }
    + [
        "struct Item { var group: ExactName; var title: String }", "func show(appName: String, labelled: String) {}",
        "let label: StaticString = \"a\"", "// group: String",
    ].map { Planted(code: $0, room: "Rules/Access", finding: "") }

@Suite("Bans")
struct BanTests {
    @Test("What is banned is found, with its line", arguments: banned)
    func found(planted: Planted) async throws {
        try await withTemporaryFolder { folder in
            let house = try await HouseCopy(in: folder)
            try house.plant("// planted\n\n\(planted.code)\n", in: planted.room)
            let outcome = try await house.check()
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("Sources/\(planted.room)/Planted.swift:3: \(planted.finding)"), "\(outcome.output)")
        }
    }

    @Test("What is quoted, commented out or only looks alike isn't", arguments: harmless)
    func passed(planted: Planted) async throws {
        try await withTemporaryFolder { folder in
            let house = try await HouseCopy(in: folder)
            try house.plant(planted.code + "\n", in: planted.room)
            let outcome = try await house.check()
            #expect(outcome.status == 0, "\(outcome.output)")
        }
    }

    @Test(
        "What is banned in one room is allowed where it belongs",
        arguments: [
            ("Task { }", "Parts/Loop"), ("import Foundation", "Frameworks/SecurityAPI"),
            ("import Foundation", "Programs/thumbturn"),
            ("unsafe pointer.pointee = 1", "Parts/Crypto"), ("unsafe pointer.pointee = 1", "Secrets"),
        ])
    func allowed(code: String, room: String) async throws {
        try await withTemporaryFolder { folder in
            let house = try await HouseCopy(in: folder)
            try house.plant(code + "\n", in: room)
            let outcome = try await house.check()
            #expect(outcome.status == 0, "\(outcome.output)")
        }
    }
}
