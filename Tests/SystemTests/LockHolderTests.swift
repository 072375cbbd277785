import CThumbLinux
import Foundation
import Testing

@testable import ThumbSystem

@Suite("Who holds a lock")
struct LockHolderTests {
    @Test("The kernel tells who holds a file's lock; a free file has no holder, nor has one that isn't there")
    func real() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "lock-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try Descriptor(opening: path, O_RDWR | O_CREAT, mode: 0o600)
        #expect(LockHolder.process(of: path) == nil)
        try #require(flock(file.number, LOCK_EX) == 0)
        #expect(LockHolder.process(of: path) == getpid())
        try #require(flock(file.number, LOCK_UN) == 0)
        #expect(LockHolder.process(of: path) == nil)
        #expect(LockHolder.process(of: path + "-none") == nil)
    }

    @Test("Of the kernel's table only a holder of that very file counts: no waiter, no other kind of lock, no hidden process")
    func table() {
        let table = """
            1: POSIX  ADVISORY  WRITE 11 fd:01:5678 0 EOF
            2: FLOCK  ADVISORY  WRITE 12 fd:01:15678 0 EOF
            3: -> FLOCK  ADVISORY  WRITE 13 fd:01:5678 0 EOF
            4: FLOCK  ADVISORY  WRITE 0 fd:01:99 0 EOF
            5: FLOCK  ADVISORY  WRITE 14 fd:01:5678 0 EOF
            nonsense
            6: FLOCK
            """
        #expect(LockHolder.process(of: 5678, in: table) == 14)
        #expect(LockHolder.process(of: 99, in: table) == nil)
        #expect(LockHolder.process(of: 7, in: table) == nil)
        #expect(LockHolder.process(of: 5678, in: "") == nil)
    }
}
