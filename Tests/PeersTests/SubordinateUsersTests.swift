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
}
