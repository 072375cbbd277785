import ThumbCrypto
import ThumbSecrets

/// A class key, and the keys that are derived from it once. When it is dropped, all of them go.
final class ClassKey {
    static let count = 32

    let root: SecretBytes
    /// The parent of each item's secret key.
    let secrets: HMACKey

    init(_ root: SecretBytes) throws {
        guard root.count == Self.count else { throw Malformed() }
        self.root = root
        secrets = try HMACKey(Self.derive(root, "thumbturn secrets"))
    }

    static func random() throws -> ClassKey { try ClassKey(.random(count: count)) }

    static func derive(_ root: SecretBytes, _ name: StaticString) throws -> SecretBytes {
        var info = ByteWriter()
        info.raw(name)
        return try HKDF.expand(key: root, info: info.bytes, count: count)
    }
}

/// Other keys derived from the device key. They are available as long as the service runs.
final class DeviceKeys {
    /// The parent of each item's attributes key.
    let attributes: HMACKey
    let index: HMACKey
    let records: HMACKey
    let state: SecretBytes
    let keybagFile: SecretBytes
    let audit: SecretBytes
    let auditPrograms: HMACKey
    let auditItems: HMACKey
    let auditChains: HMACKey
    let house: SecretBytes
    let houseSums: HMACKey

    init(_ device: ClassKey) throws {
        attributes = try HMACKey(ClassKey.derive(device.root, "thumbturn attributes"))
        index = try HMACKey(ClassKey.derive(device.root, "thumbturn index"))
        records = try HMACKey(ClassKey.derive(device.root, "thumbturn records"))
        state = try ClassKey.derive(device.root, "thumbturn state")
        keybagFile = try ClassKey.derive(device.root, "thumbturn keybag file")
        audit = try ClassKey.derive(device.root, "thumbturn audit")
        auditPrograms = try HMACKey(ClassKey.derive(device.root, "thumbturn audit programs"))
        auditItems = try HMACKey(ClassKey.derive(device.root, "thumbturn audit items"))
        auditChains = try HMACKey(ClassKey.derive(device.root, "thumbturn audit chains"))
        house = try ClassKey.derive(device.root, "thumbturn house rows")
        houseSums = try HMACKey(ClassKey.derive(device.root, "thumbturn house sums"))
    }
}
