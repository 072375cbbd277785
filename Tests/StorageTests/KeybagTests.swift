import Foundation
import Testing
import ThumbAccess
import ThumbSecrets

@testable import ThumbStorage

@Suite struct KeybagTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func key(_ passcode: String, _ stretch: Stretch?) throws -> SecretBytes {
        try #require(stretch).stretch(secret(passcode))
    }

    private func set(_ passcode: String, _ keybag: Keybag) throws {
        let stretch = try Stretch(cost: .least)
        try keybag.setPasscode(key: stretch.stretch(secret(passcode)), PasscodeWay(stretch))
    }

    @Test("a new keybag has two keys at hand, the same ones after a restart")
    func fresh() throws {
        let (id, device, first) = try {
            let keybag = try scratch.open().keybag
            #expect(!keybag.isPasscodeSet && !keybag.wasPasscodeGiven && keybag.passcodeWay == nil)
            #expect(keybag.key(.passcode) == nil)
            return (keybag.id, keybag.key(.device), keybag.key(.firstUnlock))
        }()
        let again = try scratch.open().keybag
        #expect(again.id == id && again.key(.device) == device && again.key(.firstUnlock) == first)
        again.dropKeys()
        #expect(again.key(.firstUnlock) != nil)
        #expect(device != first && device?.count == 32)
    }

    @Test("with a passcode set, a restart leaves only the device key; the right passcode brings the others, a wrong one nothing")
    func passcode() throws {
        let (first, passcode) = try {
            let keybag = try scratch.open().keybag
            try set("correct horse", keybag)
            #expect(keybag.isPasscodeSet && keybag.wasPasscodeGiven)
            return (keybag.key(.firstUnlock), keybag.key(.passcode))
        }()
        let keybag = try scratch.open().keybag
        #expect(keybag.isPasscodeSet && !keybag.wasPasscodeGiven)
        #expect(keybag.key(.device) != nil && keybag.key(.firstUnlock) == nil && keybag.key(.passcode) == nil)
        let stretch = try #require(keybag.passcodeWay?.stretch)
        #expect(stretch.cost == .least)
        #expect(try !keybag.openPasscodeSlot(key: key("wrong", stretch)))
        #expect(keybag.key(.firstUnlock) == nil)
        #expect(try keybag.openPasscodeSlot(key: key("correct horse", stretch)))
        #expect(keybag.wasPasscodeGiven && keybag.key(.firstUnlock) == first && keybag.key(.passcode) == passcode)
        keybag.dropKeys()
        #expect(keybag.key(.firstUnlock) == nil && keybag.key(.passcode) == nil && !keybag.wasPasscodeGiven)
    }

    @Test("changing the passcode keeps the keys and needs the old one")
    func change() throws {
        do {
            let keybag = try scratch.open().keybag
            try set("first", keybag)
            let keys = KeyClass.allCases.map { keybag.key($0) }
            let stretch = try Stretch(cost: .least)
            keybag.dropKeys()
            #expect(code { try keybag.changePasscode(key: key("second", stretch), PasscodeWay(stretch)) } == .keyNotAtHand)
            #expect(try keybag.openPasscodeSlot(key: key("first", keybag.passcodeWay?.stretch)))
            try keybag.changePasscode(key: key("second", stretch), PasscodeWay(stretch))
            #expect(KeyClass.allCases.map { keybag.key($0) } == keys)
        }
        let keybag = try scratch.open().keybag
        #expect(try !keybag.openPasscodeSlot(key: key("first", keybag.passcodeWay?.stretch)))
        #expect(try keybag.openPasscodeSlot(key: key("second", keybag.passcodeWay?.stretch)))
    }

    @Test("removing the passcode erases the passcode key; a new passcode gets a new one")
    func remove() throws {
        let store = try scratch.open()
        try set("first", store.keybag)
        let erased = store.keybag.key(.passcode)
        let gone = try item("gone", rule: AccessRule(.whenPasscodeSetThisDeviceOnly))
        try store.items.insert(gone, secret: secret("s"))
        try store.items.insert(item("stays"), secret: secret("t"))
        #expect(try store.accounts == ["gone", "stays"])
        let first = store.keybag.key(.firstUnlock)
        try store.keybag.removePasscode()
        #expect(store.keybag.key(.passcode) == nil && store.keybag.key(.firstUnlock) == first && !store.keybag.isPasscodeSet)
        #expect(throws: KeychainFailure.itemNotFound) { try store.items.secret(of: gone) }
        try set("second", store.keybag)
        #expect(store.keybag.key(.passcode) != erased)
        #expect(throws: KeychainFailure.itemNotFound) { try store.items.secret(of: gone) }
        #expect(try store.accounts == ["stays"])
        // Its names are free again, and nothing is called damaged.
        try store.items.insert(item("gone"), secret: nil)
        #expect(store.items.quarantined == 0)
        #expect(try store.items.verify().isSound)
    }

    @Test("removing the passcode through the store clears away what became unreadable")
    func removeClears() throws {
        do {
            let store = try scratch.open()
            try set("1234", store.keybag)
            try store.items.insert(item("gone", rule: AccessRule(.whenPasscodeSetThisDeviceOnly)), secret: secret("s"))
            try store.removePasscode()
        }
        #expect(try scratch.sql("SELECT count(*) FROM records") == ["0"])
        #expect(try scratch.open().keybag.key(.firstUnlock) != nil)
    }

    @Test("the recovery code opens all but the passcode class, outlives a change of passcode, and the newest alone counts")
    func recovery() throws {
        let (old, printed, first) = try {
            let keybag = try scratch.open().keybag
            #expect(!keybag.hasRecoverySlot)
            try set("1234", keybag)
            let codes = (try keybag.makeRecoveryCode(), try keybag.makeRecoveryCode())
            let stretch = try Stretch(cost: .least)
            try keybag.changePasscode(key: key("5678", stretch), PasscodeWay(stretch))
            return (codes.0, codes.1, keybag.key(.firstUnlock))
        }()
        let keybag = try scratch.open().keybag
        #expect(keybag.hasRecoverySlot)
        #expect(try !keybag.openRecoverySlot(old))
        #expect(keybag.key(.firstUnlock) == nil)
        #expect(try keybag.openRecoverySlot(printed))
        #expect(keybag.key(.firstUnlock) == first && keybag.key(.passcode) == nil && !keybag.wasPasscodeGiven)
        let stretch = try Stretch(cost: .least)
        #expect(code { try keybag.changePasscode(key: key("new!", stretch), PasscodeWay(stretch)) } == .keyNotAtHand)
        try keybag.replaceForgottenPasscode(key: key("new!", stretch), PasscodeWay(stretch))
        keybag.dropKeys()
        #expect(try !keybag.openPasscodeSlot(key: key("5678", stretch)))
        #expect(try keybag.openPasscodeSlot(key: key("new!", stretch)))
        #expect(keybag.key(.firstUnlock) == first)
    }

    @Test("a passcode is kept as what was given before allows: the first one, another one, or one after the recovery code")
    func kept() throws {
        let stretch = try Stretch(cost: .least)
        let way = PasscodeWay(stretch)
        let keybag = try scratch.open().keybag
        try keybag.keep(key: key("1234", stretch), way, from: .own)
        let (serial, passcode) = (keybag.passcodeSerial, keybag.key(.passcode))
        try keybag.keep(key: key("5678", stretch), way, from: .own)
        #expect(keybag.passcodeSerial == serial && keybag.key(.passcode) == passcode)

        // Neither the passcode nor the code was given: nothing changes.
        let printed = try keybag.makeRecoveryCode()
        keybag.dropKeys()
        #expect(code { try keybag.keep(key: key("9999", stretch), way, from: .own) } == .keyNotAtHand)
        #expect(try !keybag.openRecoverySlot(RecoveryCode.printed(RecoveryCode.random())))
        #expect(code { try keybag.keep(key: key("9999", stretch), way, from: .own) } == .keyNotAtHand)
        #expect(try keybag.openPasscodeSlot(key: key("5678", stretch)))

        // After the code the forgotten one's key is lost, and the next change is one like any other again.
        keybag.dropKeys()
        #expect(try keybag.openRecoverySlot(printed))
        try keybag.keep(key: key("new!", stretch), way, from: .own)
        #expect(keybag.passcodeSerial != serial && keybag.key(.passcode) != passcode)
        let replaced = keybag.passcodeSerial
        try keybag.keep(key: key("1234", stretch), way, from: .own)
        #expect(keybag.passcodeSerial == replaced)
    }

    @Test("a passcode that was given after the recovery code after all is changed, and its items stay")
    func givenAfterAll() throws {
        let stretch = try Stretch(cost: .least)
        let way = PasscodeWay(stretch)
        let keybag = try scratch.open().keybag
        try keybag.keep(key: key("1234", stretch), way, from: .own)
        let (serial, printed) = (keybag.passcodeSerial, try keybag.makeRecoveryCode())
        keybag.dropKeys()
        #expect(try keybag.openRecoverySlot(printed))
        #expect(try keybag.openPasscodeSlot(key: key("1234", stretch)))
        try keybag.keep(key: key("5678", stretch), way, from: .own)
        #expect(keybag.passcodeSerial == serial)
    }

    @Test("an app's word for who is enrolled is its own, and another store has another")
    func blinding() throws {
        let digest: [UInt8] = [1, 2, 3]
        let blinding = try DomainBlinding(scratch.open().keybag)
        let one = blinding.blinded(digest, for: "one")
        #expect(one.count == 32)
        #expect(try one == DomainBlinding(scratch.open().keybag).blinded(digest, for: "one"))
        #expect(one != blinding.blinded(digest, for: "two") && one != blinding.blinded([1, 2, 4], for: "one"))
        let other = try Scratch()
        #expect(try one != DomainBlinding(other.open().keybag).blinded(digest, for: "one"))
    }

    @Test("calls that don't fit the state are refused")
    func states() throws {
        let keybag = try scratch.open().keybag
        let stretch = try Stretch(cost: .least)
        let some = try key("1234", stretch)
        #expect(code { _ = try keybag.openPasscodeSlot(key: some) } == .wrongState)
        #expect(code { try keybag.changePasscode(key: some, PasscodeWay(stretch)) } == .wrongState)
        #expect(code { try keybag.replaceForgottenPasscode(key: some, PasscodeWay(stretch)) } == .wrongState)
        #expect(code { try keybag.removePasscode() } == .wrongState)
        #expect(code { _ = try keybag.openRecoverySlot(secret("x")) } == .wrongState)
        try set("1234", keybag)
        #expect(code { try keybag.setPasscode(key: some, PasscodeWay(stretch)) } == .wrongState)
        #expect(code { try keybag.replaceForgottenPasscode(key: some, PasscodeWay(stretch)) } == .wrongState)
        keybag.dropKeys()
        #expect(code { try keybag.removePasscode() } == .keyNotAtHand)
        #expect(code { _ = try keybag.makeRecoveryCode() } == .keyNotAtHand)
    }

    @Test("a passcode has 4 to 256 bytes")
    func passcodeLength() throws {
        let stretch = try Stretch(cost: .least)
        for count in [0, 3, 257] {
            #expect(code { _ = try stretch.stretch(SecretBytes(copying: [UInt8](repeating: 65, count: count))) } == .limit)
        }
        for count in [4, 256] {
            #expect(try stretch.stretch(SecretBytes(copying: [UInt8](repeating: 65, count: count))).count == 32)
        }
    }

    @Test("a keybag with any byte changed, cut short or lengthened is refused and left as it is")
    func tampered() throws {
        try set("1234", scratch.open().keybag)
        let whole = try scratch.bytes("keybag")
        var refused = 0
        for position in whole.indices {
            var bytes = whole
            bytes[position] ^= 0x10
            try scratch.write(bytes, "keybag")
            let found = code { _ = try scratch.open() }
            if [.keybagDamaged, .newer, .custodianAbsent].contains(found) { refused += 1 }
            #expect(try scratch.bytes("keybag") == bytes)
        }
        #expect(refused == whole.count)
        for cut in 0..<whole.count {
            try scratch.write(Array(whole[..<cut]), "keybag")
            #expect(code { _ = try scratch.open() } == .keybagDamaged)
        }
        try scratch.write(whole + [0], "keybag")
        #expect(code { _ = try scratch.open() } == .keybagDamaged)
        try scratch.write([UInt8](repeating: 0, count: 70_000), "keybag")
        #expect(code { _ = try scratch.open() } == .keybagDamaged)
        try scratch.write(whole, "keybag")
        _ = try scratch.open()
    }

    @Test("a keybag of a later format says so, and one with its slot in a TPM where there is none")
    func newer() throws {
        let device = try scratch.open().keybag
        var file = device.file
        // A seal is longer than this, but nobody is there to look.
        file[.device] = .init(purpose: .device, kind: .tpm, body: try secret("handle"))
        let bytes = try file.serialised(key: device.deviceKeys.keybagFile)
        let other = try Scratch()
        try other.write(plain(bytes), "keybag")
        #expect(code { _ = try other.open() } == .custodianAbsent)
        var later = try scratch.bytes("keybag")
        later[9] = 2
        try other.write(later, "keybag")
        #expect(code { _ = try other.open() } == .newer)
    }

    @Test("a draft left by a crash, which may hold keys in clear, is gone after the next start")
    func leftover() throws {
        try set("1234", scratch.open().keybag)
        try scratch.write([1, 2, 3], "keybag.new")
        _ = try scratch.open()
        #expect(!scratch.has("keybag.new"))
    }

    @Test("the keybag that was replaced is overwritten")
    func overwritten() throws {
        let store = try scratch.open()
        // A second name would keep the old contents readable; holding it open doesn't.
        let old = try FileHandle(forReadingFrom: scratch.url("keybag"))
        try set("1234", store.keybag)
        let left = try #require(try old.readToEnd())
        #expect(left.count > 100 && left.allSatisfy { $0 == 0 })
    }

    @Test("a keybag that was replaced isn't overwritten where it has another name, as in a snapshot")
    func otherName() throws {
        let store = try scratch.open()
        let before = try scratch.bytes("keybag")
        try FileManager.default.linkItem(atPath: scratch.path + "/keybag", toPath: scratch.path + "/snapshot")
        try set("1234", store.keybag)
        #expect(try scratch.bytes("snapshot") == before)
        #expect(try scratch.bytes("keybag") != before)
    }

    /// A keybag that another program calculated as docs/STORE.md says. The keys of its three classes are ones, twos and threes.
    private static let calculated = """
        VEhVTUJLRVkAAQIQERITFBUWFxgZGhscHR4fAAAAAAAAAAUAAAABAAMBAAAAACIBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAgIA
        AACdAAAACAAAAAEAAAABECAhIiMkJSYnKCkqKywtLi8wMTIzNDU2Nzg5Oju9uJht/v1pNy8hmJk4bS2T+0GqI1ma7PiQjqN4UWHXI9fICo9qKHcS
        WYLTWPtUbCBLETrKTGSBFxqReTF8WZuQcAe3RdP8BVX4eRKafc1LuzTJvjcwPbe6zgwKZI6ap1oL6j8egwtLJbafyGzBQj+J9PtyuAMEAAAAb0BB
        QkNERUZHSElKS0xNTk9QUVJTVFVWV1hZWlv33gpgveO7jItdBbbvcszN49hjadP/rJek9AeoiTxJHiOM1puORRctwaCXfovcHLQMvTcPoaPLQcYJ
        jA86CUHL0W9vGQb/0aUEKEH9nBg6NOVJUXXbAoZzINJvizeJK5+JCoGczO5h/MZSr9QBeB/RiRWX
        """

    @Test("a keybag that was made by the document, and by nothing of ours, opens with its passcode and with its recovery code")
    func byTheDocument() throws {
        let bytes = try #require(Data(base64Encoded: Self.calculated, options: .ignoreUnknownCharacters))
        try scratch.write(Array(bytes), "keybag")
        let keybag = try Keybag.open(in: StateFolder(path: scratch.path))
        func keys() -> [[UInt8]?] { KeyClass.allCases.map { keybag.key($0).map(plain) } }
        let all: [[UInt8]?] = [1, 2, 3].map { [UInt8](repeating: $0, count: 32) }
        #expect(keys() == [all[0], nil, nil])
        #expect(try keybag.openPasscodeSlot(key: key("tulips", keybag.passcodeWay?.stretch)))
        #expect(keys() == all)
        keybag.dropKeys()
        #expect(try keybag.openRecoverySlot(secret("3AHR-Z6DM-V29G-QY5C-KT18-FPX4-BJS0")))
        #expect(keys() == [all[0], all[1], nil])
    }

    @Test("what apps' passwords are salted with, and what an app sees of who is enrolled, is what the document says")
    func derivedForApps() throws {
        let bytes = try #require(Data(base64Encoded: Self.calculated, options: .ignoreUnknownCharacters))
        try scratch.write(Array(bytes), "keybag")
        let keybag = try Keybag.open(in: StateFolder(path: scratch.path))
        // Another program made them: HKDF-Expand of the device key, and HMAC over digest, 0 and app under HKDF of the same.
        let salt: [UInt8] = [0x70, 0xc6, 0x3f, 0x4a, 0x12, 0xf1, 0x3e, 0x91, 0x6f, 0x52, 0x02, 0x9b, 0xd5, 0x3c, 0x13, 0x18]
        let seen: [UInt8] = [
            0x4d, 0x4d, 0xc6, 0xfb, 0x6a, 0x8c, 0x6a, 0x03, 0x71, 0x05, 0x02, 0x4e, 0x8b, 0x82, 0xa4, 0xdc,
            0xca, 0xb8, 0xcc, 0x23, 0xb8, 0x21, 0xb4, 0x08, 0xd7, 0xb2, 0xb0, 0x21, 0xeb, 0xcf, 0x01, 0x4a,
        ]
        #expect(try Stretch(forPasswordsUnder: keybag, cost: .least).salt == salt)
        #expect(try DomainBlinding(keybag).blinded([1, 2, 3], for: "one") == seen)
    }

    @Test("a rewriting that fails changes neither file nor memory")
    func failedRewrite() throws {
        let store = try scratch.open()
        let before = try scratch.bytes("keybag")
        // A folder stands where the draft would.
        try FileManager.default.createDirectory(atPath: scratch.path + "/keybag.new", withIntermediateDirectories: false)
        #expect(throws: StorageError.self) { try set("1234", store.keybag) }
        #expect(!store.keybag.isPasscodeSet && store.keybag.key(.firstUnlock) != nil && store.keybag.key(.passcode) == nil)
        #expect(try scratch.bytes("keybag") == before)
        try scratch.remove("keybag.new")
        try set("1234", store.keybag)
    }
}
