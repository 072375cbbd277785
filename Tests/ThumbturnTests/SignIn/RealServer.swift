import Foundation
import Testing
import thumbturn_test_programs

/// The built thumbturn-server on a database and a port of its own, with one account.
///
/// @unchecked: the process is the one test's that made it; all else stays as it is.
final class RealServer: @unchecked Sendable {
    let origin: String
    private let folder: URL
    private let process = OwnProcess()

    private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "thumbturn-server")

    init() throws {
        try #require(FileManager.default.isExecutableFile(atPath: Self.program.path), "thumbturn-server isn't built")
        folder = FileManager.default.temporaryDirectory.appending(path: "sign-in-\(UUID())")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let database = ["--database", folder.appending(path: "db").path]
        let (making, password) = (OwnProcess(), Pipe())
        making.executableURL = Self.program
        making.arguments = database + ["account", "add", "anna"]
        making.standardInput = password
        making.standardOutput = FileHandle.nullDevice
        try making.run()
        try password.fileHandleForWriting.write(contentsOf: Data("tulips in spring\n".utf8))
        try password.fileHandleForWriting.close()
        making.waitUntilExit()
        try #require(making.terminationStatus == 0)

        let said = Pipe()
        process.executableURL = Self.program
        process.arguments = database + ["--listen", "127.0.0.1:0", "--quiet"]
        process.standardError = said
        process.standardOutput = said
        try process.run()
        try said.fileHandleForWriting.close()
        var words = ""
        while !words.contains("origin ") || !words.hasSuffix("\n") {
            let data = said.fileHandleForReading.availableData
            try #require(!data.isEmpty, "the server ended, having said: \(words)")
            words += String(decoding: data, as: UTF8.self)
        }
        let line = try #require(words.split(separator: "\n").first { $0.contains("origin ") })
        origin = String(try #require(line.components(separatedBy: "origin ").last))
    }

    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// A request of the test's own: the status, and the members of the answer that are text.
    func ask(
        _ method: String, _ path: String, token: String? = nil, _ body: [String: String]? = nil
    ) async throws -> (status: Int, text: [String: String]) {
        let url = try #require(URL(string: origin + path))
        return try await withCheckedThrowingContinuation { done in
            Thread.detachNewThread { done.resume(with: Result { try Self.ask(method, url, token, body) }) }
        }
    }

    /// By Python, so that nothing of what is tested asks.
    private static func ask(
        _ method: String, _ url: URL, _ token: String?, _ body: [String: String]?
    ) throws -> (status: Int, text: [String: String]) {
        let script = """
            import sys, urllib.request as u
            headers = {"Content-Type": "application/json"}
            if sys.argv[3]: headers["Authorization"] = "Bearer " + sys.argv[3]
            data = sys.argv[4].encode() if sys.argv[4] else None
            try: answer = u.urlopen(u.Request(sys.argv[2], method=sys.argv[1], headers=headers, data=data))
            except u.HTTPError as refused: answer = refused
            print(answer.status); print(answer.read().decode())
            """
        let (python, output) = (OwnProcess(), Pipe())
        let text = try body.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) } ?? ""
        python.executableURL = URL(filePath: "/usr/bin/python3")
        python.arguments = ["-c", script, method, url.absoluteString, token ?? "", text]
        python.standardOutput = output
        try python.run()
        try output.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        python.waitUntilExit()
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", maxSplits: 1).map(String.init)
        let status = try #require(lines.first.flatMap { Int($0) })
        let members = lines.count > 1 ? try? JSONSerialization.jsonObject(with: Data(lines[1].utf8)) as? [String: Any] : nil
        return (status, members?.compactMapValues { $0 as? String } ?? [:])
    }
}
