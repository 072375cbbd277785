import Foundation
import Testing
import ThumbAccess
import ThumbKeychain
import ThumbSecrets

@testable import ThumbStorage

/// What the slots of a keybag hold together, and those that a chip opens, without a chip.
@Suite struct KeybagSlotTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func set(_ passcode: String, _ keybag: Keybag) throws -> SecretBytes {
        let stretch = try Stretch(cost: .least)
        let key = try stretch.stretch(secret(passcode))
        try keybag.keep(key: key, PasscodeWay(stretch), from: .own)
        return key
    }

    /// Has logins by finger open it; the half that brings them in.
    private func letLoginsOpen(_ keybag: Keybag) throws -> SecretBytes {
        let (way, half) = try ChipWay.make(guardedBy: .start, chip: ChipByTheDocument())
        try keybag.keepLoginSlot(half: half, way)
        return half
    }

    @Test("a keybag with the first-unlock key in clear beside a passcode slot is refused, and so is one that has it nowhere")
    func contradictions() throws {
        let keybag = try scratch.open().keybag
        let whole = try #require(keybag.file[.device])
        _ = try set("1234", keybag)
        var (clear, nowhere) = (keybag.file, keybag.file)
        clear[.device] = whole
        nowhere[.passcode] = nil
        let other = try Scratch()
        for file in [clear, nowhere] {
            try other.write(plain(file.serialised(key: keybag.deviceKeys.keybagFile)), "keybag")
            #expect(code { _ = try other.open() } == .keybagDamaged)
        }
        // Without the contradiction it is taken; all that is missing then are its items.
        try other.write(plain(keybag.file.serialised(key: keybag.deviceKeys.keybagFile)), "keybag")
        #expect(code { _ = try other.open() } == .databaseMissing)
    }

    @Test("what the recovery code opens counts for more than a login before it: a forgotten passcode is replaced")
    func codeAfterLogin() throws {
        let keybag = try scratch.open().keybag
        _ = try set("1234", keybag)
        let half = try letLoginsOpen(keybag)
        let printed = try keybag.makeRecoveryCode()
        keybag.dropKeys()
        #expect(try keybag.openLoginSlot(half: half) && keybag.wasOpenedAtLogin)
        #expect(try keybag.openRecoverySlot(printed) && !keybag.wasOpenedAtLogin)
        let key = try set("5678", keybag)
        keybag.dropKeys()
        #expect(try keybag.openPasscodeSlot(key: key))
    }

    @Test("a login takes back nothing of what the recovery code opened before it")
    func loginAfterCode() throws {
        let keybag = try scratch.open().keybag
        _ = try set("1234", keybag)
        let half = try letLoginsOpen(keybag)
        let printed = try keybag.makeRecoveryCode()
        keybag.dropKeys()
        #expect(try keybag.openRecoverySlot(printed) && keybag.openLoginSlot(half: half) && !keybag.wasOpenedAtLogin)
        let key = try set("5678", keybag)
        keybag.dropKeys()
        #expect(try keybag.openPasscodeSlot(key: key))
    }

    @Test("erasing the login slot doesn't make what it opened its owner's: no recovery code, and no removal of the passcode")
    func erasedWhileOpen() throws {
        let keybag = try scratch.open().keybag
        _ = try set("1234", keybag)
        let half = try letLoginsOpen(keybag)
        keybag.dropKeys()
        #expect(try keybag.openLoginSlot(half: half))
        try keybag.removeLoginSlot()
        #expect(keybag.loginWay == nil && keybag.wasOpenedAtLogin)
        #expect(code { _ = try keybag.makeRecoveryCode() } == .keyNotAtHand)
        #expect(code { try keybag.removePasscode() } == .keyNotAtHand)
        #expect(keybag.isPasscodeSet)
    }

    @Test("a passcode that was given after a login and removed is set anew: the login counts no more")
    func removedAfterLogin() throws {
        let keybag = try scratch.open().keybag
        let key = try set("1234", keybag)
        let half = try letLoginsOpen(keybag)
        keybag.dropKeys()
        #expect(try keybag.openLoginSlot(half: half) && keybag.openPasscodeSlot(key: key))
        try keybag.removePasscode()
        #expect(!keybag.wasOpenedAtLogin)
        _ = try set("5678", keybag)
        #expect(keybag.wasPasscodeGiven)
    }

    @Test("each slot has a half of its own in the chip: whoever knows one opens no other slot")
    func ownHalves() throws {
        let chip = ChipByTheDocument()
        let halves = try (0..<2).map { _ in try plain(ChipWay.make(guardedBy: .file, chip: chip).half) }
        // A passcode slot's key begins with the chip's half.
        let keys = try (0..<2).map { _ in
            try plain(PasscodeWay.make(for: secret("tulips"), cost: .least, chip: chip).key)
        }
        #expect(Set(halves + keys.map { Array($0.prefix(32)) }).count == 4)
    }

    /// A keybag in a chip that another program calculated as docs/STORE.md says, with a passcode and a login slot. The keys of its three
    /// classes are ones, twos and threes. The chip's halves are 32 bytes of d1, d2 and d3.
    private static let calculated = """
        VEhVTUJLRVkAAQIQERITFBUWFxgZGhscHR4fAAAAAAAAAAUAAAABAAMBAQAAAGFgYWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1+fwABATAx
        MjM0NTY3ODk6O1ItBiOaM6WidetUHlp1dKCqbqwR4fnPgjI2+jlvG0Do33vqoiOKZlqIaUQGHBYbmJGLAgMAAACgAAAACAAAAAEAAAABECAhIiMk
        JSYnKCkqKywtLi8AAQJAQUJDREVGR0hJSkt3XAWipkO6GkDZnq65ZpqPTNM4J1T73OVE+qFyaXu/uhDYDl7wlT/UOMlbsnMRCrkpZJj2ULJ5vZsS
        dmMhobgh8R0TkWbNKnIxGku3O1D0yJhTzSTp3inU6NupaP1ZaOVxdO/ewaM53DAjQHgSgn7aErjsIAUFAAAAgoCBgoOEhYaHiImKi4yNjo+QkZKT
        lJWWl5iZmpucnZ6fAAEDUFFSU1RVVldYWVpbllixpmHvL/0tLDHI9cZFgy6AsM79kd9WEddewyBA+eyBgdke6Q3BamlVDLl4wCUpIZE7xDJt+vs3
        yeU2EuNWeshPEoAmGawioUAgyC4LAu7xM1hSNTVVkY1lbK21ytEMPbAPzmeMBfoEoPeupfYkotbUlQ==
        """

    @Test("a keybag in a chip that was made by the document opens by its passcode and at a login, and finds its counter")
    func byTheDocument() throws {
        let bytes = try #require(Data(base64Encoded: Self.calculated, options: .ignoreUnknownCharacters))
        try scratch.write(Array(bytes), "keybag")
        let chip = ChipByTheDocument()
        let keybag = try Keybag.open(in: StateFolder(path: scratch.path), chip: chip)
        func keys() -> [[UInt8]?] { KeyClass.allCases.map { keybag.key($0).map(plain) } }
        let all: [[UInt8]?] = [1, 2, 3].map { [UInt8](repeating: $0, count: 32) }
        #expect(keys() == [all[0], nil, nil])
        let key = try #require(try keybag.passcodeWay?.key(of: secret("tulips"), chip: chip))
        #expect(try keybag.openPasscodeSlot(key: key))
        #expect(keys() == all)
        keybag.dropKeys()
        let half = try #require(try keybag.loginWay?.half(chip: chip))
        #expect(try keybag.openLoginSlot(half: half))
        #expect(keys() == [all[0], all[1], nil])
        #expect(try keybag.anchor()?.count() == ChipByTheDocument.counted)
    }
}

/// The chip of the keybag that another program calculated. It opens what is in that keybag, and nothing that is sealed here.
private final class ChipByTheDocument: SlotCustodian {
    static let counted: UInt64 = 9
    /// The first half of the passcode's 64 bytes of Argon2id.
    private static let guess: [UInt8] = [
        0xb3, 0xb2, 0xeb, 0xbc, 0x9a, 0x6d, 0xa6, 0x86, 0xa2, 0x92, 0xc3, 0x1d, 0xa8, 0xdc, 0xc7, 0x5c,
        0xf6, 0x5e, 0xd9, 0xba, 0x74, 0xad, 0x1c, 0xa0, 0xe0, 0x5d, 0x22, 0xed, 0xbc, 0x18, 0x74, 0xf9,
    ]
    /// HKDF-Expand of the device key, with the anchor's name.
    private static let anchor: [UInt8] = [
        0xcf, 0x5c, 0x08, 0x35, 0xfd, 0x5a, 0x8e, 0xae, 0xf6, 0x88, 0x03, 0xce, 0x65, 0x61, 0x8f, 0x43,
        0xc9, 0x78, 0x8e, 0x54, 0xc6, 0xe3, 0x04, 0xd6, 0xe5, 0x2c, 0x7f, 0xbd, 0xa8, 0x55, 0xec, 0x22,
    ]

    func seal(
        _ secret: SecretBytes, under authorization: SecretBytes, guardedBy guarding: SealGuard
    ) throws(KeychainFailure) -> [UInt8] { [0] }

    func unseal(
        _ seal: [UInt8], under authorization: SecretBytes, guardedBy guarding: SealGuard
    ) throws(KeychainFailure) -> SecretBytes? {
        let told = plain(authorization)
        let isRight =
            switch seal {
            case [1]: guarding == .file && told == [UInt8](0x60..<0x80)
            case [2]: guarding == .guesses && told == Self.guess
            case [3]: guarding == .start && told == [UInt8](0x80..<0xa0)
            default: false
            }
        guard isRight else { return nil }
        return try? SecretBytes(copying: [UInt8](repeating: 0xd0 + seal[0], count: 32))
    }

    func count(_ name: [UInt8], under authorization: SecretBytes) throws(KeychainFailure) -> UInt64? {
        name == [UInt8](0x10..<0x20) && plain(authorization) == Self.anchor ? Self.counted : nil
    }

    func countUp(_ name: [UInt8], under authorization: SecretBytes) throws(KeychainFailure) -> UInt64 { throw .internalFailure }
}
