import CThumbLinux
import Foundation
import Testing
import ThumbLoop

@Suite("Listening sockets")
struct ListeningTests {
    /// The process's mask for new files, as the kernel has it.
    private func mask() throws -> String {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        return String(try #require(status.split(separator: "\n").first { $0.hasPrefix("Umask:") }))
    }

    @Test("A socket is its user's alone, and threads that make some at once leave the process's mask as it was")
    func modes() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "listen-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let before = try mask()
        let paths = (0..<400).map { folder.path + "/\($0)" }
        DispatchQueue.concurrentPerform(iterations: paths.count) { place in
            if case .success(let fd) = UnixSocket.listen(at: paths[place]) { UnixSocket.close(fd) }
        }
        #expect(try mask() == before)
        for path in paths {
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        }
    }
}
