import ThumbAccess
import ThumbCommands

/// The words for an item's access rule, in both directions, and the options that set one.
enum Protection {
    static let names = ["presence", "passcode", "biometry", "current-biometry", "companion", "none"]
    static let classes = ["when-unlocked", "after-first-unlock", "when-passcode-set", "always"]

    static let option = Option("protect", "what you must show to get it", .choice("WHAT", names))
    /// The same for a key, which never comes out.
    static let usesOption = Option(option.name, "what you must show for each use of it", .choice("WHAT", names))
    static let classOption = Option("class", "when it can be used", .choice("WHEN", classes))
    static let staysHereOption = Option("only-here", "keep it on this device, out of every backup")

    /// Whether the command line says anything about the rule.
    static func isGiven(_ invocation: Invocation) -> Bool {
        [option, classOption, staysHereOption].contains { invocation.has($0) }
    }

    /// The rule from the command line. The defaults are presence and when-unlocked.
    static func rule(_ invocation: Invocation, staysHere: Bool = false) throws(Failure) -> AccessRule {
        try rule(
            invocation.value(option) ?? "presence", invocation.value(classOption) ?? "when-unlocked",
            staysHere: staysHere || invocation.has(staysHereOption))
    }

    /// The rule with those names. Only a backup takes items to another device, and with `staysHere` not even a backup does.
    static func rule(_ name: String, _ className: String, staysHere: Bool) throws(Failure) -> AccessRule {
        let constraints: Constraints =
            switch name {
            case "presence": .userPresence
            case "passcode": .devicePasscode
            case "biometry": .biometryAny
            case "current-biometry": .biometryCurrentSet
            case "companion": .companion
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
            throw Failure(error, about: .item)
        }
    }

    /// The rule for a key that never leaves. Its constraints apply to using it.
    static func keyRule(_ name: String, _ className: String) throws(Failure) -> AccessRule {
        let rule = try rule(name, className, staysHere: true)
        do {
            return try AccessRule(rule.accessibility, rule.constraints.union(.privateKeyUsage))
        } catch {
            throw Failure(error, about: .item)
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

    /// Why an item under this rule could never be read or used again with the device as it is now; nil if it could be.
    /// - Parameter orAnotherRule: Whether another rule would work.
    static func objection(
        _ rule: AccessRule, _ status: DeviceStatus, _ loss: Failure.Loss, orAnotherRule: Bool = false
    ) -> Failure? {
        let wantsPasscode = rule.constraints.contains(.userPresence) || rule.constraints.contains(.devicePasscode)
        if !status.passcodeIsSet && (wantsPasscode || rule.accessibility.keyClass == .passcode) {
            return .passcodeNeeded(loss, orAnotherRule: orAnotherRule)
        }
        if rule.needsBiometry && (status.biometry == .none || !status.isEnrolled) {
            return .enrolmentNeeded(loss, orAnotherRule: orAnotherRule)
        }
        if rule.isBoundToEnrolment && !status.sensor.tellsEnrolments {
            return .enrolmentUnknown(loss, needsOnlySystemMode: status.mode != .system && status.biometry == .touchID)
        }
        return nil
    }
}
