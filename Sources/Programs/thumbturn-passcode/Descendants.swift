import CThumbLinux
import ThumbSystem

/// Programs that modules started, and theirs in turn: none of them stays behind, with a camera or a password in its hands.
enum Descendants {
    /// Rounds of looking: each ends one generation, and nothing that is meant to be run here has so many.
    private static let rounds = 100
    /// Largest list of children that is read: as many numbers as a user may have processes.
    private static let listBytes = 1 << 20

    /// What a program leaves behind when it ends becomes ours to end.
    static func adopt() { _ = thumb_prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

    static func end() {
        for _ in 0..<rounds {
            let children = children
            if children.isEmpty { return }
            for child in children { kill(child, SIGKILL) }
            // Whoever waits for it elsewhere in this process may be first.
            for child in children { _ = Child(pid: child).ending() }
        }
    }

    /// The main thread's, which runs the modules and inherits the rest; none where the kernel doesn't tell.
    private static var children: [pid_t] {
        guard let text = Transfer.file("/proc/self/task/\(getpid())/children", atMost: listBytes) else { return [] }
        return text.split(separator: UInt8(ascii: " ")).compactMap { pid_t(String(decoding: $0, as: UTF8.self)) }
    }
}
