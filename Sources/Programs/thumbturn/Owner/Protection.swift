internal import ThumbAccess

/// The words for an item's access rule, both ways.
enum Protection {
    static let names = ["presence", "passcode", "biometry", "current-biometry", "none"]
    static let classes = ["when-unlocked", "after-first-unlock", "when-passcode-set", "always"]

    /// The rule with those names. Only a backup takes an item to another device, and one that `staysHere` not even that.
    static func rule(_ name: String, _ className: String, staysHere: Bool) throws(Failure) -> AccessRule {
        let constraints: Constraints =
            switch name {
            case "presence": .userPresence
            case "passcode": .devicePasscode
            case "biometry": .biometryAny
            case "current-biometry": .biometryCurrentSet
            default: []
            }
        let accessibility: Accessibility =
            switch className {
            case "after-first-unlock": staysHere ? .afterFirstUnlockThisDeviceOnly : .afterFirstUnlock
            case "when-passcode-set": .whenPasscodeSetThisDeviceOnly
            case "always": staysHere ? .alwaysThisDeviceOnly : .always
            default: staysHere ? .whenUnlockedThisDeviceOnly : .whenUnlocked
            }
        do {
            return try AccessRule(accessibility, constraints)
        } catch {
            throw Failure(error, "such a secret")
        }
    }

    /// The rule for a key that never leaves: its constraints speak of its use.
    static func keyRule(_ name: String, _ className: String) throws(Failure) -> AccessRule {
        let rule = try rule(name, className, staysHere: true)
        do {
            return try AccessRule(rule.accessibility, rule.constraints.union(.privateKeyUsage))
        } catch {
            throw Failure(error, "such a key")
        }
    }

    static func name(_ rule: AccessRule) -> String {
        if rule.constraints.contains(.userPresence) { return "presence" }
        var words: [String] = []
        if rule.constraints.contains(.biometryAny) { words.append("biometry") }
        if rule.constraints.contains(.biometryCurrentSet) { words.append("current-biometry") }
        if rule.constraints.contains(.devicePasscode) { words.append("passcode") }
        if rule.constraints.contains(.companion) { words.append("companion") }
        return words.isEmpty ? "none" : words.joined(separator: rule.constraints.contains(.or) ? " or " : " and ")
    }

    static func className(_ rule: AccessRule) -> String {
        switch rule.accessibility {
        case .whenUnlocked, .whenUnlockedThisDeviceOnly: "when-unlocked"
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: "after-first-unlock"
        case .always, .alwaysThisDeviceOnly: "always"
        case .whenPasscodeSetThisDeviceOnly: "when-passcode-set"
        }
    }

    /// Why an item under this rule could never be read again, or used, as the device is now; nil if it can be.
    static func objection(
        _ rule: AccessRule, _ status: DeviceStatus, loss: String = "the secret could never be read"
    ) -> Failure? {
        let wantsPasscode = rule.constraints.contains(.userPresence) || rule.constraints.contains(.devicePasscode)
        if !status.passcodeIsSet && (wantsPasscode || rule.accessibility.keyClass == .passcode) {
            return Failure(
                "passcodeNotSet", .couldNotAsk, "no passcode is set, so \(loss)",
                advice: "run 'thumbturn passcode set'")
        }
        if rule.needsBiometry && (status.biometry == .none || !status.isEnrolled) {
            return Failure(
                "biometryNotEnrolled", .couldNotAsk, "no sensor knows the owner, so \(loss)",
                advice: "'thumbturn doctor' tells what is there")
        }
        return nil
    }
}
