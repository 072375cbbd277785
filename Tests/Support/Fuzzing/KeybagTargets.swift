import ThumbAccess
import ThumbCrypto
import ThumbKeychain
import ThumbSecrets

@testable import ThumbStorage

/// The keybag: its file, and what is in its slots.
enum KeybagTarget {
    private static let slots = "Sources/Parts/Storage/Keybag/KeybagSlots.swift"

    static let target = FuzzTarget(
        "keybag", longest: 1024,
        sources: [
            "Sources/Parts/Storage/Keybag/KeybagFile.swift", slots + "#DeviceSlot", slots + "#DeviceSeal",
            slots + "#PasscodeSlot", slots + "#RecoverySlot", slots + "#LoginSlot", slots + "#Sized",
            "Sources/Parts/Storage/Keybag/ChipWay.swift", slots + "#opened",
            "Sources/Parts/Storage/Keybag/KeybagSource.swift#SourceSection", "Sources/Parts/Storage/SecretReader.swift",
        ],
        seeds: { try seeds() }, parse: { try read($0) })

    private static let id = [UInt8](1...16)

    private static func read(_ input: [UInt8]) throws -> [UInt8]? {
        let file = secret(input)
        let keybag = try accepted {
            try KeybagFile.parse(file)
        } or: {
            isRefusal($0)
        }
        guard let keybag else { return nil }
        try writeAgain(keybag, input)
        for section in keybag.sections { try open(section, of: keybag) }
        return keybag.sections.isEmpty ? nil : keybag.id
    }

    private static func isRefusal(_ error: any Error) -> Bool {
        if error is Malformed { return true }
        guard let error = error as? StorageError else { return false }
        return error.code == .keybagDamaged || error.code == .newer
    }

    /// Everything but the code at the end must be written as it was read, under whichever key.
    private static func writeAgain(_ keybag: KeybagFile, _ input: [UInt8]) throws {
        let key = secret([UInt8](repeating: 1, count: 32))
        let again = try keybag.serialised(key: key)
        try must(
            again.count == input.count && again.plain.dropLast(HMAC256.byteCount) == input.dropLast(HMAC256.byteCount),
            "a keybag isn't written as it was read")
        try must(try KeybagFile.isAuthentic(again, key: key), "a keybag isn't authentic under the key it was written with")
        let other = secret([UInt8](repeating: 2, count: 32))
        try must(try !KeybagFile.isAuthentic(again, key: other), "a keybag is authentic under another key")
    }

    private static func open(_ section: KeybagFile.Section, of keybag: KeybagFile) throws {
        let key = secret([UInt8](repeating: 3, count: 32))
        var opened: KeySet?
        _ = try accepted {
            switch section.purpose {
            case .device: opened = try DeviceSlot.open(section, keybag: keybag.id, chip: PlainChip()).keys
            case .passcode: opened = try PasscodeSlot(section).open(key: key, keybag: keybag.id)
            case .recovery: opened = try RecoverySlot(section).open(code: key, keybag: keybag.id)
            case .login:
                let slot = try LoginSlot(section)
                opened = try slot.way.half(chip: PlainChip()).flatMap { try slot.open(half: $0, keybag: keybag.id) }
            case .source: _ = try SourceSection.read(keybag)
            }
        } or: {
            isRefusal($0)
        }
        guard let opened else { return }
        let once = try opened.serialised().plain
        let again = try KeySet.parse(secret(once)).serialised().plain
        try must(again == once, "a set of keys isn't read as it is written")
        try must(opened.keys.count <= KeyClass.allCases.count, "a set of keys has a class twice")
    }

    private static func seeds() throws -> [[UInt8]] {
        let keys = try KeySet(keys: [
            .device: ClassKey(secret([UInt8](repeating: 8, count: 32))),
            .firstUnlock: ClassKey(secret([UInt8](repeating: 9, count: 32))),
        ])
        let key = secret([UInt8](repeating: 3, count: 32))
        let stretch = Stretch(cost: .standard, salt: [UInt8](repeating: 5, count: 16))
        let file = try DeviceSlot.make(keys, .file, keybag: id)
        let chip = try DeviceSlot.make(keys, .chip(DeviceSeal(PlainChip())), keybag: id)
        let passcode = try PasscodeSlot.make(keys, key: key, PasscodeWay(stretch), keybag: id)
        let guarded = try PasscodeSlot.make(keys, key: key, PasscodeWay(stretch, seal: [1, 2, 3]), keybag: id)
        let recovery = try RecoverySlot.make(keys, code: key, keybag: id)
        let account = try SourceSection.make(.account).map { [$0] } ?? []
        let (way, half) = try ChipWay.make(guardedBy: .start, chip: PlainChip())
        let login = try LoginSlot.make(keys, half: half, way, keybag: id)
        let all = [
            [], [file], [chip], [file, passcode], [chip, guarded] + account, [file, passcode, recovery] + account,
            [chip, guarded, login],
        ]
        return try all.map { sections in
            try KeybagFile(state: .standing, id: id, revision: 3, serial: 1, sections: sections).serialised(key: key).plain
        }
    }
}

/// A chip whose seals are what was sealed.
private final class PlainChip: SlotCustodian {
    func seal(
        _ secret: SecretBytes, under authorization: SecretBytes, guardedBy guarding: SealGuard
    ) throws(KeychainFailure) -> [UInt8] { secret.plain }

    func unseal(
        _ seal: [UInt8], under authorization: SecretBytes, guardedBy guarding: SealGuard
    ) throws(KeychainFailure) -> SecretBytes? { seal.count == 32 ? secret(seal) : nil }

    func count(_ name: [UInt8], under authorization: SecretBytes) throws(KeychainFailure) -> UInt64? { nil }
    func countUp(_ name: [UInt8], under authorization: SecretBytes) throws(KeychainFailure) -> UInt64 { 1 }
}

/// The recovery code, as somebody types it.
enum RecoveryCodeTarget {
    static let target = FuzzTarget(
        "recovery-code", longest: 160, sources: ["Sources/Parts/Storage/Keybag/RecoveryCode.swift"],
        words: ["-", " ", "\n", "O", "I", "L"], mark: "\n- -",
        seeds: { try seeds() },
        parse: { input in
            let code = try accepted {
                try RecoveryCode.parse(secret(input))
            } or: {
                ($0 as? StorageError)?.code == .mistyped
            }
            guard let code else { return nil }
            try must(input.count <= RecoveryCode.typedLimit, "a code of \(input.count) bytes is taken")
            try must(code.count == RecoveryCode.symbols && code.plain.allSatisfy { $0 < 32 }, "a code has other symbols")
            let printed = try RecoveryCode.printed(code)
            try must(try RecoveryCode.parse(printed) == code, "a printed code is read as another")
            return input
        })

    private static func seeds() throws -> [[UInt8]] {
        let printed = try RecoveryCode.printed(RecoveryCode.random()).plain
        return [
            printed, printed.filter { $0 != UInt8(ascii: "-") },
            Array(String(decoding: printed, as: UTF8.self).lowercased().utf8),
            Array("\n\(String(decoding: printed, as: UTF8.self)) ".utf8), Array(printed.dropLast()), Array("OIL-0000".utf8),
        ]
    }
}
