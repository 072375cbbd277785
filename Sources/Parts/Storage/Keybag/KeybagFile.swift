import ThumbAccess
import ThumbCrypto
import ThumbSecrets

/// The keybag's form on disk (docs/STORE.md): sections in a frame. It doesn't know what is in them.
struct KeybagFile {
    static let name = "keybag"
    static let format: UInt16 = 1
    static let magic: StaticString = "THUMBKEY"
    static let idBytes = 16
    /// The longest file. The slots take less than a kilobyte; the rest is for the future.
    static let limit = 64 << 10

    enum State: UInt8 {
        /// The items database isn't finished yet, so nothing was ever stored.
        case founding = 1
        case standing = 2
    }

    enum Purpose: UInt8 {
        case device = 1
        case passcode = 2
        case recovery = 3
        /// Where the passcode comes from.
        case source = 4
        case login = 5
    }

    /// How a section's contents are protected.
    enum Kind: UInt8 {
        case file = 0
        case tpm = 1
        case argon2id = 2
        case tpmAndArgon2id = 3
        case code = 4
        case tpmAndStart = 5
    }

    struct Section {
        let purpose: Purpose
        let kind: Kind
        let body: SecretBytes
    }

    var state: State
    let id: [UInt8]
    var revision: UInt64
    var serial: UInt32
    var sections: [Section]

    subscript(_ purpose: Purpose) -> Section? {
        get { sections.first { $0.purpose == purpose } }
        set {
            sections.removeAll { $0.purpose == purpose }
            if let newValue { sections.append(newValue) }
        }
    }

    /// The whole file, with its MAC under `key`.
    func serialised(key: SecretBytes) throws -> SecretBytes {
        var writer = SecretWriter()
        writer.plain {
            $0.raw(Self.magic)
            $0.integer(Self.format)
            $0.byte(state.rawValue)
            $0.raw(id)
            $0.integer(revision)
            $0.integer(serial)
            $0.integer(UInt16(sections.count))
        }
        for section in sections {
            writer.plain {
                $0.byte(section.purpose.rawValue)
                $0.byte(section.kind.rawValue)
                $0.integer(UInt32(section.body.count))
            }
            writer.secret(section.body)
        }
        let body = try writer.finished()
        writer.plain(try HMAC256.authenticate(body, key: key))
        return try writer.finished()
    }

    /// Reads a file. Only a key from inside it can show whether its MAC is right: `isAuthentic`.
    ///
    /// Fails with `newer` if a later version wrote it, and otherwise with `keybagDamaged`.
    static func parse(_ file: SecretBytes) throws -> KeybagFile {
        do {
            return try read(file)
        } catch is Malformed {
            throw StorageError(.keybagDamaged, "reading the keybag")
        }
    }

    private static func read(_ file: SecretBytes) throws -> KeybagFile {
        var reader = SecretReader(file)
        var magic = ByteWriter()
        magic.raw(Self.magic)
        guard try reader.raw(magic.bytes.count) == magic.bytes else { throw Malformed() }
        let format = try reader.integer(UInt16.self)
        guard format <= Self.format else { throw StorageError(.newer, raw: Int32(format), "reading the keybag's format") }
        guard format == Self.format, let state = State(rawValue: try reader.byte()) else { throw Malformed() }
        var result = KeybagFile(
            state: state, id: try reader.raw(idBytes), revision: try reader.integer(UInt64.self),
            serial: try reader.integer(UInt32.self), sections: [])
        for _ in 0..<(try reader.integer(UInt16.self)) {
            let (purpose, kind) = (try reader.byte(), try reader.byte())
            let body = try reader.secret(Int(try reader.integer(UInt32.self)))
            guard let purpose = Purpose(rawValue: purpose), let kind = Kind(rawValue: kind) else {
                throw StorageError(.newer, "reading a section of the keybag")
            }
            guard result[purpose] == nil else { throw Malformed() }
            result.sections.append(Section(purpose: purpose, kind: kind, body: body))
        }
        _ = try reader.raw(HMAC256.byteCount)
        try reader.end()
        return result
    }

    /// Whether the file's MAC was made with `key`.
    static func isAuthentic(_ file: SecretBytes, key: SecretBytes) throws -> Bool {
        let end = file.count - HMAC256.byteCount
        var reader = SecretReader(try file.slice(end..<file.count))
        let mac = try reader.raw(HMAC256.byteCount)
        return ConstantTime.equal(try HMAC256.authenticate(file.slice(0..<end), key: key), mac)
    }
}

/// Several class keys together, as a slot holds them.
struct KeySet {
    var keys: [KeyClass: ClassKey]

    func serialised() throws -> SecretBytes {
        var writer = SecretWriter()
        writer.plain([UInt8(keys.count)])
        for (name, key) in keys.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            writer.plain([name.rawValue])
            writer.secret(key.root)
        }
        return try writer.finished()
    }

    static func parse(_ bytes: SecretBytes) throws -> KeySet {
        var reader = SecretReader(bytes)
        var keys: [KeyClass: ClassKey] = [:]
        for _ in 0..<(try reader.byte()) {
            guard let name = KeyClass(rawValue: try reader.byte()), keys[name] == nil else { throw Malformed() }
            keys[name] = try ClassKey(reader.secret(ClassKey.count))
        }
        try reader.end()
        return KeySet(keys: keys)
    }
}
