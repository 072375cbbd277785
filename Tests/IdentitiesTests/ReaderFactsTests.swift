import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import thumbturn_test_programs

@testable import ThumbIdentities

/// Real processes, and who they are.
@Suite("Who a reader is")
struct ReaderFactsTests {
    @Test("a program that only root can change is its path")
    func plain() throws {
        let sleeper = try Running("/bin/sleep", ["600"])
        let found = try #require(ReaderFacts().of(pid: sleeper.pid, uid: getuid(), groups: []))
        #expect(found.reader.identity == "/usr/bin/sleep")
        #expect(ReaderFacts().isStill(found.mark))
    }
}
