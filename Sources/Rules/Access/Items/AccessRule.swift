/// When an item's class key is available. The raw values are what the store and the wire carry.
public enum Accessibility: UInt8, Sendable, Hashable, CaseIterable {
    case whenUnlocked = 1
    case afterFirstUnlock = 2
    case always = 3
    case whenUnlockedThisDeviceOnly = 4
    case afterFirstUnlockThisDeviceOnly = 5
    case alwaysThisDeviceOnly = 6
    case whenPasscodeSetThisDeviceOnly = 7

    /// The short name that queries and attribute dictionaries use.
    public var code: String {
        switch self {
        case .whenUnlocked: "ak"
        case .afterFirstUnlock: "ck"
        case .always: "dk"
        case .whenUnlockedThisDeviceOnly: "aku"
        case .afterFirstUnlockThisDeviceOnly: "cku"
        case .alwaysThisDeviceOnly: "dku"
        case .whenPasscodeSetThisDeviceOnly: "akpu"
        }
    }

    /// The class with that short name, or nil if there is none.
    public init?(code: String) {
        guard let known = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = known
    }

    /// Whether the item must stay on this device.
    public var isThisDeviceOnly: Bool {
        switch self {
        case .whenUnlocked, .afterFirstUnlock, .always: false
        case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly,
            .whenPasscodeSetThisDeviceOnly:
            true
        }
    }

    /// The class key that seals such an item.
    public var keyClass: KeyClass {
        switch self {
        case .always, .alwaysThisDeviceOnly: .device
        case .whenUnlocked, .afterFirstUnlock, .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly: .firstUnlock
        case .whenPasscodeSetThisDeviceOnly: .passcode
        }
    }
}

/// The three class keys of a keybag.
public enum KeyClass: UInt8, Sendable, Hashable, CaseIterable {
    case device = 1
    case firstUnlock = 2
    case passcode = 3
}

/// What must be satisfied before an item's secret is released, in the bits of Apple's `SecAccessControlCreateFlags`.
public struct Constraints: OptionSet, Sendable, Hashable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static let userPresence = Constraints(rawValue: 1 << 0)
    public static let biometryAny = Constraints(rawValue: 1 << 1)
    public static let biometryCurrentSet = Constraints(rawValue: 1 << 3)
    public static let devicePasscode = Constraints(rawValue: 1 << 4)
    public static let companion = Constraints(rawValue: 1 << 5)
    public static let or = Constraints(rawValue: 1 << 14)
    public static let and = Constraints(rawValue: 1 << 15)
    public static let privateKeyUsage = Constraints(rawValue: 1 << 30)
    public static let applicationPassword = Constraints(rawValue: 1 << 31)

    /// Thumbturn's own bit, far from Apple's: a sensor at convenience level doesn't count.
    public static let strongBiometry = Constraints(rawValue: 1 << 40)
    /// Thumbturn's own bit too: the key signs a server's challenges, in statements that the daemon composes, and nothing else.
    public static let signIn = Constraints(rawValue: 1 << 41)

    static let known: Constraints = [
        .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .or, .and, .privateKeyUsage,
        .applicationPassword, .strongBiometry, .signIn,
    ]
    /// The bits that a sensor can meet.
    static let sensing: Constraints = [.userPresence, .biometryAny, .biometryCurrentSet]
    /// The bits that ask the owner for something (an application password is mixed in, not asked).
    static let asking: Constraints = [.userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion]
}

/// An item's access rule: the class that seals it and what the owner must show.
public struct AccessRule: Sendable, Hashable {
    public let accessibility: Accessibility
    public let constraints: Constraints

    /// A rule without constraints: the class alone.
    public init(_ accessibility: Accessibility) {
        self.accessibility = accessibility
        constraints = []
    }

    /// A rule with constraints. Fails with `.parameter` on bits that aren't known or that exclude each other: if a rule were only partly
    /// understood, it would be weaker than its author thinks.
    public init(_ accessibility: Accessibility, _ constraints: Constraints) throws(KeychainFailure) {
        guard constraints.subtracting(.known).isEmpty else { throw .parameter }
        if constraints.contains(.or) && constraints.contains(.and) { throw .parameter }
        if constraints.contains(.biometryAny) && constraints.contains(.biometryCurrentSet) { throw .parameter }
        // Without a sensor in the rule the bit would have no meaning, and its author meant something.
        if constraints.contains(.strongBiometry), constraints.isDisjoint(with: .sensing) { throw .parameter }
        // Signing in is a use of a private key, and always asks the owner.
        if constraints.contains(.signIn) {
            guard constraints.contains(.privateKeyUsage), !constraints.isDisjoint(with: .asking) else { throw .parameter }
        }
        if constraints.contains(.userPresence) {
            let others = constraints.subtracting(
                [.userPresence, .applicationPassword, .privateKeyUsage, .strongBiometry, .signIn])
            guard others.isEmpty else { throw .parameter }
        }
        self.accessibility = accessibility
        self.constraints = constraints
    }

    /// Whether the owner must be asked before the secret is released.
    public var asksForOwner: Bool { !constraints.isDisjoint(with: .asking) }

    /// Whether the sensor counts for the item only under the enrolment it was made under.
    public var isBoundToEnrolment: Bool { constraints.contains(.biometryCurrentSet) }

    /// Whether a sensor at convenience level doesn't count.
    public var refusesConvenience: Bool { constraints.contains(.strongBiometry) }

    /// Whether a key under this rule signs statements, and nothing else.
    public var isForSigningIn: Bool { constraints.contains(.signIn) }

    /// Whether the item dies when the enrolment changes, because only the sensor satisfies its rule.
    public var diesWithEnrolment: Bool { isBoundToEnrolment && demands.allSatisfy { $0.contains(.biometry) } }

    /// Whether a sensor must exist and know a finger or a face before such an item can be made.
    public var needsBiometry: Bool {
        if isBoundToEnrolment { return true }
        return constraints.contains(.biometryAny) && !(constraints.contains(.or) && constraints.contains(.devicePasscode))
    }

    /// What must be shown, as alternatives. Each is a set of factors that releases the secret if all of it is shown.
    public var demands: [Set<Factor>] {
        if constraints.contains(.userPresence) { return [[.biometry], [.passcode]] }
        var wanted: [Factor] = []
        if constraints.contains(.biometryAny) || constraints.contains(.biometryCurrentSet) { wanted.append(.biometry) }
        if constraints.contains(.devicePasscode) { wanted.append(.passcode) }
        if constraints.contains(.companion) { wanted.append(.companion) }
        if constraints.contains(.or) { return wanted.map { [$0] } }
        return wanted.isEmpty ? [] : [Set(wanted)]
    }
}
