import ThumbAccess
import ThumbClient
import ThumbSecrets

/// Several secrets, released after one question to the owner.
struct Releasing {
    private let status: DeviceStatus
    private let kept: [KeptSecret]
    private let reason: String
    /// What the owner shows counts for all of them.
    private let context = DeviceClient.shared.makeContext()

    /// Finds the secrets. Missing ones are reported here, before anybody is asked.
    init(_ handed: [HandedSecret], to program: String) throws(Failure) {
        status = try Daemon.status()
        var kept: [KeptSecret] = []
        for secret in handed { kept.append(try secret.wanted.kept()) }
        self.kept = kept
        let shown = kept.map(\.name.shownShort).joined(separator: ", ")
        reason = "run '\(SafeText(program, limit: 60))' with the secret\(kept.count == 1 ? "" : "s") \(shown)"
    }

    /// The secrets, in the order in which they were named.
    func secrets() throws(Failure) -> [(name: SecretName, secret: SecretBytes)] {
        if let rule = Self.rule(satisfying: kept.map(\.rule), on: status), !status.isSessionLocked { try ask(rule) }
        var secrets: [(name: SecretName, secret: SecretBytes)] = []
        for name in kept.map(\.name) { secrets.append((name, try release(name))) }
        return secrets
    }

    private func release(_ name: SecretName) throws(Failure) -> SecretBytes {
        let found = try Daemon.release(about: name.thing, reason: reason) { () throws(ReleaseFailure) in
            try DeviceClient.shared.release(name.query(limit: 1, shape: .data, reason: reason, context: context))
        }
        guard let secret = found[0].secret else { throw .secretWithoutData(name.thing) }
        return secret
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
        // After a start of the daemon only the passcode opens the classes; biometry doesn't count before that.
        if status.passcodeIsSet && !status.passcodeWasGiven && rules.contains(where: { $0.accessibility.keyClass != .device }) {
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
