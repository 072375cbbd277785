import Foundation

/// What Linux has today: an app with libsecret and a gnome-keyring-daemon behind it, both of the bench's own
/// (`scripts/bench/secret-service`). Its keyring is on the same disk as our stores, and it flushes each write as we do. With another
/// provider instead of gnome-keyring it is the same app.
final class SecretServicePeer {
    /// Who answers the app.
    enum Provider {
        case gnomeKeyring
        /// Ours, over a daemon of its own.
        case ours
        /// One that has one item and does nothing.
        case bare

        var word: String {
            switch self {
            case .gnomeKeyring: "gnome-keyring"
            case .ours: Daemon.program.deletingLastPathComponent().path
            case .bare: "bare"
            }
        }
    }

    let folder: String
    /// The session bus that the keyring is on.
    private(set) var bus = ""
    private let process = Process()
    private let words = Pipe()
    private let answers = Pipe()
    private var unread = Data()

    init(count: Int, _ provider: Provider = .gnomeKeyring) throws {
        folder = NSTemporaryDirectory() + "/thumbturn-bench-peer-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        process.executableURL = URL(
            fileURLWithPath: FileManager.default.currentDirectoryPath + "/scripts/bench/secret-service")
        process.arguments = [folder, String(count), provider.word]
        process.standardInput = words
        process.standardOutput = answers
        // The bus complains about limits that it can't raise.
        process.standardError = FileHandle(forWritingAtPath: "/dev/null")
        try process.run()
        bus = try line()
    }

    /// The microseconds that libsecret's own call took.
    func lookUp(_ account: String) throws -> Double { try ask("lookup \(account)") }
    func add(_ account: String) throws -> Double { try ask("add \(account)") }
    /// The microseconds of a call that does nothing, and of a page written and flushed beside the store.
    func trip() throws -> Double { try ask("trip") }
    func sync() throws -> Double { try ask("sync \(folder)/page") }

    /// Ends it, and with it the keyring and the bus.
    func stop() {
        try? words.fileHandleForWriting.close()
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func ask(_ word: String) throws -> Double {
        try words.fileHandleForWriting.write(contentsOf: Data((word + "\n").utf8))
        guard let nanoseconds = Double(try line()) else { throw BenchError("the peer answered no number") }
        return nanoseconds / 1000
    }

    private func line() throws -> String {
        while true {
            if let end = unread.firstIndex(of: 0x0a) {
                defer { unread = Data(unread[(end + 1)...]) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = answers.fileHandleForReading.availableData
            guard !more.isEmpty else { throw BenchError("the peer ended; scripts/bench/secret-service says why") }
            unread += more
        }
    }
}
