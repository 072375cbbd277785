import CThumbLinux
import Foundation
import Testing
import ThumbDaemonProcess

@Suite("Pages of programs")
struct CodePagesTests {
    /// The KiB of files that this process has mapped in memory.
    private func resident() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
        return try #require(line.split(separator: " ").compactMap { Int($0) }.first)
    }

    @Test("what was released leaves memory, and comes back as it was when it is used")
    func release() throws {
        let before = try resident()
        let words = (0..<1000).map { "\($0)" }.sorted().joined()
        CodePages.release()
        #expect(try resident() < before)
        #expect((0..<1000).map { "\($0)" }.sorted().joined() == words)
    }
}
