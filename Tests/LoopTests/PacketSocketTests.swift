import CThumbLinux
import Testing
import ThumbLoop

@Suite("Packets")
struct PacketSocketTests {
    /// A message's control data with descriptors in it, laid out as the kernel wants it.
    private static func control(_ descriptors: [Int32]) -> [UInt8] {
        let length = MemoryLayout<cmsghdr>.size + descriptors.count * MemoryLayout<Int32>.size
        let numbers = [SOL_SOCKET, Int32(SCM_RIGHTS)] + descriptors
        return withUnsafeBytes(of: length) { Array($0) } + numbers.flatMap { number in withUnsafeBytes(of: number) { Array($0) } }
    }

    private static func send(_ bytes: [UInt8], passing descriptors: [Int32], to fd: Int32) -> Int {
        var (bytes, control) = (bytes, control(descriptors))
        return bytes.withUnsafeMutableBytes { bytes in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    (message.msg_iov, message.msg_iovlen) = (part, 1)
                    if !descriptors.isEmpty {
                        (message.msg_control, message.msg_controllen) = (control.baseAddress, control.count)
                    }
                    return sendmsg(fd, &message, 0)
                }
            }
        }
    }

    /// Whether nobody has the other end any more.
    private static func isClosed(_ fd: Int32) -> Bool {
        var ready = pollfd(fd: fd, events: 0, revents: 0)
        return poll(&ready, 1, 0) == 1 && ready.revents & Int16(POLLHUP) != 0
    }

    @Test("a packet with several descriptors isn't taken, and all of them are closed", arguments: [2, 3, 4, 5, 20])
    func descriptors(count: Int) throws {
        let (mine, theirs) = try PacketSocket.pair().get()
        defer { for fd in [mine, theirs] { UnixSocket.close(fd) } }
        let pairs = try (0..<count).map { _ in try UnixSocket.pair().get() }
        defer { for (near, _) in pairs { UnixSocket.close(near) } }
        #expect(Self.send([1, 2, 3], passing: pairs.map(\.1), to: mine) == 3)
        for (_, far) in pairs { UnixSocket.close(far) }
        #expect(PacketSocket.receive(from: theirs, waiting: true) == .failed(EPROTO))
        #expect(pairs.allSatisfy { Self.isClosed($0.0) })
    }

    @Test("what the other end sent before it went is read, though it left something unread")
    func left() throws {
        let (mine, theirs) = try PacketSocket.pair().get()
        defer { UnixSocket.close(mine) }
        #expect(PacketSocket.send([9], to: mine, waiting: true) == .sent)
        for byte in [1, 2] as [UInt8] { #expect(PacketSocket.send([byte], to: theirs, waiting: true) == .sent) }
        UnixSocket.close(theirs)
        #expect(PacketSocket.receive(from: mine, waiting: true) == .packet([1], descriptor: nil))
        #expect(PacketSocket.receive(from: mine, waiting: true) == .packet([2], descriptor: nil))
        #expect(PacketSocket.receive(from: mine, waiting: true) == .closed)
    }

    @Test("no program that is started later inherits a descriptor that came with a packet")
    func inherited() throws {
        let (mine, theirs) = try PacketSocket.pair().get()
        defer { for fd in [mine, theirs] { UnixSocket.close(fd) } }
        #expect(PacketSocket.send([1], passing: mine, to: mine, waiting: true) == .sent)
        guard case .packet([1], let came?) = PacketSocket.receive(from: theirs, waiting: true) else {
            Issue.record("the packet didn't come")
            return
        }
        defer { UnixSocket.close(came) }
        #expect(thumb_fcntl(came, F_GETFD, 0) == FD_CLOEXEC)
    }

    @Test("a packet that is longer than the limit isn't taken for its beginning, and one of that length is whole")
    func long() throws {
        let (mine, theirs) = try PacketSocket.pair().get()
        defer { for fd in [mine, theirs] { UnixSocket.close(fd) } }
        let whole = [UInt8](repeating: 7, count: PacketSocket.limit)
        #expect(PacketSocket.send(whole, to: mine, waiting: true) == .sent)
        #expect(PacketSocket.receive(from: theirs, waiting: true) == .packet(whole, descriptor: nil))
        let (near, far) = try UnixSocket.pair().get()
        defer { UnixSocket.close(near) }
        #expect(PacketSocket.send(whole + [7], passing: far, to: mine, waiting: true) == .sent)
        UnixSocket.close(far)
        #expect(PacketSocket.receive(from: theirs, waiting: true) == .failed(EPROTO))
        #expect(Self.isClosed(near))
    }
}
