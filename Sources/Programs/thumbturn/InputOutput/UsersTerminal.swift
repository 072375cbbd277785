import CThumbLinux
import ThumbSystem

extension TerminalAbility {
    /// What the terminal can do in which this program was started.
    static let users = TerminalAbility { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
}
