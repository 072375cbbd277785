import CThumbLinux
import CThumbSystemd
public import ThumbAccess
public import ThumbAuthentication
public import ThumbLoop

/// Where one user sits, according to logind: in a graphical session that is active and unlocked, or else on the active console. Anywhere
/// else nobody sees what a touch is for.
@OnLoop public final class LoginSeat {
    /// Whether the user's session is locked.
    public var isLocked: () -> Bool = { false }

    public init() {}

    /// The user's session that this machine shows.
    private func stage(of uid: UInt32) -> LoginSessions.Stage? { isLocked() ? nil : LoginSessions.stage(of: uid) }

    /// Whether this machine's screen shows the greeter over that session of the user's.
    private func showsLock(over session: String, of uid: UInt32) -> Bool {
        isLocked() && LoginSessions.inFront == .display(session: session, of: uid) && LoginSessions.display(of: uid) == session
    }
}

extension LoginSeat: @OnLoop OwnerSeat {
    public func mayTouch(for caller: Caller) -> Bool {
        switch (caller.place, stage(of: caller.uid)) {
        case (.display(let session), .display(let active)?), (.console(let session), .console(let active)?): session == active
        // Whoever logs in has no session yet, and a locked one elsewhere doesn't matter.
        case (.loginConsole(let terminal), _): terminal == LoginSessions.consoleInFront
        case (.greeter, _): LoginSessions.inFront == .greeter
        case (.lockScreen(let session), _): showsLock(over: session, of: caller.uid)
        case (.display, _), (.console, _), (.unknown, _), (.remote, _): false
        }
    }

    public func spot(of pid: Int32, uid: UInt32, on surface: PromptSurface) -> PromptSpot {
        LoginSessions.spot(of: pid, uid: uid, on: surface)
    }

    public func counts(_ spot: PromptSpot, for uid: UInt32) -> Bool {
        switch (spot, stage(of: uid)) {
        case (.window(let session), .display(let active)?), (.console(let session), .console(let active)?): session == active
        case (.loginConsole(let terminal), _): terminal == LoginSessions.consoleInFront
        case (.greeter, _): LoginSessions.inFront == .greeter
        case (.lockScreen(let session), _): showsLock(over: session, of: uid)
        case (.window, _), (.console, _), (.elsewhere, _): false
        }
    }

    public func isOutsideSessions(_ pid: Int32) -> Bool { LoginSessions.session(of: pid) == nil }

    public func loginConsole(of pid: Int32) -> String? { LoginSessions.loginConsole(of: pid) }
}
