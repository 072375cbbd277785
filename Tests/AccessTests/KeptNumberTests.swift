import Testing
import ThumbAccess

/// Stores that were written long ago have these numbers in them, and older libraries send them. docs/STORE.md and docs/PROTOCOL.md
/// say what the numbers mean.
@Suite("Numbers that are on disk and on the wire") struct KeptNumberTests {
    @Test("an allowance keeps its number: another one would allow what the owner never did")
    func allowances() {
        #expect(Allowance.softwareKeys.rawValue == 1 && Allowance.weakEnrolment.rawValue == 2)
        #expect(Allowance.openByFinger.rawValue == 3 && Allowance.allCases.count == 3)
    }

    @Test("a side of a pairing keeps its number: the other one would let a machine say yes that only asks")
    func sides() {
        #expect(PairingSide.asks.rawValue == 1 && PairingSide.answers.rawValue == 2 && PairingSide.allCases.count == 2)
    }

    @Test("an item's class keeps its number: under another one, what was to stay on this device would leave it")
    func classes() {
        let numbers: [(Accessibility, UInt8)] = [
            (.whenUnlocked, 1), (.afterFirstUnlock, 2), (.always, 3), (.whenUnlockedThisDeviceOnly, 4),
            (.afterFirstUnlockThisDeviceOnly, 5), (.alwaysThisDeviceOnly, 6), (.whenPasscodeSetThisDeviceOnly, 7),
        ]
        for (accessibility, number) in numbers { #expect(accessibility.rawValue == number, "\(accessibility)") }
        #expect(numbers.count == Accessibility.allCases.count)
    }

    @Test("an event and a ring of the audit keep their numbers, or old records would tell another story")
    func audit() {
        let events: [(AuditEvent, UInt8)] = [
            (.released, 1), (.added, 2), (.changed, 3), (.removed, 4), (.evaluated, 5), (.died, 6), (.passcodeSet, 7),
            (.passcodeRemoved, 8), (.recoveryCodeMade, 9), (.recovered, 10), (.appJudged, 11), (.exported, 12), (.imported, 13),
            (.keyUsed, 14), (.allowanceChanged, 15), (.statementSigned, 16), (.auditRead, 17), (.fingerEnrolled, 20),
            (.fingerForgotten, 21), (.companionPaired, 24), (.companionRemoved, 25), (.companionAnswered, 26),
        ]
        for (event, number) in events { #expect(event.rawValue == number, "\(event)") }
        #expect(events.count == AuditEvent.allCases.count)
        let rings: [(AuditRing, UInt8)] = [(.earlier, 0), (.protection, 1), (.notice, 2), (.everyday, 3)]
        for (ring, number) in rings { #expect(ring.rawValue == number, "\(ring)") }
        #expect(rings.count == AuditRing.allCases.count)
    }

    @Test("a failure keeps its number: old records of the audit have it, and apps that were built before hear it")
    func failures() {
        let keychain: [KeychainFailure] = [
            .duplicateItem, .itemNotFound, .parameter, .noSuchAttribute, .noSuchClass, .authenticationFailed,
            .interactionNotAllowed, .userCanceled, .missingEntitlement, .unsupported, .storeUnavailable, .readOnly, .dataTooLarge,
            .damaged, .deviceUnreachable, .internalFailure, .outOfMemory, .custodianAbsent, .custodianLost, .custodianLocked,
            .custodianForeign, .agreementFailed, .quotaReached,
        ]
        expect(keychain, from: 1)
        #expect(keychain.count == KeychainFailure.allCases.count)
        let asking: [EvaluationFailure] = [
            .authenticationFailed, .userCancel, .userFallback, .systemCancel, .passcodeNotSet, .biometryNotAvailable,
            .biometryNotEnrolled, .biometryLockout, .appCancel, .invalidContext, .companionNotAvailable, .notInteractive,
            .invalidParameter, .deviceFailure,
        ]
        expect(asking, from: 1)
        #expect(EvaluationFailure.biometryDisconnected.rawValue == 18)
        #expect(asking.count + 1 == EvaluationFailure.allCases.count)
    }

    @Test("each other choice keeps its number too: who holds a key, how surely a caller is known, what the owner said")
    func choices() {
        expect([Custodian.software, .tpm], from: 1)
        expect([CallerClass.consented, .sandboxed, .protected], from: 0)
        expect([AppVerdict.allowed, .denied, .noted], from: 1)
        expect([PasscodeSource.own, .account], from: 1)
        expect([KeyClass.device, .firstUnlock, .passcode], from: 1)
        expect([SealGuard.file, .guesses, .start], from: 0)
        expect([Factor.biometry, .passcode, .companion], from: 1)
        expect([DeviceMode.user, .system, .simulated], from: 1)
        expect([ItemClass.genericPassword, .internetPassword, .certificate, .key, .identity], from: 1)
        expect([HashFunction.sha1, .sha224, .sha256, .sha384, .sha512], from: 1)
        expect([ProgramPlace.system, .changeable, .gone, .elsewhere, .unseen], from: 1)
        expect([Readability.free, .asks, .refused, .missing], from: 0)
        expect([AccountVerdict.right, .wrong, .expired, .locked, .unavailable], from: 1)
        expect([Policy.biometrics, .deviceOwner, .companion, .biometricsOrCompanion, .wristDetection], from: 1)
        expect([BiometryKind.none, .touchID, .faceID], from: 0)
        expect([BiometryLevel.convenience, .strong], from: 1)
        expect(
            [
                StatementPurpose.signIn, .register, .changePassword, .removePassword, .endSessions, .revokeDevice, .deleteAccount,
            ], from: 1)
        expect([Finger.leftThumb, .leftIndex, .leftMiddle, .leftRing, .leftLittle], from: 1)
        expect([Finger.rightThumb, .rightIndex, .rightMiddle, .rightRing, .rightLittle], from: 6)
    }

    @Test("an attribute keeps its four letters, under which stores and backups have it")
    func attributes() {
        let names: [(AttributeName, String)] = [
            (.account, "acct"), (.service, "svce"), (.label, "labl"), (.description, "desc"), (.comment, "icmt"),
            (.creator, "crtr"), (.type, "type"), (.invisible, "invi"), (.negative, "nega"), (.generic, "gena"),
            (.group, "agrp"), (.accessible, "pdmn"), (.accessControl, "accc"), (.synchronizable, "sync"), (.created, "cdat"),
            (.modified, "mdat"), (.viewHint, "vwht"), (.token, "tkid"), (.securityDomain, "sdmn"), (.server, "srvr"),
            (.networkProtocol, "ptcl"), (.authenticationType, "atyp"), (.port, "port"), (.path, "path"),
            (.certificateType, "ctyp"), (.certificateEncoding, "cenc"), (.subject, "subj"), (.issuer, "issr"),
            (.serialNumber, "slnr"), (.subjectKeyID, "skid"), (.publicKeyHash, "pkhh"), (.keyClass, "kcls"),
            (.applicationLabel, "klbl"), (.applicationTag, "atag"), (.alias, "alis"), (.keySize, "bsiz"),
            (.effectiveKeySize, "esiz"), (.validFrom, "sdat"), (.validTo, "edat"), (.publicKey, "pubk"), (.custodian, "cust"),
        ]
        for (name, letters) in names { #expect(name.letters == letters) }
        #expect(KeyKind.ellipticType == 73 && KeyKind.rsaType == 42)
        #expect(KeyUsage.enclaveToken == "com.apple.setoken" && "\(KeptItem.servicePrefix)" == "item in ")
    }

    private func expect<Choice: RawRepresentable>(_ choices: [Choice], from first: UInt8) where Choice.RawValue == UInt8 {
        let numbers = choices.map(\.rawValue)
        #expect(numbers == (0..<choices.count).map { first + UInt8($0) }, "\(Choice.self)")
    }
}
