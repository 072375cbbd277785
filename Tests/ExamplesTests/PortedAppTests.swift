import Foundation
import Testing

/// Apps that were written for Apple's systems keep the enrolment and the time of the last login in `UserDefaults`, and never write those
/// to disk themselves. `thumbturn-test-ported` is such an app.
@Suite("An app that was ported unchanged", .timeLimit(.minutes(5)))
struct PortedAppTests {
    private static let app = "thumbturn-test-ported"

    @Test("The enrolment that it keeps outlives it: a new start notices a finger that came meanwhile, until its own login")
    func enrolment() async throws {
        let machine = try await SimulatedMachine()
        #expect(try await machine.run(Self.app, "log-in") == "logged in")
        #expect(try await machine.run(Self.app, "log-in") == "logged in")
        try machine.control("enroll somebody")
        for _ in 1...2 { #expect(try await machine.run(Self.app, "log-in") == "another enrolment") }
        #expect(try machine.prompts() == ["success", "success"], "nobody was asked for a finger that may be somebody's")
        #expect(try await machine.run(Self.app, "log-in", "password") == "logged in by password")
        #expect(try await machine.run(Self.app, "log-in") == "logged in")
        try machine.control("remove somebody")
        #expect(try await machine.run(Self.app, "log-in") == "another enrolment")
    }

    @Test("A refusal keeps what was kept, and a face counts as a finger does", arguments: ["touch-id", "face-id"])
    func refusal(biometry: String) async throws {
        let machine = try await SimulatedMachine(biometry: biometry)
        #expect(try await machine.run(Self.app, "log-in") == "logged in")
        try machine.control("answer cancel")
        #expect(try await machine.run(Self.app, "log-in") == "not logged in: -2")
        try machine.control("enroll somebody")
        #expect(try await machine.run(Self.app, "log-in") == "another enrolment")
    }

    @Test("What it kept a moment ago is on disk even if it is killed")
    func killed() async throws {
        let machine = try await SimulatedMachine()
        let (app, said) = try await machine.begin(Self.app, "log-in", "stay")
        #expect(said == "logged in")
        let kept = machine.home(".config/thumbturn-test-ported.plist")
        let end = ContinuousClock.now + .seconds(60)
        // Foundation may still be writing it, or about to write it once more.
        while try !Self.isWhole(kept) || Self.age(of: kept) < 1 {
            try #require(ContinuousClock.now < end, "nothing is on disk while it runs")
            try await Task.sleep(for: .milliseconds(20))
        }
        kill(app.processIdentifier, SIGKILL)
        app.waitUntilExit()
        #expect(app.terminationStatus == 128 + SIGKILL)
        try machine.control("enroll somebody")
        #expect(try await machine.run(Self.app, "log-in") == "another enrolment")
    }

    /// Whether a file of defaults is there with the enrolment in it.
    private static func isWhole(_ file: URL) throws -> Bool {
        guard FileManager.default.fileExists(atPath: file.path) else { return false }
        // A file that is being written isn't a list of properties yet.
        let kept = try? PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
        return (kept as? [String: Any])?["EnrolmentAtLogin"] is Data
    }

    private static func age(of file: URL) throws -> Double {
        let written = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
        return -(try #require(written)).timeIntervalSinceNow
    }

    @Test("The date at which it last saw its owner outlives it too")
    func date() async throws {
        let machine = try await SimulatedMachine()
        try machine.control("answer cancel")
        #expect(try await machine.run(Self.app, "see-owner") == "not seen")
        try machine.control("answer match")
        #expect(try await machine.run(Self.app, "see-owner") == "seen now")
        let third = try await machine.run(Self.app, "see-owner")
        #expect(third == "seen before")
    }

    @Test("What it kept in the answer itself is on disk though it ended there")
    func endsInAnswer() async throws {
        let machine = try await SimulatedMachine()
        #expect(try await machine.run(Self.app, "see-and-end") == "seen now")
        #expect(try await machine.run(Self.app, "see-and-end") == "seen before")
    }
}
