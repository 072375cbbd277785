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
            7: FLOCK  ADVISORY  WRITE 15 00:2a:5678 0 EOF
            8: FLOCK  ADVISORY  WRITE 16 0fd:01:5678 0 EOF
            5: FLOCK  ADVISORY  WRITE 14 fd:01:5678 0 EOF
            nonsense
            6: FLOCK
            """
        #expect(LockHolder.process(of: 5678, on: "fd:01", in: table) == 14)
        // The same number on another device is another file.
        #expect(LockHolder.process(of: 5678, on: "00:2a", in: table) == 15)
        #expect(LockHolder.process(of: 5678, on: "00:2b", in: table) == nil)
        #expect(LockHolder.process(of: 99, on: "fd:01", in: table) == nil)
        #expect(LockHolder.process(of: 7, on: "fd:01", in: table) == nil)
        #expect(LockHolder.process(of: 5678, on: "fd:01", in: "") == nil)
    }

    @Test("A file's device is that of its mount")
    func devices() {
        let mounts =
            "25 1 254:0 / / rw shared:1 - ext4 /dev/root rw\n251 25 0:42 / /home rw - btrfs /dev/sdb rw\n26 25 nonsense / /\n"
        #expect(LockHolder.device("pos:\t0\nflags:\t0100000\nmnt_id:\t25\n", mounts: mounts) == "fe:00")
        #expect(LockHolder.device("mnt_id:\t251\nino:\t7\n", mounts: mounts) == "00:2a")
        for facts in ["mnt_id:\t26\n", "mnt_id:\t2\n", "mnt_id:\n", ""] {
            #expect(LockHolder.device(facts, mounts: mounts) == nil)
        }
    }
}
