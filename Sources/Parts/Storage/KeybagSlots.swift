import ThumbCrypto
import ThumbSecrets

// The bodies of the three slots: what stands in clear in them, and what is sealed.

/// The device slot of kind *file*: honest about protecting nothing from whoever reads the file.
enum DeviceSlot {
    static func make(_ keys: KeySet) throws -> KeybagFile.Section {
        KeybagFile.Section(purpose: .device, kind: .file, body: try keys.serialised())
    }

    static func open(_ section: KeybagFile.Section) throws -> KeySet {
        switch section.kind {
        case .file: return try KeySet.parse(section.body)
        case .tpm: throw StorageError(.unsupportedSlot, "opening a device slot in a TPM")
        case .argon2id, .tpmAndArgon2id, .code: throw Malformed()
        }
    }
}

/// The passcode slot of kind *Argon2id*: the stretch in clear, the key set sealed under what it yields.
struct PasscodeSlot {
    let stretch: Stretch
    private let box: [UInt8]

    init(_ section: KeybagFile.Section) throws {
        switch section.kind {
        case .argon2id: break
        case .tpm, .tpmAndArgon2id: throw StorageError(.unsupportedSlot, "opening a passcode slot in a TPM")
        case .file, .code: throw Malformed()
        }
        var reader = SecretReader(section.body)
        let cost = Stretch.Cost(
            memoryKiB: Int(try reader.integer(UInt32.self)), iterations: Int(try reader.integer(UInt32.self)),
            lanes: Int(try reader.integer(UInt32.self)))
        stretch = Stretch(cost: cost, salt: try reader.raw(Int(try reader.byte())))
        box = try reader.raw(reader.remaining)
    }

    static func make(_ keys: KeySet, stretched: SecretBytes, stretch: Stretch, keybag: [UInt8]) throws -> KeybagFile.Section {
        let open = clear(stretch)
        let box = try SealedBox.seal(
            keys.serialised(), key: key(stretched, keybag), associatedData: binding(keybag, .passcode, .argon2id, open))
        return KeybagFile.Section(purpose: .passcode, kind: .argon2id, body: try SecretBytes(copying: open + box))
    }

    /// The key set, or nil if this isn't what the passcode stretches to.
    func open(stretched: SecretBytes, keybag: [UInt8]) throws -> KeySet? {
        let data = binding(keybag, .passcode, .argon2id, Self.clear(stretch))
        return try opened(box, key: Self.key(stretched, keybag), data)
    }

    private static func clear(_ stretch: Stretch) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(UInt32(stretch.cost.memoryKiB))
        writer.integer(UInt32(stretch.cost.iterations))
        writer.integer(UInt32(stretch.cost.lanes))
        writer.byte(UInt8(stretch.salt.count))
        writer.raw(stretch.salt)
        return writer.bytes
    }

    private static func key(_ stretched: SecretBytes, _ keybag: [UInt8]) throws -> SecretBytes {
        try HKDF.derive(secret: stretched, salt: keybag, info: Array("thumbturn passcode slot".utf8), count: 32)
    }
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

/// What a slot's seal is bound to, so that no slot can stand in another's place.
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
