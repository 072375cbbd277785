import CThumbLinux
import Foundation
import Testing
import ThumbLoop
import ThumbSecrets

/// What a reader said, in a form that can be compared.
enum Read: Equatable {
    case frame([UInt8])
    case later, closed, badLength, noRoom, failed

    init(_ outcome: FrameReader.Outcome) {
        self =
            switch outcome {
            case .frame(let body): .frame(body.plainBytes(in: 0..<body.count))
            case .later: .later
            case .closed: .closed
            case .badLength: .badLength
            case .noRoom: .noRoom
            case .failed: .failed
            }
    }
}

private func length(_ count: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } }

@Suite("Reading frames")
struct FrameReaderTests {
    @Test("a frame as long as the limit is read; one byte longer is refused from the header alone, unread")
    func most() {
        let pair = Pair()
        var reader = FrameReader(least: 5, limit: 1000)
        let body = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        pair.write(length(1000) + body)
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .frame(body))
        pair.write(length(1001))
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .badLength)
    }

    @Test("a frame as short as can be is read; one byte shorter is refused")
    func least() {
        let pair = Pair()
        var reader = FrameReader(least: 5, limit: 1000)
        pair.write(length(5) + [1, 2, 3, 4, 5])
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .frame([1, 2, 3, 4, 5]))
        for count in [4, 1, 0] {
            var reader = FrameReader(least: 5, limit: 1000)
            let pair = Pair()
            pair.write(length(count) + [1, 2, 3, 4])
            #expect(Read(reader.read(from: pair.near, waiting: false)) == .badLength)
        }
    }

    @Test("no length, however large, is taken for a small one", arguments: [0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x0100_0005])
    func huge(count: Int) {
        let pair = Pair()
        var reader = FrameReader(least: 5, limit: 2 << 20)
        pair.write(length(count) + [1, 2, 3, 4, 5])
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .badLength)
    }

    @Test("the limit may change between two frames")
    func changed() {
        let pair = Pair()
        var reader = FrameReader(least: 1, limit: 4)
        pair.write(length(4) + [1, 2, 3, 4] + length(5) + [1, 2, 3, 4, 5])
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .frame([1, 2, 3, 4]))
        reader.limit = 5
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .frame([1, 2, 3, 4, 5]))
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .later)
    }

    @Test("a frame that comes byte by byte is read when it is whole, and not before")
    func byteByByte() {
        let pair = Pair()
        var reader = FrameReader(least: 1, limit: 100)
        for round in 0..<3 {
            let bytes = length(6) + [UInt8(round), 2, 3, 4, 5, 6]
            for (place, byte) in bytes.enumerated() {
                #expect(Read(reader.read(from: pair.near, waiting: false)) == .later)
                pair.write([byte])
                if place == bytes.count - 1 {
                    #expect(Read(reader.read(from: pair.near, waiting: false)) == .frame([UInt8(round), 2, 3, 4, 5, 6]))
                }
            }
        }
    }

    @Test("one that waits and one that doesn't can take turns in the middle of a frame")
    func turns() {
        let pair = Pair()
        var reader = FrameReader(least: 1, limit: 100)
        pair.write(length(4) + [1, 2])
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .later)
        Thread.detachNewThread {
            usleep(20_000)
            pair.write([3, 4])
        }
        #expect(Read(reader.read(from: pair.near, waiting: true)) == .frame([1, 2, 3, 4]))
    }

    @Test("an end is an end, between two frames and within one", arguments: [0, 2, 4, 6])
    func ends(count: Int) {
        let pair = Pair()
        var reader = FrameReader(least: 1, limit: 100)
        if count > 0 { pair.write(Array((length(4) + [1, 2, 3, 4])[..<count])) }
        shutdown(pair.far, Int32(SHUT_RDWR))
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .closed)
    }

    @Test(
        "bytes of another process end the reading wherever they come: before a frame, within its length, within its body",
        arguments: [0, 2, 4, 7, 5000], [true, false])
    func otherSender(count: Int, isStaged: Bool) throws {
        let pair = Pair()
        UnixSocket.passCredentials(pair.near)
        let stage = isStaged ? try SecretStage(capacity: FrameReader.stageBytes) : nil
        var reader = FrameReader(least: 1, limit: 1 << 20, stage: stage)
        let frame = length(6000) + [UInt8](repeating: 7, count: 6000)
        // The kernel notes this process for all bytes. From the middle on it isn't the process that they must come from.
        reader.onlySender = getpid()
        pair.write(Array(frame[..<count]))
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .later)
        reader.onlySender = getpid() + 1
        pair.write(Array(frame[count...]))
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .failed)
    }

    @Test("bytes of the one process that may send them are read, and so is a frame that comes in two pieces")
    func onlySender() {
        let pair = Pair()
        UnixSocket.passCredentials(pair.near)
        var reader = FrameReader(least: 1, limit: 100)
        reader.onlySender = getpid()
        pair.write(length(4) + [1, 2])
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .later)
        pair.write([3, 4])
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .frame([1, 2, 3, 4]))
    }

    @Test("where no memory can be locked for a frame, that is said")
    func noRoom() {
        let pair = Pair()
        var reader = FrameReader(least: 1, limit: .max)
        pair.write(length(SecretArena.maximumSecret + 1))
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .noRoom)
    }
}

@Suite("Writing frames")
struct FrameWriterTests {
    @Test("secrets stand between the plain bytes where they belong, also at both ends, beside each other and alone")
    func places() {
        let cases: [(plain: [UInt8], secrets: [(Int, [UInt8])], sent: [UInt8])] = [
            ([1, 2, 3], [], [1, 2, 3]),
            ([1, 2, 3], [(1, [8, 9])], [1, 8, 9, 2, 3]),
            ([1, 2, 3], [(0, [8]), (3, [9])], [8, 1, 2, 3, 9]),
            ([1, 2, 3], [(2, [7]), (2, [8])], [1, 2, 7, 8, 3]),
            ([], [(0, [7])], [7]),
        ]
        for (plain, secrets, sent) in cases {
            let pair = Pair()
            var frame = OutgoingFrame(plain: plain, secrets: secrets.map { ($0.0, secret($0.1)) })
            #expect(frame.remaining == sent.count)
            #expect(frame.send(to: pair.near, waiting: false) == .sent)
            #expect(frame.remaining == 0)
            #expect(pair.read() == sent)
        }
    }

    @Test("a frame the socket has no room for goes on where it stopped, in a plain part and in a secret")
    func partial() {
        let pair = Pair()
        let plain = (0..<400_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let hidden = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 * 13) }
        var frame = OutgoingFrame(plain: plain, secrets: [(200_000, secret(hidden))])
        var received: [UInt8] = []
        var stops = 0
        while frame.send(to: pair.near, waiting: false) == .later {
            stops += 1
            #expect(frame.remaining > 0)
            received += pair.read(atMost: 50_000)
        }
        while received.count < 1_400_000 {
            let more = pair.read()
            if more.isEmpty { break }
            received += more
        }
        #expect(stops > 2)
        #expect(received == plain[..<200_000] + hidden + plain[200_000...])
    }

    @Test("a frame with more parts than one send takes goes out whole")
    func manyParts() {
        let pair = Pair()
        let plain = (0..<100).map { UInt8($0) }
        let secrets: [(place: Int, secret: SecretBytes)] = plain.map { (Int($0), secret([100 + $0])) }
        let sent: [UInt8] = plain.flatMap { [100 + $0, $0] as [UInt8] }
        var frame = OutgoingFrame(plain: plain, secrets: secrets)
        #expect(frame.send(to: pair.near, waiting: false) == .sent)
        #expect(pair.read() == sent)
    }

    @Test("a frame that moves to another arena while it waits goes on where it stopped, and takes memory for its rest alone")
    func moves() throws {
        let hidden = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 13) }
        let plain = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let secrets: [(place: Int, secret: SecretBytes)] = [(50_000, secret(hidden)), (250_000, secret(hidden))]
        var whole = Array(plain[..<50_000]) + hidden
        whole += plain[50_000..<250_000]
        whole += hidden
        whole += plain[250_000...]
        var isFirst = true
        // Wherever the socket stops: each round the peer reads a little more before the frame moves.
        for taken in stride(from: 0, to: 900_000, by: 90_000) {
            let pair = Pair()
            var frame = OutgoingFrame(plain: plain, secrets: secrets)
            var received: [UInt8] = []
            while frame.send(to: pair.near, waiting: false) == .later, received.count < taken {
                received += pair.read(atMost: 30_000)
            }
            let budget = SecretBudget(limit: 1 << 20)
            var moved = try frame.moved(to: SecretArena(limit: 1 << 20, within: budget))
            #expect(moved.remaining == frame.remaining)
            if isFirst { #expect(budget.locked > 0) }
            isFirst = false
            while moved.send(to: pair.near, waiting: false) == .later { received += pair.read(atMost: 30_000) }
            while received.count < whole.count {
                let more = pair.read()
                if more.isEmpty { break }
                received += more
            }
            #expect(received == whole, "after \(taken)")
        }
    }

    @Test("writing to an end that is gone fails and raises no signal")
    func gone() {
        let pair = Pair()
        shutdown(pair.far, Int32(SHUT_RDWR))
        var frame = OutgoingFrame(plain: [1, 2, 3], secrets: [])
        #expect(frame.send(to: pair.near, waiting: true) == .failed(EPIPE))
    }
}

@Suite("Sockets")
struct UnixSocketTests {
    @Test("a path as long as the kernel takes is listened on, one byte longer is refused")
    func paths() throws {
        let folder = "/tmp/thumbturn-loop-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        try #require(mkdir(folder, 0o700) == 0)
        defer { rmdir(folder) }
        let longest = folder + "/" + String(repeating: "s", count: UnixSocket.pathLimit - folder.utf8.count - 1)
        guard case .success(let listener) = UnixSocket.listen(at: longest) else {
            Issue.record("the longest path isn't taken")
            return
        }
        defer {
            UnixSocket.close(listener)
            unlink(longest)
        }
        var status = stat()
        #expect(stat(longest, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(UnixSocket.accept(listener, waiting: false) == nil)
        guard case .success(let client) = UnixSocket.connect(to: longest), let server = UnixSocket.accept(listener) else {
            Issue.record("nobody connects")
            return
        }
        let peer = UnixSocket.peer(of: server)
        #expect(peer?.uid == getuid() && peer?.gid == getgid() && peer?.pid == getpid())
        #expect(UnixSocket.peer(of: client)?.uid == getuid())
        UnixSocket.close(client)
        UnixSocket.close(server)
        for path in [longest + "s", "", "/tmp/a\0b"] {
            #expect(UnixSocket.listen(at: path).failure == Errno(ENAMETOOLONG))
            #expect(UnixSocket.connect(to: path).failure == Errno(ENAMETOOLONG))
        }
        #expect(UnixSocket.connect(to: folder + "/none").failure == .noSuchFile)
    }

    @Test("a second listener on a name that is taken is refused")
    func taken() {
        let path = "/tmp/thumbturn-loop-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
        defer { unlink(path) }
        guard case .success(let first) = UnixSocket.listen(at: path) else {
            Issue.record("the name isn't free")
            return
        }
        #expect(UnixSocket.listen(at: path).failure == Errno(EADDRINUSE))
        UnixSocket.close(first)
        // The name stays behind, and nobody listens there any more: at the latest when every child that another test was just starting
        // runs a program of its own.
        var answer: Errno?
        for _ in 0..<6000 {
            let again = UnixSocket.connect(to: path)
            answer = again.failure
            guard case .success(let fd) = again else { break }
            UnixSocket.close(fd)
            usleep(5000)
        }
        #expect(answer == .refused)
    }
}

extension Result {
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
