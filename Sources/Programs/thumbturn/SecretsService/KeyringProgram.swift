import CThumbLinux
import ThumbClient
import ThumbSystem

/// Why the passwords of other programs aren't taken over, or not given back.
enum SecretsServiceFailure: Error, Sendable {
    case noHome
    /// System mode is on, and root hasn't vouched for the provider.
    case notProtected
    case unknownKeyring(String)
    /// A keyring with a window, which nobody but its user may end.
    case visibleKeyring(String)
    case notStarted, notEnded
    /// Somebody else answers, or nobody.
    case notAnswering(String?)
    case notChanged(String)
    case recordUnreadable(String)
    case notReloaded
}

/// What this program does on the session bus, by way of thumbturn-secret-service.
enum KeyringProgram {
    /// The name of the Secret Service.
    static let service = "org.freedesktop.secrets"
    /// A name that only Thumbturn's provider has.
    static let ours = "org.freedesktop.impl.portal.desktop.thumbturn"

    enum Answering: Sendable, Equatable {
        case nobody
        case ours
        /// A process with that name.
        case other(String)
    }

    /// Who has the name of the Secret Service now.
    static func who() throws(Failure) -> Answering {
        let program = try SecretServiceReader(["--who"])
        switch try program.next() {
        case .nobody: return .nobody
        case .provider(_, process: _, isOurs: true): return .ours
        case .provider(let name, process: _, isOurs: false): return .other(name)
        case .total, .item, .left, .moved, .present, .end: throw .secretServiceUnreadable
        }
    }

    /// Has the bus read its files again, and start the program for a name.
    static func start(_ name: String) throws(Failure) { try finish(["--start", name]) }

    /// Ends the program that has a name.
    static func end(_ name: String) throws(Failure) { try finish(["--end", name]) }

    /// Ends the keyring that has a name of its own, has the bus start it again, and waits a moment for it to answer.
    static func restart(_ name: String) throws(Failure) { try finish(["--restart", name]) }

    private static func finish(_ words: [String]) throws(Failure) {
        guard case .end = try SecretServiceReader(words).next() else { throw .secretServiceUnreadable }
    }

    struct Tally: Sendable {
        var moved = 0
        var left: [(label: String, reason: String)] = []
    }

    /// Copies every item that isn't there yet from one provider to another.
    ///
    /// - Parameter isShown: whether the user sees how far it is.
    static func move(from: String, to: String, isShown: Bool = true) throws(Failure) -> Tally {
        let program = try SecretServiceReader(["--move", from, to])
        var progress = Progress("Copying")
        var (all, done, tally) = (0, 0, Tally())
        while true {
            switch try program.next() {
            case .total(let items): all = items
            case .moved:
                done += 1
                tally.moved += 1
            case .present: done += 1
            case .left(let label, let reason):
                done += 1
                tally.left.append((label, reason))
            case .end: return tally
            case .item, .nobody, .provider: throw .secretServiceUnreadable
            }
            if isShown { progress.show(done, of: all, Notice.items(done)) }
        }
    }
}

extension UserManager {
    /// Has it read the units' files again.
    static func reload() throws(SecretsServiceFailure) {
        if isRunning, !does(["daemon-reload"]) { throw .notReloaded }
    }

    /// Ends units. Where there is no manager, there is nothing to end.
    static func stop(_ units: [String]) throws(SecretsServiceFailure) {
        if isRunning, !units.isEmpty, !does(["stop"] + units) { throw .notEnded }
    }
}
