import CThumbLinux
import Testing
import ThumbLoop
import ThumbSecrets

@Suite("Reading frames at once")
struct StagedReadingTests {
    private func framed(_ body: [UInt8]) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: body.count >> $0) } + body
    }

    private func body(_ count: Int, _ mark: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ mark) } }

    @Test("frames of any length come whole and in order, however their bytes are cut, from two peers that share a stage")
    func cuts() throws {
        let stage = try SecretStage(capacity: FrameReader.stageBytes)
        let lengths = [5, 6, 4095, 4096, 4097, 5, 9000, 5, 5, 20_000, 64, 4092]
        for cut in [1, 3, 4, 5, 9, 100, 4095, 4100, 4101, 5000, 100_000] {
            let pairs = [Pair(), Pair()]
            var one = FrameReader(least: 5, limit: 1 << 20, stage: stage)
            var other = FrameReader(least: 5, limit: 1 << 20, stage: stage)
            let bodies = pairs.indices.map { peer in lengths.enumerated().map { body($1, $0 + 100 * peer) } }
            var streams = bodies.map { $0.flatMap(framed) }
            var read: [[[UInt8]]] = [[], []]
            while !(streams[0].isEmpty && streams[1].isEmpty) {
                for peer in pairs.indices {
                    pairs[peer].write(Array(streams[peer].prefix(cut)))
                    streams[peer].removeFirst(min(cut, streams[peer].count))
                    while true {
                        let outcome =
                            peer == 0
                            ? Read(one.read(from: pairs[0].near, waiting: false))
                            : Read(other.read(from: pairs[1].near, waiting: false))
                        guard case .frame(let body) = outcome else {
                            #expect(outcome == .later)
                            break
                        }
                        read[peer].append(body)
                        #expect(stage.filled == 0)
                    }
                }
            }
            #expect(read == bodies, "cut into pieces of \(cut)")
        }
    }

    @Test("what came with a frame is ahead until it is read, though the descriptor has nothing more")
    func ahead() throws {
        let pair = Pair()
        var reader = FrameReader(least: 5, limit: 1000, stage: try SecretStage(capacity: FrameReader.stageBytes))
        // A reader can't be copied, which an expectation would do.
        var hasAhead = reader.hasAhead
        #expect(!hasAhead)
        pair.write(framed(body(5, 1)) + framed(body(6, 2)) + [0, 0])
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .frame(body(5, 1)))
        hasAhead = reader.hasAhead
        #expect(hasAhead && !UnixSocket.isReadable(pair.near))
        #expect(Read(reader.read(from: pair.near, waiting: true)) == .frame(body(6, 2)))
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .later)
        let isWithin = reader.isWithinFrame
        hasAhead = reader.hasAhead
        #expect(!hasAhead && isWithin)
        pair.write([0, 5] + body(5, 3))
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .frame(body(5, 3)))
    }

    @Test("a length that is too long or too short is refused, and an end is an end")
    func refused() throws {
        for bytes in [framed(body(4, 1)), [0, 0, 4, 0] + body(10, 1)] {
            let pair = Pair()
            var reader = FrameReader(least: 5, limit: 1000, stage: try SecretStage(capacity: FrameReader.stageBytes))
            pair.write(bytes)
            #expect(Read(reader.read(from: pair.near, waiting: false)) == .badLength)
        }
        for count in [0, 2, 4, 6] {
            let pair = Pair()
            var reader = FrameReader(least: 1, limit: 1000, stage: try SecretStage(capacity: FrameReader.stageBytes))
            if count > 0 { pair.write(Array(framed(body(5, 1)).prefix(count))) }
            shutdown(pair.far, Int32(SHUT_RDWR))
            #expect(Read(reader.read(from: pair.near, waiting: false)) == .closed)
        }
    }

    @Test("what came behind a frame moves with its reader to another arena, and is read from there")
    func moves() throws {
        let (first, second) = (SecretArena(limit: 1 << 20), SecretArena(limit: 1 << 20))
        let pair = Pair()
        var reader = FrameReader(
            least: 5, limit: 1000, stage: try SecretStage(capacity: FrameReader.stageBytes), arena: first)
        pair.write(framed(body(20, 1)) + framed(body(30, 2)) + framed(body(40, 3)))
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .frame(body(20, 1)))
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .frame(body(30, 2)))
        #expect(first.inUse > 0 && second.inUse == 0)
        try reader.move(to: second)
        #expect(first.inUse == 0 && second.inUse > 0)
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .frame(body(40, 3)))
    }

    @Test("of what a reading refused nothing stays in the stage")
    func erased() throws {
        let stage = try SecretStage(capacity: 16)
        let refused = unsafe stage.fill { room in
            unsafe room.copyBytes(from: [UInt8](repeating: 7, count: 16))
            return -1
        }
        #expect(refused == -1 && stage.filled == 0)
        var left: [UInt8] = []
        _ = unsafe stage.fill { room in
            left = unsafe Array(room)
            return 0
        }
        #expect(left == [UInt8](repeating: 0, count: 16))
    }

    @Test("what was taken is erased when the stage is cleared")
    func cleared() throws {
        let stage = try SecretStage(capacity: 16)
        let filled = unsafe stage.fill { room in
            unsafe room.copyBytes(from: [UInt8](repeating: 7, count: 16))
            return 16
        }
        #expect(filled == 16)
        stage.clear()
        var left: [UInt8] = []
        _ = unsafe stage.fill { room in
            left = unsafe Array(room)
            return 0
        }
        #expect(left == [UInt8](repeating: 0, count: 16))
    }
}
