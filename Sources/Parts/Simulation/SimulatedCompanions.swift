public import ThumbAccess
public import ThumbAuthentication

/// Paired machines that a script answers at.
public final class SimulatedCompanions {
    /// The paired machines, by their names.
    public private(set) var paired: [String] = []
    /// Whether they are near enough to be asked. What they were asked comes to nothing once they aren't.
    public var areNear = true {
        didSet { if !areNear { answer(.away) } }
    }
    public private(set) var revision: UInt64 = 0
    /// What they were asked, in order.
    public private(set) var asked: [CompanionQuestion] = []
    /// Grows with every change, so that a machine that was removed and paired again doesn't count as the same.
    private var change: UInt8 = 0
    private var report: ((CompanionReport) -> Void)?

    public init() {}

    /// Whether a question is open.
    public var areAsking: Bool { report != nil }

    public func pair(_ name: String) {
        paired.append(name)
        change &+= 1
    }

    /// False if there was no such machine.
    public func remove(_ name: String) -> Bool {
        guard let place = paired.firstIndex(of: name) else { return false }
        paired.remove(at: place)
        (change, revision) = (change &+ 1, revision + 1)
        if paired.isEmpty { answer(.away) }
        return true
    }

    /// Removes all of them, as removing the passcode does.
    public func removeAll() { for name in paired { _ = remove(name) } }

    /// Lets the owner, or nobody, answer there.
    public func answer(_ said: CompanionReport) {
        let report = report
        self.report = nil
        report?(said)
    }
}

extension SimulatedCompanions: Companions {
    public var near: [String] { areNear ? paired : [] }
    public var digest: [UInt8]? { paired.isEmpty ? nil : Array("simulated companions".utf8) + [change] }

    public func ask(_ question: CompanionQuestion, _ report: @escaping (CompanionReport) -> Void) {
        asked.append(question)
        self.report = report
        report(.asks)
    }

    public func stop() { report = nil }
}
