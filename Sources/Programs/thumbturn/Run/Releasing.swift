import ThumbAccess
import ThumbClient
import ThumbSecrets

/// Several secrets, released after one question to the owner.
struct Releasing {
    private let kept: [KeptSecret]
    private let reason: String
    /// What the owner shows counts for all of them, and for what is done with them in this context.
    let context = DeviceClient.shared.makeContext()

    init(_ kept: [KeptSecret], reason: String) { (self.kept, self.reason) = (kept, reason) }

    /// The secrets, in the order in which they were named.
    func secrets() throws(Failure) -> [SecretBytes] {
        let status = try Daemon.status()
        if let rule = Self.rule(satisfying: kept.map(\.rule), on: status), !status.isSessionLocked { try ask(rule) }
        return try kept.map { secret throws(Failure) in try secret.name.open(reason: reason, context: context) }
    }

    private func ask(_ rule: AccessRule) throws(Failure) {
        guard case .failure(let failure) = Daemon.evaluate(.rule(rule, .useItem), reason: reason, context: context).result
        else { return }
        switch failure {
        // What to do about this depends on the secrets.
        case .biometryNotAvailable, .biometryNotEnrolled: throw .sensorNeeded(failure)
        default: throw .evaluation(failure)
        }
    }

    /// The one rule whose evaluation satisfies all of them; nil if nobody has to be asked.
    static func rule(satisfying rules: [AccessRule], on status: DeviceStatus) -> AccessRule? {
        var needed: Set<Factor> = []
        var isAsked = false
        for demands in rules.map(\.demands) where !demands.isEmpty {
            isAsked = true
            // If there is a choice, presence is asked for, or whatever another secret needs.
            if demands.count == 1 { needed.formUnion(demands[0]) }
        }
        // After a start of the daemon only the passcode opens the classes, or a login by finger some of them.
        if rules.contains(where: { status.waitsForPasscode($0.accessibility.keyClass) }) {
            needed.insert(.passcode)
            isAsked = true
        }
        guard isAsked else { return nil }
        var constraints: Constraints = needed.isEmpty ? .userPresence : []
        if needed.contains(.biometry) { constraints.insert(.biometryAny) }
        if needed.contains(.passcode) { constraints.insert(.devicePasscode) }
        if needed.contains(.companion) { constraints.insert(.companion) }
        if needed.count > 1 { constraints.insert(.and) }
        // The class doesn't matter here: only what is shown counts. These constraints fit together, so this can't fail.
        return try? AccessRule(.alwaysThisDeviceOnly, constraints)
    }
}
