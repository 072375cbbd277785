import Foundation
import Testing

@testable import ThumbPeers

@Suite("Users inside of containers")
struct SubordinateUsersTests {
    @Test("Each line of three words names as many numbers as it says, and nothing else names any")
    func ranges() {
        let text = """
            ada:100000:65536
            1001:200000:1
            eve:4294967295:4294967295
            # a remark:1:1:1

            bob:300000
            bob:x:7
            bob:5:0
            bob:-1:2
            """
        let ranges = SubordinateUsers.ranges(Array(text.utf8))
        #expect(ranges == [100_000..<165_536, 200_000..<200_001, 4_294_967_295..<8_589_934_590, 5..<5])
    }

    @Test("Without the file there are none; if it can't be read, nobody says that there are none")
    func unreadable() throws {
        let path = "/tmp/turn-subuid-\(UInt32.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try !SubordinateUsers.contain(100_000, in: path))
        try Data("ada:100000:65536\n".utf8).write(to: URL(filePath: path))
        #expect(try SubordinateUsers.contain(100_000, in: path) && !SubordinateUsers.contain(99_999, in: path))
        // A folder is opened like a file, and isn't read like one.
        #expect(throws: (any Error).self) { try SubordinateUsers.contain(100_000, in: "/tmp") }
    }
}
