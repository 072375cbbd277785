import CThumbLinux
import Testing
import ThumbConversation
import ThumbLoop
import ThumbPeers

@testable import ThumbInside

/// What was heard on a line, counted on the loop.
@OnLoop private final class Heard {
    var (words, ends, sleeps, lines) = (0, 0, 0, 0)
    nonisolated init() {}
}

@Suite("The lines between system mode's processes", .timeLimit(.minutes(2)))
struct LineTests {
    private let heard = Heard()

    private func isSent(_ bytes: [UInt8], passing descriptor: Int32? = nil, to fd: Int32) -> Bool {
        if case .sent = PacketSocket.send(bytes, passing: descriptor, to: fd, waiting: true) { true } else { false }
    }

    /// Whether the other end is closed, with nothing said.
    private func isClosed(_ fd: Int32) -> Bool {
        var wait = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 60_000) == 1 else { return false }
        var byte: UInt8 = 0
        return recv(fd, &byte, 1, 0) == 0
    }

    @Test(
        "A packet that isn't exactly one frame ends the line, and the descriptor that came with it is closed",
        arguments: [
            [0], [0, 0, 0, 4, 200, 0, 0, 0], [0, 0, 0, 6, 200, 0, 0, 0, 0], [0, 0, 0, 4, 200, 0, 0, 0, 0],
            [1, 0, 0, 5, 200, 0, 0, 0, 0],
        ] as [[UInt8]])
    func packets(bytes: [UInt8]) throws {
        let (mine, theirs) = try PacketSocket.pair().get()
        defer { UnixSocket.close(mine) }
        let (near, far) = try UnixSocket.pair().get()
        defer { UnixSocket.close(far) }
        let heard = heard
        let line = EventLoop.shared.sync {
            PacketLine(theirs) { (_, _) throws(Refusal) in
                heard.words += 1
            } ended: {
                heard.ends += 1
            }
        }
        #expect(isSent(bytes, passing: near, to: mine))
        UnixSocket.close(near)
        #expect(comes { heard.ends == 1 })
        #expect(EventLoop.shared.sync { heard.words } == 0 && isClosed(far))
        withExtendedLifetime(line) {}
    }

    @Test("64 words wait for somebody who doesn't read, and one more ends the line")
    func limit() throws {
        let (mine, theirs) = try PacketSocket.pair().get()
        defer { UnixSocket.close(mine) }
        let heard = heard
        let ends = EventLoop.shared.sync { () -> [Int] in
            let line = PacketLine(theirs) { (_, _) throws(Refusal) in
            } ended: {
                heard.ends += 1
            }
            // Until the socket is full.
            var descriptor = dup(theirs)
            while case .taken = line.offer(descriptor, Wakes()) { descriptor = dup(theirs) }
            UnixSocket.close(descriptor)
            for _ in 0..<64 { line.say(Wakes()) }
            let before = heard.ends
            line.say(Wakes())
            let after = heard.ends
            // It has ended, so nothing is taken any more.
            line.say(Wakes())
            return [before, after, heard.ends]
        }
        #expect(ends == [0, 1, 1])
    }

    @Test("Nothing overtakes a word that waits, neither another word nor a client, although there is room for it again")
    func order() throws {
        let (mine, theirs) = try PacketSocket.pair().get()
        defer { UnixSocket.close(mine) }
        let heard = heard
        let line = EventLoop.shared.sync {
            PacketLine(theirs) { (_, _) throws(Refusal) in
            } ended: {
                heard.ends += 1
            }
        }
        let offer = EventLoop.shared.sync { () -> PacketLine.Offer in
            line.onRoom = { heard.lines += 1 }
            // Until the socket is full.
            var descriptor = dup(theirs)
            while case .taken = line.offer(descriptor, PeerArrived.login) { descriptor = dup(theirs) }
            line.say(Sleeps())
            // Now there is room for a few, before the loop has noticed that.
            for _ in 0..<8 {
                guard case .packet(_, let passed?) = PacketSocket.receive(from: mine, waiting: false) else { break }
                UnixSocket.close(passed)
            }
            line.say(Wakes())
            let offer = line.offer(descriptor, PeerArrived.login)
            if offer == .noRoom { UnixSocket.close(descriptor) }
            return offer
        }
        #expect(offer == .noRoom)
        var words: [UInt8] = []
        while words.count < 2, case .packet(let bytes, let passed) = PacketSocket.receive(from: mine, waiting: true) {
            if let passed { UnixSocket.close(passed) } else { words.append(bytes[4]) }
        }
        #expect(words == [WordKind.sleeps.rawValue, WordKind.wakes.rawValue])
        #expect(comes { heard.lines == 1 } && !UnixSocket.isReadable(mine))
        #expect(EventLoop.shared.sync { heard.ends } == 0)
        withExtendedLifetime(line) {}
    }

    @Test("A device's line ends at a word that comes without its descriptor; a descriptor that no word wants is closed")
    func descriptors() throws {
        let (mine, theirs) = try PacketSocket.pair().get()
        defer { UnixSocket.close(mine) }
        let (near, far) = try UnixSocket.pair().get()
        defer { UnixSocket.close(far) }
        let heard = heard
        let line = EventLoop.shared.sync {
            DeviceLine(
                theirs,
                DeviceLine.Hearing(
                    peer: { descriptor, _, _ in UnixSocket.close(descriptor) }, wantsLine: { _ in heard.lines += 1 },
                    // Whatever is done after the answer may come too late: it counts only before.
                    sleeps: { if !UnixSocket.isReadable(mine) { heard.sleeps += 1 } },
                    wakes: {}, lid: { _ in }, lock: { _ in }, front: { _ in },
                    machineKnown: {}, end: {}, lost: { heard.ends += 1 }))
        }
        #expect(isSent(Sleeps().frame(call: 7).plain, passing: near, to: mine))
        UnixSocket.close(near)
        guard case .packet(let bytes, nil) = PacketSocket.receive(from: mine, waiting: true) else {
            Issue.record("nothing was answered")
            return
        }
        // The front waits for this answer before it lets the machine sleep.
        #expect(bytes == Done().frame(call: 7).plain && isClosed(far))
        #expect(EventLoop.shared.sync { heard.sleeps == 1 && heard.ends == 0 })
        #expect(isSent(WantsLineGiven().frame(call: 0).plain, to: mine))
        #expect(comes { heard.ends == 1 })
        #expect(EventLoop.shared.sync { heard.lines } == 0)
        withExtendedLifetime(line) {}
    }

    @Test("A device that wants a server gets what answers that very want, and what comes with another answer is closed")
    func wants() throws {
        let (mine, theirs) = try PacketSocket.pair().get()
        defer { UnixSocket.close(mine) }
        let (late, lateEnd) = try UnixSocket.pair().get()
        let (right, rightEnd) = try UnixSocket.pair().get()
        defer { for fd in [lateEnd, rightEnd] { UnixSocket.close(fd) } }
        // Both answers are there before the want, which has number 1.
        #expect(isSent(Given(isThere: true).frame(call: 9).plain, passing: late, to: mine))
        #expect(isSent(Given(isThere: true).frame(call: 1).plain, passing: right, to: mine))
        for fd in [late, right] { UnixSocket.close(fd) }
        let given = try #require(WantsLine(theirs).connection(to: .tpm))
        defer { UnixSocket.close(given) }
        var byte: UInt8 = 7
        let sent = send(given, &byte, 1, 0)
        #expect(sent == 1 && UnixSocket.isReadable(rightEnd))
        // Nobody has its other end any more, so there is an end to read.
        let left = recv(lateEnd, &byte, 1, Int32(MSG_DONTWAIT))
        #expect(left == 0)
    }

    @Test("A client has the contents that came before it, and a second of the same kind ends the line")
    func contents() throws {
        let (mine, theirs) = try PacketSocket.pair().get()
        defer { UnixSocket.close(mine) }
        let (near, far) = try UnixSocket.pair().get()
        defer { for fd in [near, far] { UnixSocket.close(fd) } }
        let heard = heard
        let line = EventLoop.shared.sync {
            DeviceLine(
                theirs,
                DeviceLine.Hearing(
                    peer: { descriptor, _, contents in
                        UnixSocket.close(descriptor)
                        if contents.descriptor(of: .run) != nil, contents.descriptor(of: .program) == nil { heard.lines += 1 }
                    }, wantsLine: { _ in }, sleeps: {}, wakes: {}, lid: { _ in }, lock: { _ in }, front: { _ in },
                    machineKnown: {}, end: {}, lost: { heard.ends += 1 }))
        }
        let run = PeerContentsGiven(.run).frame(call: 0).plain
        #expect(isSent(run, passing: near, to: mine) && isSent(PeerArrived.login.frame(call: 0).plain, passing: near, to: mine))
        #expect(comes { heard.lines == 1 })
        // Nothing is left of them for the next one.
        #expect(isSent(PeerArrived.login.frame(call: 0).plain, passing: near, to: mine))
        #expect(isSent(run, passing: near, to: mine) && isSent(run, passing: near, to: mine))
        #expect(comes { heard.ends == 1 })
        #expect(EventLoop.shared.sync { heard.lines } == 1)
        withExtendedLifetime(line) {}
    }
}
