import Testing
import ThumbAccess

@Suite("Access rules")
struct AccessRuleTests {
    private func rule(_ constraints: Constraints) -> AccessRule? { try? AccessRule(.whenUnlocked, constraints) }

    @Test("77: a class has one short name, and only its own name gives it back")
    func classNames() {
        for accessibility in Accessibility.allCases { #expect(Accessibility(code: accessibility.code) == accessibility) }
        #expect(Set(Accessibility.allCases.map(\.code)).count == 7)
        for code in ["", "AK", "ak ", "akv", "kak"] { #expect(Accessibility(code: code) == nil) }
    }

    @Test(
        "78: constraints that exclude each other make no rule",
        arguments: [
            [.or, .and], [.biometryAny, .biometryCurrentSet], [.userPresence, .biometryAny],
            [.userPresence, .biometryCurrentSet],
            [.userPresence, .devicePasscode], [.userPresence, .companion], [.userPresence, .or], [.userPresence, .and],
        ] as [Constraints])
    func exclusions(constraints: Constraints) {
        #expect(throws: KeychainFailure.parameter) { try AccessRule(.whenUnlocked, constraints) }
    }

    @Test("78: presence goes with an application password and with a key's use")
    func presenceCompanions() {
        #expect(rule([.userPresence, .applicationPassword, .privateKeyUsage]) != nil)
    }

    @Test("a rule for signing in is one for a private key's use, and asks for the owner")
    func signingIn() {
        for asking: Constraints in [
            .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, [.biometryAny, .or, .devicePasscode],
            [.userPresence, .strongBiometry], [.userPresence, .applicationPassword],
        ] {
            #expect(rule(asking.union([.privateKeyUsage, .signIn]))?.isForSigningIn == true)
            #expect(rule(asking.union(.signIn)) == nil && rule(asking.union(.privateKeyUsage))?.isForSigningIn == false)
        }
        for silent: Constraints in [[], .applicationPassword, .or] {
            #expect(rule(silent.union([.privateKeyUsage, .signIn])) == nil)
        }
    }

    @Test("that a weak sensor doesn't count can be said only of a rule that a sensor meets")
    func strongSensors() {
        for met: Constraints in [.userPresence, .biometryAny, .biometryCurrentSet, [.biometryAny, .or, .devicePasscode]] {
            #expect(rule(met.union(.strongBiometry))?.refusesConvenience == true)
            #expect(rule(met)?.refusesConvenience == false)
        }
        for other: Constraints in [.devicePasscode, .companion, .applicationPassword, .privateKeyUsage] {
            #expect(rule(other.union(.strongBiometry)) == nil)
        }
    }

    @Test("a bit that nobody knows makes no rule: it would be weaker than its author thinks", arguments: 0..<64)
    func unknownBits(bit: Int) {
        let known: Set<Int> = [0, 1, 3, 4, 5, 14, 15, 30, 31]
        #expect((rule(Constraints(rawValue: 1 << UInt64(bit))) != nil) == known.contains(bit))
    }

    @Test(
        "79: constraints without an operator are all demanded, with or one of them",
        arguments: [
            ([], []), ([.userPresence], [[.biometry], [.passcode]]), ([.biometryAny], [[.biometry]]),
            ([.biometryCurrentSet], [[.biometry]]), ([.devicePasscode], [[.passcode]]),
            ([.biometryAny, .devicePasscode], [[.biometry, .passcode]]),
            ([.biometryAny, .and, .devicePasscode], [[.biometry, .passcode]]),
            ([.biometryCurrentSet, .or, .devicePasscode], [[.biometry], [.passcode]]),
            ([.companion, .or, .biometryAny], [[.biometry], [.companion]]), ([.applicationPassword], []),
            ([.privateKeyUsage], []),
        ] as [(Constraints, [Set<Factor>])])
    func demands(constraints: Constraints, demands: [Set<Factor>]) throws {
        #expect(try AccessRule(.whenUnlocked, constraints).demands == demands)
    }

    @Test("80: an operator with fewer than two constraints changes nothing", arguments: [Constraints.or, .and])
    func lonelyOperator(lonely: Constraints) throws {
        #expect(try AccessRule(.whenUnlocked, [lonely]).demands == [])
        #expect(try !AccessRule(.whenUnlocked, [lonely]).asksForOwner)
        #expect(try AccessRule(.whenUnlocked, [lonely, .devicePasscode]).demands == [[.passcode]])
    }

    @Test("a rule without constraints asks nobody, and one with any asks the owner")
    func asking() throws {
        #expect(!AccessRule(.whenUnlocked).asksForOwner)
        for one: Constraints in [.userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion] {
            #expect(try AccessRule(.whenUnlocked, one).asksForOwner)
            #expect(try !AccessRule(.whenUnlocked, one).demands.isEmpty)
        }
    }

    @Test("only the current set is bound to the enrolment, and only what a sensor alone can meet needs one")
    func binding() throws {
        #expect(try AccessRule(.always, [.biometryCurrentSet, .or, .devicePasscode]).isBoundToEnrolment)
        #expect(try AccessRule(.always, [.biometryCurrentSet, .or, .devicePasscode]).needsBiometry)
        #expect(try !AccessRule(.always, [.biometryCurrentSet, .or, .devicePasscode]).diesWithEnrolment)
        #expect(try AccessRule(.always, [.biometryCurrentSet, .and, .devicePasscode]).diesWithEnrolment)
        #expect(try AccessRule(.always, .biometryCurrentSet).diesWithEnrolment)
        #expect(try !AccessRule(.always, .biometryAny).diesWithEnrolment)
        #expect(try !AccessRule(.always, .biometryAny).isBoundToEnrolment)
        #expect(try AccessRule(.always, .biometryAny).needsBiometry)
        #expect(try !AccessRule(.always, [.biometryAny, .or, .devicePasscode]).needsBiometry)
        #expect(try !AccessRule(.always, .userPresence).needsBiometry)
        // Nothing but the passcode may stand in for a sensor that knows nobody.
        for sensing: Constraints in [
            [.biometryAny, .devicePasscode], [.biometryAny, .and, .devicePasscode], [.biometryAny, .companion],
            [.biometryAny, .or, .companion], [.biometryAny, .or],
        ] {
            #expect(try AccessRule(.always, sensing).needsBiometry, "\(sensing)")
        }
    }

    @Test("each class is sealed by the key its name promises, and four stay on this device")
    func classes() {
        #expect(Accessibility.allCases.filter { $0.keyClass == .passcode } == [.whenPasscodeSetThisDeviceOnly])
        #expect(Accessibility.allCases.filter { $0.keyClass == .device } == [.always, .alwaysThisDeviceOnly])
        #expect(Accessibility.allCases.filter(\.isThisDeviceOnly).count == 4)
        #expect(Accessibility.allCases.filter { $0.isThisDeviceOnly != $0.code.hasSuffix("u") } == [])
    }
}
