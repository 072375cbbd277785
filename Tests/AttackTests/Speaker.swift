import CThumbLinux
import Foundation
import thumbturn_test_daemon
import thumbturn_test_programs

/// A program that does what each line tells it, run as a user of the test's choosing.
final class Speaker {
    private let process = OwnProcess()
    private let (hands, said) = (Pipe(), Pipe())
    private var unread = ""

    /// - Parameter entering: nsenter's words for the namespaces it is to run in.
    init(
        _ command: [String], as uid: UInt32, _ environment: [String: String] = [:], in group: UInt32? = nil,
        entering: [String] = []
    ) throws {
        let setpriv =
            ["/usr/bin/setpriv", "--reuid", "\(uid)", "--regid", "\(group ?? uid)", "--clear-groups"] + command
        let words = entering.isEmpty ? setpriv : ["/usr/bin/nsenter"] + entering + setpriv
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        process.environment = environment
        process.currentDirectoryURL = URL(filePath: "/")
        (process.standardInput, process.standardOutput) = (hands, said)
        try process.run()
    }

    deinit { leave() }

    /// Ends it, as a program that has nothing more to do; it may have ended already.
    func leave() {
        try? hands.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    var pid: Int32 { process.processIdentifier }

    /// Says a line; what is answered, without its `>`.
    func say(_ line: String) throws -> String {
        try tell(line)
        return try answer()
    }

    /// Says a line, and doesn't wait for the answer.
    func tell(_ line: String) throws { try hands.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// The next answer. Lines that are none are kept for `rest`.
    func answer() throws -> String {
        while true {
            while let end = unread.firstIndex(of: "\n") {
                let answer = String(unread[..<end])
                unread.removeSubrange(...end)
                if answer.hasPrefix("> ") { return String(answer.dropFirst(2)) }
                rest.append(answer)
            }
            let more = said.fileHandleForReading.availableData
            guard !more.isEmpty else { throw CannotStart(program: "\(process.arguments ?? [])") }
            unread += String(decoding: more, as: UTF8.self)
        }
    }

    private(set) var rest: [String] = []
}
