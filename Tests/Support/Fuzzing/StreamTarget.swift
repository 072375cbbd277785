import CThumbLinux
import ThumbConversation
import ThumbLoop
import ThumbSecrets

/// Frames as they come over a socket: their lengths, and whatever the peer sends instead of what it announced.
///
/// An input describes a stream in records of ten bytes: the length that a frame announces, how many bytes follow, and four bytes that are
/// repeated until there are as many. So a short input makes a long stream.
enum StreamTarget {
    static let target = FuzzTarget(
        "frame-stream", longest: 120,
        sources: ["Sources/Parts/Loop/FrameReader.swift", "Sources/Secrets/SecretStage.swift"],
        seeds: { seeds },
        parse: { input in
            // With a stage everything is read ahead that is there, without one nothing is.
            let staged = try read(input, stage: try SecretStage(capacity: FrameReader.stageBytes))
            let plain = try read(input, stage: nil)
            try must(staged == plain, "a stage changes what is read from a socket")
            return staged.first { $0.count >= 64 }
        })

    private static let limit = 40_000
    /// Less than a socket holds.
    private static let most = 96 << 10

    private static func stream(_ input: [UInt8]) -> [UInt8] {
        var feed = ByteFeed(input)
        var stream: [UInt8] = []
        while !feed.isAtEnd, stream.count < most {
            stream += feed.bytes(4)
            let count = Int(feed.number(bytes: 2))
            let pattern = feed.bytes(4)
            guard !pattern.isEmpty else { break }
            stream += (0..<count).map { pattern[$0 % pattern.count] }
        }
        return Array(stream.prefix(most))
    }

    /// The frames in a stream, according to the form alone, and how reading ends.
    private static func frames(in stream: [UInt8]) -> (frames: [[UInt8]], end: String) {
        var frames: [[UInt8]] = []
        var rest = stream[...]
        while rest.count >= 4 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard (WireLimit.headBytes...limit).contains(length) else { return (frames, "badLength") }
            guard rest.count >= 4 + length else { break }
            frames.append(Array(rest.dropFirst(4).prefix(length)))
            rest = rest.dropFirst(4 + length)
        }
        return (frames, "closed")
    }

    private static func read(_ input: [UInt8], stage: SecretStage?) throws -> [[UInt8]] {
        let whole = stream(input)
        let (writing, reading) = try UnixSocket.pair().get()
        defer { UnixSocket.close(reading) }
        UnixSocket.passCredentials(reading)
        // Nobody reads yet. Whatever the socket doesn't take was never sent.
        let taken = whole.withUnsafeBytes { send(writing, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) }
        UnixSocket.close(writing)
        let stream = Array(whole.prefix(max(0, taken)))
        var reader = FrameReader(least: WireLimit.headBytes, limit: limit, stage: stage)
        // This process is the one that writes.
        reader.onlySender = getpid()
        var found: [[UInt8]] = []
        var end = "more"
        while end == "more" {
            switch reader.read(from: reading, waiting: true) {
            case .frame(let body):
                found.append(body.plain)
                try must(!reader.isWithinFrame, "a frame is read and isn't over")
                if reader.hasAhead { try reader.move(to: .shared) }
            case .later: end = "later"
            case .closed: end = "closed"
            case .badLength: end = "badLength"
            case .noRoom: end = "noRoom"
            case .failed(let number): end = "failed \(number)"
            }
        }
        let expected = frames(in: stream)
        try must(found == expected.frames, "\(found.count) frames are read, and \(expected.frames.count) were sent")
        try must(end == expected.end, "reading ends as \(end), not as \(expected.end)")
        return found
    }

    private static var seeds: [[UInt8]] {
        func record(_ announced: Int, _ sent: Int) -> [UInt8] {
            bigEndian(announced, bytes: 4) + bigEndian(sent, bytes: 2) + [1, 2, 3, 4]
        }
        return [
            record(5, 5), record(100, 100), record(5_000, 5_000), record(17_000, 17_000), record(39_999, 39_999),
            record(100, 100) + record(9, 9), record(100, 60), record(9_000, 100), record(4, 4), record(40_001, 8),
            record(30_000, 30_000) + record(6, 6), [0, 0],
        ]
    }
}
