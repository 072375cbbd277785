import CThumbLinux
import ThumbConversation

/// What a person can do when the daemon can't be asked.
enum Advice {
    static let connectionLost = "thumbturnd went away before it answered; the next call starts or finds it again"
    static let protocolBroken = "the daemon and this program don't speak the same version; reinstall both from one build"
    static let noLockedMemory = "no more memory may be locked; raise the limit (ulimit -l) or release secrets"
    static let notInstalled = "no thumbturnd was found beside this program or in its libexec folder; run 'make install'"
    /// Another daemon has the user's store, and listens where this program doesn't look.
    static func storeIsTaken(by process: Int32?) -> String {
        guard let process else {
            return "another thumbturnd has the store open and listens at another socket; end it, or name its socket in "
                + "$THUMBTURN_SOCKET"
        }
        return "another thumbturnd (process \(process)) has the store open and listens at another socket; "
            + "end it with 'kill \(process)', or name its socket in $THUMBTURN_SOCKET"
    }

    /// What lets a stopped daemon go on.
    static func stopped(_ process: Int32, isRoots: Bool) -> String {
        isRoots
            ? "root can let its process go on with 'kill -CONT \(process)'"
            : "run 'kill -CONT \(process)' to let its process go on"
    }

    /// What ends a daemon that hangs, so that the next call has another one.
    static func silent(_ process: Int32?, isRoots: Bool) -> String {
        if let process {
            return "run 'kill -KILL \(process)' to end it; what it has stored stays, and the next command starts it again"
        }
        if isRoots {
            return "root can start it again with 'systemctl restart thumbturn.service thumbturn-device@\(getuid()).service'"
        }
        return Finding.environment("THUMBTURN_SOCKET") == nil
            ? "run 'systemctl --user restart thumbturn.service' to start it again"
            : "start whatever listens at $THUMBTURN_SOCKET again"
    }

    static let systemDown = "the system service is installed but not running; run 'systemctl start thumbturn.socket'"
    static let mendingIsRoots =
        "the system service keeps the store; root mends it with 'thumbturnd --recover' or '--accept-losses' and "
        + "'--state /var/lib/thumbturn/UID', while thumbturn.service is stopped"
    static let impostor = "somebody else listens on Thumbturn's socket; nothing was sent to them"

    static func refused(_ refusal: Refusal) -> String {
        switch refusal {
        case .tooManyConnections, .tooManyCalls, .tooManyContexts: "this user has too much open at once; close some and try again"
        case .noRoom: "this user's programs hold all the memory that the daemon has for them; end some and try again"
        case .tooLarge: "what was sent is larger than a frame may be"
        case .storeUnavailable: "the store can't be opened and was left as it is; the daemon's log says why"
        case .custodianUnavailable:
            "the store opens with a TPM only, and that isn't there, isn't the same or was cleared; 'thumbturn store recover' opens it "
                + "with the recovery code"
        case .oldCopy:
            "an old copy of the store was put back, or the TPM lost count of it; 'thumbturn store accept-losses' goes on with it"
        case .storeIncomplete:
            "what was written last is missing from the store; 'thumbturn store accept-losses' goes on without it"
        case .versionNotSpoken, .malformed, .helloExpected, .unknownKind, .notAllowedInThisRole, .ticketNotGood: protocolBroken
        }
    }
}
