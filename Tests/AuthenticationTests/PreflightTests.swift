import Testing
import ThumbAccess
import ThumbAuthentication

struct PreflightTests {
    @Test("biometry is locked from the fifth miss on, not from the fourth")
    func lockout() {
        #expect(!Attempts(biometric: 4).isBiometryLocked)
        #expect(Attempts(biometric: 5).isBiometryLocked)
        #expect(Attempts.biometricLimit == 5)
    }

    @Test(
        "the delay after wrong passcodes is nothing at first, then grows, and ends at an hour",
        arguments: [
            (0, 0), (1, 0), (3, 0), (4, 10), (5, 30), (6, 60), (7, 300), (8, 900), (9, 3600), (10, 3600), (1_000_000, 3600),
        ] as [(Int, Double)])
    func delays(_ wrong: Int, _ seconds: Double) {
        #expect(Attempts(passcode: wrong).passcodeDelay == seconds)
    }

    @Test("misses at the sensor cost no passcode delay, and wrong passcodes lock no sensor")
    func countersAreApart() {
        #expect(Attempts(biometric: 5).passcodeDelay == 0)
        #expect(!Attempts(passcode: 9).isBiometryLocked)
    }

    /// Each row lacks what the rows before it lack no more: the first lack is the answer.
    static let precedence: [(DeviceState, EvaluationFailure?)] = [
        (.device(.none, .notEnrolled, passcode: false, given: false, misses: 5), .biometryNotAvailable),
        (.device(.touchID, .notAvailable, passcode: false, given: false, misses: 5), .biometryNotAvailable),
        (.device(.touchID, .disconnected, passcode: false, given: false, misses: 5), .biometryDisconnected),
        (.device(.touchID, .notEnrolled, passcode: false, given: false, misses: 5), .biometryNotEnrolled),
        (.device(.touchID, .ready, passcode: false, given: false, misses: 5), .biometryLockout),
        (.device(.touchID, .ready, passcode: false, given: false, misses: 4), .passcodeNotSet),
        (.device(.touchID, .ready, passcode: true, given: false, misses: 4), .biometryLockout),
        (.device(.touchID, .ready, passcode: true, given: true, misses: 4), nil),
    ]

    @Test(
        "57: after a login by finger biometry is open, except for what only the passcode opens, and not while five misses stand")
    func login() throws {
        var device = DeviceState.device(.touchID, .ready, passcode: true, given: false, misses: 4)
        device.wasOpenedAtLogin = true
        #expect(device.biometryFailure == nil)
        let first = try Demands(AccessRule(.afterFirstUnlock, [.biometryAny]))
        #expect(first.failure(on: device) == nil && first.areMet(by: [.biometry], on: device))
        for constraints in [Constraints.biometryAny, .userPresence] {
            let last = try Demands(AccessRule(.whenPasscodeSetThisDeviceOnly, constraints))
            #expect(!last.areMet(by: [.biometry], on: device))
            #expect(last.seen(device).biometryFailure == .biometryLockout)
            #expect(last.areMet(by: [.passcode], on: device) == (constraints == .userPresence))
        }
        device.attempts = Attempts(biometric: Attempts.biometricLimit)
        #expect(device.biometryFailure == .biometryLockout && first.failure(on: device) == .biometryLockout)
    }

    @Test("8: hardware, enrolment, lockout, passcode: the first that is missing says so", arguments: precedence)
    func order(_ device: DeviceState, _ failure: EvaluationFailure?) {
        #expect(device.biometryFailure == failure)
        #expect(Demands(Wanted.biometry).failure(on: device) == failure)
    }

    @Test("9: the owner's policy needs a passcode, and with one needs no sensor")
    func owner() {
        let demands = Demands(Wanted.owner)
        for (device, _) in Self.precedence {
            #expect(demands.failure(on: device) == (device.passcodeIsSet ? nil : .passcodeNotSet))
        }
        #expect(demands.failure(on: .passcodeOnly) == nil)
    }

    @Test("both factors together need both")
    func both() {
        let demands = Demands(Wanted.both)
        #expect(demands.failure(on: .finger) == nil)
        #expect(demands.failure(on: .passcodeOnly) == .biometryNotAvailable)
        #expect(demands.failure(on: .device(.touchID, passcode: false)) == .passcodeNotSet)
        #expect(!demands.areMet(by: [.biometry]) && !demands.areMet(by: [.passcode]))
        #expect(demands.areMet(by: [.biometry, .passcode]))
    }

    @Test("where the sensor doesn't count, what demands it is no way any more, and no way becomes easier")
    func withoutBiometry() {
        #expect(Demands(Wanted.owner).withoutBiometry.alternatives == Wanted.passcode)
        #expect(Demands(Wanted.both).withoutBiometry.isEmpty && Demands(Wanted.biometry).withoutBiometry.isEmpty)
        let companion: [Set<Factor>] = [[.passcode, .companion]]
        #expect(Demands(Wanted.both + companion).withoutBiometry.alternatives == companion)
    }

    @Test("7, 13: a companion alone is missed where none is near; beside biometry the two do for each other")
    func companions() throws {
        let near = DeviceState.device(.none, .notAvailable, companions: ["laptop"])
        #expect(try Demands(.policy(.companion)).failure(on: .finger) == .companionNotAvailable)
        #expect(try Demands(.policy(.companion)).failure(on: near) == nil)
        let either = try Demands(.policy(.biometricsOrCompanion))
        #expect(either.failure(on: .finger) == nil && either.failure(on: near) == nil)
        #expect(either.failure(on: .device(.touchID, .notEnrolled)) == .biometryNotEnrolled)
        #expect(either.areMet(by: [.biometry]) && either.areMet(by: [.companion]) && !either.areMet(by: [.passcode]))
        let both = Demands([[.passcode, .companion]])
        #expect(both.failure(on: .device(.none, passcode: false, companions: ["laptop"])) == .passcodeNotSet)
        #expect(both.failure(on: .finger) == .companionNotAvailable)
    }

    @Test("nothing is worn on a wrist here: that policy makes no demands but fails")
    func wrist() {
        #expect(throws: EvaluationFailure.invalidParameter) { try Demands(.policy(.wristDetection)) }
    }

    @Test("a policy demands what its name says")
    func policies() throws {
        #expect(try Demands(.policy(.biometrics)).alternatives == Wanted.biometry)
        #expect(try Demands(.policy(.deviceOwner)).alternatives == Wanted.owner)
        #expect(!Demands(Wanted.biometry).areMet(by: [.passcode]))
        #expect(Demands(Wanted.owner).areMet(by: [.passcode]) && Demands(Wanted.owner).areMet(by: [.biometry]))
        #expect(!Demands(Wanted.owner).areMet(by: []) && Demands([]).areMet(by: []))
    }

    static let rules: [(Constraints, [Set<Factor>])] = [
        (.userPresence, Wanted.owner),
        (.biometryAny, Wanted.biometry),
        (.biometryCurrentSet, Wanted.biometry),
        (.devicePasscode, Wanted.passcode),
        (Constraints([.biometryAny, .devicePasscode, .or]), Wanted.owner),
        (Constraints([.biometryAny, .devicePasscode, .and]), Wanted.both),
        (Constraints([.biometryAny, .devicePasscode]), Wanted.both),
        (Constraints(), []),
    ]

    @Test("a rule demands its constraints", arguments: rules)
    func rule(_ constraints: Constraints, _ wanted: [Set<Factor>]) throws {
        let rule = try AccessRule(.whenUnlocked, constraints)
        #expect(try Demands(.rule(rule, .useItem)).alternatives == wanted)
    }
}
