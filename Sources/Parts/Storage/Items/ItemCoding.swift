import ThumbAccess
import ThumbKeychain
import ThumbSecrets

/// An item as it is sealed: what the rules know about it, and what only the store knows.
struct SealedItem {
    /// The most attributes of one item; some forty exist.
    static let attributeLimit = 128
    private static let format: UInt8 = 1

    var item: StoredItem { didSet { opened = nil } }
    /// The number of the `passcode` key that its secret is under; 0 for other classes.
    let serial: UInt32
    /// The generation its secret was sealed in.
    let secretGeneration: UInt64
    /// The bytes it was read from, so that the core needn't be written again. Dropped as soon as the item is changed.
    private var opened: SecretBytes?

    /// The contents of the attributes' seal: the dead flag, then the core.
    func serialised() -> [UInt8] { [item.isDead ? 1 : 0] + core }

    /// What the secret is bound to: everything except the dead flag and the generation.
    var core: [UInt8] {
        if let opened { return opened.plainBytes(in: 1..<opened.count) }
        var writer = ByteWriter(reserving: 256)
        writer.byte(Self.format)
        writer.byte(item.itemClass.rawValue)
        writer.byte(item.rule.accessibility.rawValue)
        writer.integer(item.rule.constraints.rawValue)
        writer.integer(serial)
        writer.integer(secretGeneration)
        writer.byte(item.hasSecret ? 1 : 0)
        let enrolment = item.enrolment ?? []
        writer.byte(UInt8(enrolment.count))
        writer.raw(enrolment)
        writer.counted(item.group.text)
        writer.attributes(item.attributes)
        return writer.bytes
    }

    init(item: StoredItem, serial: UInt32, secretGeneration: UInt64) {
        self.item = item
        self.serial = serial
        self.secretGeneration = secretGeneration
    }

    init(id: ItemID, generation: UInt64, opened: SecretBytes) throws {
        var reader = SecretReader(opened)
        let isDead = try reader.byte().asFlag()
        guard try reader.byte() == Self.format,
            let itemClass = ItemClass(rawValue: try reader.byte()),
            let accessibility = Accessibility(rawValue: try reader.byte()),
            // Neither of the two takes memory, so a failure can only come from the bytes.
            let rule = try? AccessRule(accessibility, Constraints(rawValue: try reader.integer(UInt64.self)))
        else { throw Malformed() }
        serial = try reader.integer(UInt32.self)
        secretGeneration = try reader.integer(UInt64.self)
        let hasSecret = try reader.byte().asFlag()
        let enrolment = try reader.raw(Int(try reader.byte()))
        let group = ExactName(try reader.text(limit: ItemLimits.group))
        let attributes = try reader.attributes()
        try reader.end()
        self.opened = opened
        item = StoredItem(
            id: id, generation: generation, itemClass: itemClass, group: group, rule: rule, attributes: attributes,
            hasSecret: hasSecret, enrolment: enrolment.isEmpty ? nil : enrolment, isDead: isDead)
    }
}

/// The store's own limits on sizes. Callers have checked them already; this is the last check before the disk.
enum ItemLimits {
    /// A group's name, in bytes: reverse domain names, never documents.
    static let group = 1 << 10
    /// An enrolment's digest, in bytes: its length is one byte on disk.
    static let enrolment = 255

    static func check(_ item: StoredItem, secret: SecretBytes?) throws(KeychainFailure) {
        var all = 0
        for value in item.attributes.values {
            let count = value.byteCount
            all += count
            guard count <= QueryLimit.attributeBytes else { throw .dataTooLarge }
        }
        guard all <= QueryLimit.attributesBytes, item.attributes.count <= SealedItem.attributeLimit,
            item.group.utf8.count <= group, (item.enrolment?.count ?? 0) <= enrolment,
            (secret?.count ?? 0) <= QueryLimit.secretBytes
        else { throw .dataTooLarge }
    }
}

extension ByteWriter {
    /// A value in the bytes by which values are compared.
    mutating func counted(_ value: AttributeValue) {
        switch value {
        case .text(let text): counted(text)
        case .data(let data): counted(data)
        case .number, .flag, .date: counted(value.comparable)
        }
    }

    /// The number of attributes, then the attributes by ascending name.
    mutating func attributes(_ attributes: Attributes) {
        integer(UInt16(attributes.count))
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
            integer(name.code)
            byte(value.type)
            counted(value)
        }
    }
}

extension SecretReader {
    mutating func attributes() throws -> Attributes {
        let count = Int(try integer(UInt16.self))
        // Room for one more, because the rules show the group among them.
        var attributes = Attributes(minimumCapacity: min(count, SealedItem.attributeLimit) + 1)
        for _ in 0..<count {
            let name = AttributeName(code: try integer(UInt32.self))
            // Of two values under one name nobody could say which one is meant.
            guard attributes.updateValue(try AttributeValue(from: &self), forKey: name) == nil else { throw Malformed() }
        }
        return attributes
    }
}

extension AttributeValue {
    fileprivate var type: UInt8 {
        switch self {
        case .text: 1
        case .data: 2
        case .number: 3
        case .flag: 4
        case .date: 5
        }
    }

    fileprivate init(from reader: inout SecretReader) throws {
        func word(_ reader: inout SecretReader) throws -> UInt64 {
            guard try reader.integer(UInt32.self) == 8 else { throw Malformed() }
            return try reader.integer(UInt64.self)
        }
        switch try reader.byte() {
        case 1: self = .text(try reader.text(limit: QueryLimit.attributeBytes))
        case 2: self = .data(try reader.counted(limit: QueryLimit.attributeBytes))
        case 3: self = .number(Int64(bitPattern: try word(&reader)))
        case 4: self = .flag(try word(&reader) != 0)
        case 5: self = .date(Double(bitPattern: try word(&reader)))
        default: throw Malformed()
        }
    }
}
