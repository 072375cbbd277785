public import ThumbAccess
public import ThumbAuthentication

/// Where a scripted owner is: in front of every prompt, unless the script says otherwise.
public final class SimulatedSeat {
    public var isSeated = true
    /// The text console on which every login asks; nil if logins ask elsewhere.
    public var loginConsole: String?
    /// Whether every process is in no session.
    public var isOutsideSessions = true

    public init() {}
}

extension SimulatedSeat: OwnerSeat {
    public func mayTouch(for caller: Caller) -> Bool { isSeated }
    public func spot(of pid: Int32, uid: UInt32, on surface: PromptSurface) -> PromptSpot { .elsewhere }
    public func isOutsideSessions(_ pid: Int32) -> Bool { isOutsideSessions }
    public func loginConsole(of pid: Int32) -> String? { loginConsole }
    public func counts(_ spot: PromptSpot, for uid: UInt32) -> Bool { isSeated }
}
