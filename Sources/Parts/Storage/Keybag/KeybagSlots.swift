import ThumbAccess
import ThumbCrypto
import ThumbKeychain
import ThumbSecrets

// The bodies of the slots: what is in plain text in them, and what is sealed.

/// How the device slot is protected, with everything that sealing its box again requires.
enum DeviceWay {
    /// The file alone, which openly protects nothing from anybody who can read it.
    case file
    case chip(DeviceSeal)
}

/// The chip's half of the device slot. Whoever has the file can open it, but only where that chip is.
struct DeviceSeal {
    /// The bytes before the box.
    let head: [UInt8]
    let half: SecretBytes

    init(_ chip: any SlotCustodian) throws(StorageError) {
        let (way, half) = try ChipWay.make(guardedBy: .file, chip: chip)
        (head, self.half) = (way.bytes, half)
    }

    init(_ reader: inout SecretReader, _ chip: any SlotCustodian) throws {
        let way = try ChipWay(&reader, guardedBy: .file)
        guard let half = try way.half(chip: chip) else { throw Malformed() }
        (head, self.half) = (way.bytes, half)
    }
}

/// The device slot: the key set in plain text, or sealed under a key that a chip keeps.
enum DeviceSlot {
    static func make(_ keys: KeySet, _ way: DeviceWay, keybag: [UInt8]) throws -> KeybagFile.Section {
        switch way {
        case .file: return KeybagFile.Section(purpose: .device, kind: .file, body: try keys.serialised())
        case .chip(let seal):
            let box = try SealedBox.seal(
                keys.serialised(), key: key(seal.half, keybag), associatedData: binding(keybag, .device, .tpm, seal.head))
            return KeybagFile.Section(purpose: .device, kind: .tpm, body: try SecretBytes(copying: seal.head + box))
        }
    }

    /// Fails with a custodian's code if the chip is absent, is another one or doesn't answer.
    static func open(
        _ section: KeybagFile.Section, keybag: [UInt8], chip: (any SlotCustodian)?
    ) throws -> (keys: KeySet, way: DeviceWay) {
        switch section.kind {
        case .file: return (try KeySet.parse(section.body), .file)
        case .tpm:
            guard let chip else { throw StorageError(.custodianAbsent, "opening a device slot in a TPM") }
            var reader = SecretReader(section.body)
            let seal = try DeviceSeal(&reader, chip)
            let data = binding(keybag, .device, .tpm, seal.head)
            guard let keys = try opened(reader.raw(reader.remaining), key: key(seal.half, keybag), data) else {
                throw Malformed()
            }
            return (keys, .chip(seal))
        case .argon2id, .tpmAndArgon2id, .code, .tpmAndStart: throw Malformed()
        }
    }

    private static func key(_ half: SecretBytes, _ keybag: [UInt8]) throws -> SecretBytes {
        try HKDF.derive(secret: half, salt: keybag, info: Array("thumbturn device slot".utf8), count: 32)
    }
}

/// The passcode slot: in plain text how to get its key, and the key set sealed under that key.
struct PasscodeSlot {
    let way: PasscodeWay
    private let box: [UInt8]

    init(_ section: KeybagFile.Section) throws {
        guard section.kind == .argon2id || section.kind == .tpmAndArgon2id else { throw Malformed() }
        var reader = SecretReader(section.body)
        let cost = Stretch.Cost(
            memoryKiB: Int(try reader.integer(UInt32.self)), iterations: Int(try reader.integer(UInt32.self)),
            lanes: Int(try reader.integer(UInt32.self)))
        let stretch = Stretch(cost: cost, salt: try reader.raw(Int(try reader.byte())))
        way = PasscodeWay(stretch, seal: section.kind == .tpmAndArgon2id ? try Sized.read(&reader) : nil)
        box = try reader.raw(reader.remaining)
    }

    static func make(_ keys: KeySet, key: SecretBytes, _ way: PasscodeWay, keybag: [UInt8]) throws -> KeybagFile.Section {
        let (kind, head) = clear(way)
        let box = try SealedBox.seal(
            keys.serialised(), key: self.key(key, keybag), associatedData: binding(keybag, .passcode, kind, head))
        return KeybagFile.Section(purpose: .passcode, kind: kind, body: try SecretBytes(copying: head + box))
    }

    /// The key set, or nil if this isn't the passcode's key.
    func open(key: SecretBytes, keybag: [UInt8]) throws -> KeySet? {
        let (kind, head) = Self.clear(way)
        return try opened(box, key: Self.key(key, keybag), binding(keybag, .passcode, kind, head))
    }

    private static func clear(_ way: PasscodeWay) -> (KeybagFile.Kind, [UInt8]) {
        var writer = ByteWriter()
        writer.integer(UInt32(way.stretch.cost.memoryKiB))
        writer.integer(UInt32(way.stretch.cost.iterations))
        writer.integer(UInt32(way.stretch.cost.lanes))
        writer.byte(UInt8(way.stretch.salt.count))
        writer.raw(way.stretch.salt)
        guard let seal = way.seal else { return (.argon2id, writer.bytes) }
        return (.tpmAndArgon2id, writer.bytes + Sized.write(seal))
    }

    private static func key(_ secret: SecretBytes, _ keybag: [UInt8]) throws -> SecretBytes {
        try HKDF.derive(secret: secret, salt: keybag, info: Array("thumbturn passcode slot".utf8), count: 32)
    }
}

/// The login slot: in plain text what the chip opens its half by, and the key set sealed under that half.
struct LoginSlot {
    let way: ChipWay
    private let box: [UInt8]

    init(_ section: KeybagFile.Section) throws {
        guard section.kind == .tpmAndStart else { throw Malformed() }
        var reader = SecretReader(section.body)
        way = try ChipWay(&reader, guardedBy: .start)
        box = try reader.raw(reader.remaining)
    }

    static func make(_ keys: KeySet, half: SecretBytes, _ way: ChipWay, keybag: [UInt8]) throws -> KeybagFile.Section {
        let box = try SealedBox.seal(
            keys.serialised(), key: key(half, keybag), associatedData: binding(keybag, .login, .tpmAndStart, way.bytes))
        return KeybagFile.Section(purpose: .login, kind: .tpmAndStart, body: try SecretBytes(copying: way.bytes + box))
    }

    /// The key set, or nil if this isn't the chip's half.
    func open(half: SecretBytes, keybag: [UInt8]) throws -> KeySet? {
        try opened(box, key: Self.key(half, keybag), binding(keybag, .login, .tpmAndStart, way.bytes))
    }

    private static func key(_ half: SecretBytes, _ keybag: [UInt8]) throws -> SecretBytes {
        try HKDF.derive(secret: half, salt: keybag, info: Array("thumbturn login slot".utf8), count: 32)
    }
}

/// A chip's seal in a slot's body: its length in two bytes, then the seal.
enum Sized {
    static func write(_ seal: [UInt8]) -> [UInt8] { [UInt8(seal.count >> 8), UInt8(seal.count & 0xFF)] + seal }
    static func read(_ reader: inout SecretReader) throws -> [UInt8] { try reader.raw(Int(try reader.integer(UInt16.self))) }
}

/// The recovery slot: the key set sealed under the printed code.
struct RecoverySlot {
    private static let saltBytes = 16
    private let salt: [UInt8]
    private let box: [UInt8]

    init(_ section: KeybagFile.Section) throws {
        guard section.kind == .code else { throw Malformed() }
        var reader = SecretReader(section.body)
        salt = try reader.raw(Self.saltBytes)
        box = try reader.raw(reader.remaining)
    }

    static func make(_ keys: KeySet, code: SecretBytes, keybag: [UInt8]) throws -> KeybagFile.Section {
        let salt = try Random.bytes(count: saltBytes)
        let box = try SealedBox.seal(
            keys.serialised(), key: key(code, salt, keybag), associatedData: binding(keybag, .recovery, .code, salt))
        return KeybagFile.Section(purpose: .recovery, kind: .code, body: try SecretBytes(copying: salt + box))
    }

    /// The key set, or nil if this isn't the code.
    func open(code: SecretBytes, keybag: [UInt8]) throws -> KeySet? {
        try opened(box, key: Self.key(code, salt, keybag), binding(keybag, .recovery, .code, salt))
    }

    private static func key(_ code: SecretBytes, _ salt: [UInt8], _ keybag: [UInt8]) throws -> SecretBytes {
        try HKDF.derive(secret: code, salt: keybag + salt, info: Array("thumbturn recovery slot".utf8), count: 32)
    }
}

/// What a slot's seal is bound to, so that no slot can take the place of another.
private func binding(
    _ keybag: [UInt8], _ purpose: KeybagFile.Purpose, _ kind: KeybagFile.Kind, _ clear: [UInt8]
) -> [UInt8] {
    var writer = ByteWriter()
    writer.raw("thumbturn keybag slot")
    writer.raw(keybag)
    writer.byte(purpose.rawValue)
    writer.byte(kind.rawValue)
    writer.raw(clear)
    return writer.bytes
}

private func opened(_ box: [UInt8], key: SecretBytes, _ associatedData: [UInt8]) throws -> KeySet? {
    let keys: SecretBytes
    do {
        keys = try SealedBox.open(box, key: key, associatedData: associatedData)
    } catch let error as CryptoError where error.code == .authenticationFailed {
        return nil
    }
    return try KeySet.parse(keys)
}
