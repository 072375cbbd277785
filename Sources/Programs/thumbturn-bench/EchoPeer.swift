import CThumbLinux
import Foundation
import ThumbLoop

/// The least that a call to another process can cost: 32 bytes there and back over a Unix socket, without any parsing.
final class EchoPeer {
    static let argument = "--echo-peer"
    static let size = 32

    private let fd: Int32
    private let process: Process
    private var buffer = [UInt8](repeating: 7, count: size)

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw BenchError("no socket pair") }
        fd = ends[0]
        _ = thumb_fcntl(ends[0], F_SETFD, Int(FD_CLOEXEC))
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [Self.argument]
        process.standardInput = FileHandle(fileDescriptor: ends[1])
        try process.run()
        close(ends[1])
    }

    deinit {
        close(fd)
        process.waitUntilExit()
    }

    /// - Parameter awake: how long the caller polls for the answer before it sleeps.
    func call(awake seconds: Double = 0) throws {
        let size = buffer.count
        let isBack = unsafe buffer.withUnsafeMutableBytes { bytes in
            guard unsafe write(fd, bytes.baseAddress, size) == size else { return false }
            let end = EventLoop.now + seconds
            while seconds > 0, EventLoop.now < end {
                if unsafe recv(fd, bytes.baseAddress, size, Int32(MSG_DONTWAIT)) == size { return true }
                sched_yield()
            }
            return unsafe recv(fd, bytes.baseAddress, size, Int32(MSG_WAITALL)) == size
        }
        guard isBack else { throw BenchError("the raw echo broke") }
    }

    static func serve() -> Never {
        var buffer = [UInt8](repeating: 0, count: size)
        while true {
            let isDone = unsafe buffer.withUnsafeMutableBytes { bytes in
                let count = unsafe read(0, bytes.baseAddress, bytes.count)
                return unsafe count <= 0 || write(0, bytes.baseAddress, count) != count
            }
            if isDone { exit(0) }
        }
    }
}
