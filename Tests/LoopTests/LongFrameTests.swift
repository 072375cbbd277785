import CThumbLinux
import Testing
import ThumbLoop
import ThumbSecrets

private func length(_ count: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } }

@Suite("Frames that are long, and peers that only say so")
struct LongFrameTests {
    @Test("40 connections that announce two megabytes and send nothing take no memory")
    func announced() throws {
        let arena = SecretArena(limit: 4 << 20)
        let pairs = (0..<40).map { _ in Pair() }
        for pair in pairs {
            var reader = FrameReader(least: 5, limit: 2 << 20, arena: arena)
            pair.write(length(2 << 20))
            #expect(Read(reader.read(from: pair.near, waiting: false)) == .later)
            let isWithinFrame = reader.isWithinFrame
            #expect(isWithinFrame)
            #expect(arena.statistics.locked == 0)
        }
    }

    @Test("a long frame takes memory as its bytes come, and no more")
    func coming() {
        let arena = SecretArena(limit: 4 << 20)
        let pair = Pair()
        var reader = FrameReader(least: 5, limit: 2 << 20, arena: arena)
        let body = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        pair.write(length(body.count))
        var (sent, result): (Int, Read) = (0, .later)
        while sent < body.count {
            let piece = body[sent..<min(sent + 50_000, body.count)]
            pair.write(Array(piece))
            sent += piece.count
            result = Read(reader.read(from: pair.near, waiting: false))
            // What has come, and a page at each end.
            if sent < body.count { #expect(arena.statistics.locked <= sent + 8192) }
        }
        #expect(result == .frame(body))
        let isWithinFrame = reader.isWithinFrame
        #expect(!isWithinFrame && arena.statistics.locked == 0)
    }

    @Test("a frame that may take no more memory waits with what it has, and goes on when it may", arguments: [20_000, 100_000])
    func waits(count: Int) {
        let pair = Pair()
        var reader = FrameReader(least: 5, limit: 2 << 20)
        let body = [UInt8](repeating: 9, count: count)
        pair.write(length(count) + body[..<4500])
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .later)
        pair.write(Array(body[4500...]))
        var asked: [Int] = []
        var outcome = reader.read(from: pair.near, waiting: false) {
            asked.append($0)
            return false
        }
        #expect(Read(outcome) == .later)
        // It is asked for what has come, whatever the frame announced.
        #expect(asked.allSatisfy { $0 <= count } && asked.count <= 1)
        outcome = reader.read(from: pair.near, waiting: false)
        #expect(Read(outcome) == .frame(body))
    }

    @Test("a long frame whose bytes come one by one is read when it is whole")
    func byteByByte() {
        let pair = Pair()
        var reader = FrameReader(least: 1, limit: 2 << 20)
        pair.write(length(4100))
        for place in 1...4100 {
            pair.write([UInt8(truncatingIfNeeded: place)])
            let read = Read(reader.read(from: pair.near, waiting: false))
            #expect(read == (place == 4100 ? .frame((1...4100).map { UInt8(truncatingIfNeeded: $0) }) : .later))
        }
    }

    @Test("an end within a long frame is an end")
    func ends() {
        let pair = Pair()
        var reader = FrameReader(least: 1, limit: 2 << 20)
        pair.write(length(1 << 20) + [1, 2, 3])
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .later)
        shutdown(pair.far, Int32(SHUT_RDWR))
        #expect(Read(reader.read(from: pair.near, waiting: false)) == .closed)
    }
}
