public import ThumbAccess
public import ThumbAuthentication

/// Where a scripted owner is: in front of every prompt, unless the script says otherwise.
public final class SimulatedSeat {
    public var isSeated = true

    public init() {}
}

extension SimulatedSeat: OwnerSeat {
    public func mayTouch(for caller: Caller) -> Bool { isSeated }
    public func spot(of pid: Int32, uid: UInt32, on surface: PromptSurface) -> PromptSpot { .elsewhere }
    public func counts(_ spot: PromptSpot, for uid: UInt32) -> Bool { isSeated }
}
