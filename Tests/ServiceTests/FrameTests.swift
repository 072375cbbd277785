import CThumbLinux
import Testing
import ThumbAccess
import ThumbConversation
import ThumbSecrets
import thumbturn_test_wire

@Suite("What a service does with bytes")
struct FrameTests {
    private static let hello = Hello(role: .app)

    private func length(_ count: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } }

    /// A frame of exactly so many bytes after its length: an echo.
    private func echo(bytes: Int) -> [UInt8] {
        let rest = bytes - WireLimit.headBytes - 4
        return length(bytes) + [2, 0, 0, 0, 1] + length(rest) + [UInt8](repeating: 7, count: rest)
    }

    @Test("before the welcome a frame has 4 KiB at most, and the length alone of a longer one is refused")
    func limitBeforeWelcome() throws {
        let stand = try Stand()
        let whole = try stand.connect()
        try whole.send(raw: echo(bytes: WireLimit.frameBeforeWelcome))
        #expect(try whole.refusal() == .helloExpected)
        let longer = try stand.connect()
        try longer.send(raw: length(WireLimit.frameBeforeWelcome + 1))
        #expect(try longer.refusal() == .tooLarge)
    }

    @Test("after the welcome a frame has 2 MiB at most, and the length alone of a longer one is refused")
    func limit() throws {
        let stand = try Stand()
        let whole = try stand.app()
        try whole.send(raw: echo(bytes: WireLimit.frame))
        guard case .echoed(let back)? = try whole.next() else { throw Peer.Surprise() }
        #expect(back.count == WireLimit.frame - WireLimit.headBytes - 4)
        try whole.send(raw: length(WireLimit.frame + 1))
        #expect(try whole.refusal() == .tooLarge)
    }

    @Test("a length that no frame can have is refused", arguments: [0, 1, 4, 0x7fff_ffff, 0xffff_ffff])
    func impossibleLength(count: Int) throws {
        let peer = try Stand().app()
        try peer.send(raw: length(count))
        #expect(try peer.refusal() == .tooLarge)
    }

    @Test("a body that is wrong is refused as malformed, before the welcome and after; before it, only a hello's is looked at")
    func malformed() throws {
        let stand = try Stand()
        let stranger = try stand.connect()
        try stranger.send(raw: [0, 0, 0, 6, 1, 0, 0, 0, 1, 0])
        #expect(try stranger.refusal() == .malformed)
        let early = try stand.connect()
        try early.send(raw: [0, 0, 0, 6, 3, 0, 0, 0, 1, 0])
        #expect(try early.refusal() == .helloExpected)
        let app = try stand.app()
        try app.send(raw: [0, 0, 0, 6, 3, 0, 0, 0, 1, 0])
        #expect(try app.refusal() == .malformed)
        #expect(stand.isEmpty())
    }

    @Test(
        "a kind that nobody knows, or that is the daemon's own, is refused",
        arguments: [0, 4, 12, 79, 128, 130, 160, 255] as [UInt8])
    func unknownKind(kind: UInt8) throws {
        let peer = try Stand().app()
        try peer.send(raw: [0, 0, 0, 5, kind, 0, 0, 0, 1])
        #expect(try peer.refusal() == .unknownKind)
    }

    @Test("a version that isn't spoken is refused as that", arguments: [(0, 0), (2, 2), (2, 65535)] as [(UInt16, UInt16)])
    func version(lowest: UInt16, highest: UInt16) throws {
        var hello = Hello(role: .app)
        (hello.lowestVersion, hello.highestVersion) = (lowest, highest)
        let peer = try Stand().connect()
        try peer.send(.hello(hello))
        #expect(try peer.refusal() == .versionNotSpoken)
    }

    @Test("a peer that speaks more versions is welcomed with ours")
    func range() throws {
        var hello = Hello(role: .app)
        (hello.lowestVersion, hello.highestVersion) = (0, .max)
        let peer = try Stand().connect()
        try peer.send(.hello(hello), call: 9)
        let (call, answer) = try #require(try peer.nextWithCall())
        guard case .welcome(WireLimit.version, .simulated) = answer else { throw Peer.Surprise() }
        #expect(call == 9)
    }

    @Test("anything but a hello first is refused")
    func helloFirst() throws {
        let stand = try Stand()
        let requests: [any Word] = [
            GetStatus(), Echo(secret("x")), GetCapability(1, context: 1), FindItems(Query(itemClass: .genericPassword)),
            Typed(secret("1234")), Cancelled(), SetPasscode(),
        ]
        for request in requests {
            let peer = try stand.connect()
            try peer.send(request)
            #expect(try peer.refusal() == .helloExpected)
        }
    }

    @Test("a hello twice is refused")
    func helloTwice() throws {
        let peer = try Stand().app()
        try peer.send(Self.hello)
        #expect(try peer.refusal() == .notAllowedInThisRole)
    }

    @Test("who says nothing, or half a hello, is closed when the time for it is over; who said it stays")
    func helloTooLate() throws {
        let stand = try Stand(secondsForHello: 0.2)
        let hello = Self.hello.frame(call: 1).bytes
        let silent = try stand.connect()
        let half = try stand.connect(saying: Array(hello.prefix(7)))
        let app = try stand.connect(saying: hello)
        guard case .welcome? = try app.next() else { throw Peer.Surprise() }
        #expect(try silent.isAtEnd())
        #expect(try half.isAtEnd())
        try app.send(.status)
        guard case .status? = try app.next() else { throw Peer.Surprise() }
    }

    @Test("a hello that is cut anywhere does nothing but end its connection")
    func cut() throws {
        let stand = try Stand()
        let frame = Self.hello.frame(call: 1).bytes
        for count in 0..<frame.count {
            let peer = try stand.connect()
            try peer.send(raw: Array(frame.prefix(count)))
            peer.close()
        }
        #expect(stand.isEmpty())
        #expect(stand.log.all.isEmpty)
    }

    @Test("frames that come byte by byte, or many at once, are the same frames")
    func pieces() throws {
        let peer = try Stand().connect()
        for byte in Self.hello.frame(call: 1).bytes { try peer.send(raw: [byte]) }
        guard case .welcome? = try peer.next() else { throw Peer.Surprise() }
        try peer.send(raw: (1...50).flatMap { Echo(secret("\($0)")).frame(call: $0).bytes })
        for number in UInt32(1)...50 {
            let (call, answer) = try #require(try peer.nextWithCall())
            guard case .echoed(let back) = answer else { throw Peer.Surprise() }
            #expect(call == number && back == secret("\(number)"))
        }
    }

    @Test("nothing that a peer sent stands in the log, whatever it is refused for")
    func logs() throws {
        let stand = try Stand()
        let mark = "mark-of-a-peer"
        for request: any Word in [
            Recover(secret(mark)), JudgeApp(ExactName(mark), .group(ExactName(mark)), .denied), Echo(secret(mark)),
        ] {
            let peer = try stand.app(label: mark)
            var body = request.frame(call: 1).bytes
            // One byte too many makes it malformed.
            body[3] += 1
            try peer.send(raw: body + [0])
            #expect(try peer.refusal() == .malformed)
        }
        #expect(!stand.log.all.contains { $0.contains(mark) })
    }
}
