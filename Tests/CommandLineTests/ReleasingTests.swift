import Testing
import ThumbAccess

@testable import thumbturn

@Suite("One question for several secrets")
struct ReleasingTests {
    private static func status(passcodeWasGiven: Bool = true, passcodeIsSet: Bool = true) -> DeviceStatus {
        DeviceStatus(
            mode: .user, biometry: .touchID, isEnrolled: true, isBiometryLocked: false, passcodeIsSet: passcodeIsSet,
            passcodeWasGiven: passcodeWasGiven, hasRecoveryCode: false, isSessionLocked: false, items: 0, quarantined: 0,
            custodian: .software, processID: 1)
    }

    private static func constraints(_ rules: [Constraints], on status: DeviceStatus = status()) throws -> Constraints? {
        let rules = try rules.map { try AccessRule(.whenUnlockedThisDeviceOnly, $0) }
        return Releasing.rule(satisfying: rules, on: status)?.constraints
    }

    @Test("What is asked for is enough for each of them, and no more")
    func enough() throws {
        let cases: [([Constraints], Constraints?)] = [
            ([[]], nil), ([[], []], nil), ([.userPresence], .userPresence), ([[], .userPresence, .userPresence], .userPresence),
            ([.userPresence, .biometryAny], .biometryAny), ([.biometryCurrentSet, .biometryAny], .biometryAny),
            ([.userPresence, .devicePasscode], .devicePasscode), ([[.biometryAny, .or, .devicePasscode]], .userPresence),
            ([.biometryAny, .devicePasscode], [.biometryAny, .devicePasscode, .and]),
            ([[.biometryCurrentSet, .and, .devicePasscode], .userPresence], [.biometryAny, .devicePasscode, .and]),
            ([.companion, .userPresence], .companion),
        ]
        for (rules, expected) in cases { #expect(try Self.constraints(rules) == expected, "\(rules)") }
    }

    @Test("What is asked for releases every one of them")
    func releases() throws {
        let kinds: [Constraints] = [
            [], .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, [.biometryAny, .or, .devicePasscode],
            [.biometryAny, .and, .devicePasscode],
        ]
        for one in kinds {
            for other in kinds {
                let rules = try [one, other].map { try AccessRule(.whenUnlockedThisDeviceOnly, $0) }
                let asked = Releasing.rule(satisfying: rules, on: Self.status())
                // Whichever of its alternatives the owner shows.
                for shown in asked?.demands ?? [[]] {
                    for rule in rules where rule.asksForOwner {
                        #expect(rule.demands.contains { $0.isSubset(of: shown) }, "\(one), \(other)")
                    }
                }
            }
        }
    }

    @Test("Before the passcode was given, it is what is asked for, but for secrets that need no key of it")
    func closed() throws {
        let closed = Self.status(passcodeWasGiven: false)
        #expect(try Self.constraints([[]], on: closed) == .devicePasscode)
        #expect(try Self.constraints([.userPresence], on: closed) == .devicePasscode)
        #expect(Releasing.rule(satisfying: [AccessRule(.alwaysThisDeviceOnly)], on: closed) == nil)
        // A login by finger opens what is for the first unlock, and nothing else.
        var login = closed
        login.wasOpenedAtLogin = true
        #expect(Releasing.rule(satisfying: [AccessRule(.afterFirstUnlock)], on: login) == nil)
        #expect(try Self.constraints([.userPresence], on: login) == .userPresence)
        let last = AccessRule(.whenPasscodeSetThisDeviceOnly)
        #expect(Releasing.rule(satisfying: [AccessRule(.afterFirstUnlock), last], on: login)?.constraints == .devicePasscode)
        let bare = Self.status(passcodeWasGiven: false, passcodeIsSet: false)
        #expect(try Self.constraints([[]], on: bare) == nil)
    }
}
