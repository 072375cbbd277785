import CThumbLinux
import ThumbSystem

/// The programs that modules started, and those that they started. None of them may stay behind with a camera or a password.
enum Descendants {
    /// How often to look for children. Each round ends one generation, and no legitimate program has this many.
    private static let rounds = 100
    /// Largest list of children that is read: a user can have no more processes than fit.
    private static let listBytes = 1 << 20

    /// Makes this process the parent of everything that an ended program leaves behind.
    static func adopt() { _ = thumb_prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

    static func end() {
        for _ in 0..<rounds {
            let children = children
            if children.isEmpty { return }
            for child in children { kill(child, SIGKILL) }
            // Another thread of this process may wait for the child first.
            for child in children { _ = Child(pid: child).ending() }
        }
    }

    /// The main thread's children, because that thread runs the modules and inherits the others. Empty if the kernel doesn't tell.
    private static var children: [pid_t] {
        guard let text = Transfer.file("/proc/self/task/\(getpid())/children", atMost: listBytes) else { return [] }
        return text.split(separator: UInt8(ascii: " ")).compactMap { pid_t(String(decoding: $0, as: UTF8.self)) }
    }
}
