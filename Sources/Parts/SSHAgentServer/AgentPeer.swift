import CThumbLinux
import ThumbAccess
import ThumbLoop
import ThumbSystem

/// The process that asks an agent, as the kernel recorded it when it connected. Its name is a label: it may run another program by now.
struct AgentPeer: Sendable {
    private static let longestLine = 64 << 10

    let pid: Int32
    /// `ssh (process 4711)`.
    let name: String

    /// nil for a process of another user.
    init?(of fd: Int32) {
        guard let peer = UnixSocket.peer(of: fd), peer.uid == getuid() else { return nil }
        pid = peer.pid
        name = "\(Self.program(peer.pid)) (process \(peer.pid))"
    }

    /// The words of its command line.
    var words: [String] {
        (Transfer.file("/proc/\(pid)/cmdline", atMost: Self.longestLine) ?? []).split(separator: 0)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private static func program(_ pid: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe readlink("/proc/\(pid)/exe", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
        }
        guard count > 0, let name = buffer.prefix(count).split(separator: UInt8(ascii: "/")).last else { return "a program" }
        return SafeText(String(decoding: name, as: UTF8.self), limit: 20).description
    }
}
