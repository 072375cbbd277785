import ThumbAccess
import ThumbSimulation

extension SimulatedDevice {
    /// Pairs a companion, another machine of the owner's that says yes for this one.
    ///
    /// While it is near, its owner answers there with `Answer.companion`.
    public func pairCompanion(_ name: String) { change { $0.companions.pair(name) } }

    /// Removes a paired companion. Returns false if there is none with that name.
    @discardableResult
    public func removeCompanion(_ name: String) -> Bool { change { $0.companions.remove(name) } }

    /// Whether paired companions are near enough to be asked. They are at first.
    public var companionsAreNear: Bool {
        get { onLoop { $0.running.companions.areNear } }
        set { change { $0.companions.areNear = newValue } }
    }

    /// The reasons that companions were asked for, in order.
    public var companionQuestions: [String] { onLoop { $0.running.companions.asked.map(\.reason) } }
}
