import CThumbLinux
import ThumbSystem

/// The user's own systemd, where there is one.
enum UserManager {
    static var isRunning: Bool {
        guard let folder = unsafe getenv("XDG_RUNTIME_DIR") else { return false }
        return unsafe access(String(cString: folder) + "/systemd/private", F_OK) == 0
    }

    /// Whether it does so. What it says about an error is for the person to read.
    static func does(_ words: [String]) -> Bool { tell(words, error: 2) }

    /// Whether a unit runs.
    static func isActive(_ unit: String) -> Bool { isRunning && tell(["is-active", unit], error: nil) }

    private static func tell(_ words: [String], error: Int32?) -> Bool {
        let systemctl = Spawn(
            "systemctl", ["systemctl", "--user", "--quiet"] + words, environment: .own, descriptors: .only([nil, nil, error]))
        do throws(SystemError) { return try systemctl.start().wait() == 0 } catch { return false }
    }
}
