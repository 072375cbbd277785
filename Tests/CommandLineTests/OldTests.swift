import Foundation
import Testing

@Suite("Old", .serialized)
struct OldTests {
    private static let secret = "moon-over-bourbon-street"
    @Test("old")
    func processes() async throws {
        try await onThread {
            let stage = try Stage()
            try stage.startDaemon()
            let child = try stage.runInTerminal("thumbturn secret add song --protect none")
            #expect(try child.read { $0.contains("Secret:") }.met)
            print("one", child.pid)
            child.type(Array((Self.secret + "\r").utf8))
            let shown = try child.read { $0.contains("Again:") }
            print("two")
            #expect(!shown.output.contains(Self.secret))
            child.type(Array((Self.secret + "\r").utf8))
            print("three")
            #expect(try !child.readToEnd().contains(Self.secret))
            print("four")
            #expect(child.status() == 0)
        }
    }
}
