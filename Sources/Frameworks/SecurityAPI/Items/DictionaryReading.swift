import Foundation
import ThumbAccess

/// A query dictionary, sorted by its keys in one pass. A lookup spends most of its time on this, so the dictionary is walked only once and
/// nothing is bridged twice.
///
/// A key of exactly four characters is an attribute, except `nleg`, which has no meaning here. For other keys the first letter decides.
/// Anything unknown is refused.
struct SortedDictionary {
    var itemClass: Any?
    var attributes: [(name: AttributeName, value: Any)] = []
    var matches: [(key: String, value: Any)] = []
    var uses: [(key: String, value: Any)] = []
    var values: [(key: String, value: Any)] = []
    var shape: ResultShape = []
    var hasReturnKey = false

    init(_ dictionary: NSDictionary) throws(KeychainFailure) {
        // Both lists hold the dictionary's own objects, in the same order. Enumerating it would bridge every object, which takes longer
        // than everything else that is done with them here.
        for (key, value) in zip(dictionary.allKeys, dictionary.allValues) {
            guard let key = string(key) else { throw .parameter }
            try take(key, value)
        }
    }

    private mutating func take(_ key: String, _ value: Any) throws(KeychainFailure) {
        if let name = try attributeName(key) {
            if name != dataProtection { attributes.append((name, value)) }
            return
        }
        switch key.utf8.first {
        case UInt8(ascii: "c"):
            guard key == "class" else { throw .parameter }
            itemClass = value
        case UInt8(ascii: "m"): matches.append((key, value))
        case UInt8(ascii: "r"): try takeReturn(key, value)
        case UInt8(ascii: "u"): uses.append((key, value))
        case UInt8(ascii: "v"): values.append((key, value))
        default: throw .parameter
        }
    }

    private mutating func takeReturn(_ key: String, _ value: Any) throws(KeychainFailure) {
        let part: ResultShape
        switch key {
        case "r_Data": part = .data
        case "r_Attributes": part = .attributes
        case "r_Ref": part = .ref
        case "r_PersistentRef": part = .persistentRef
        default: throw .parameter
        }
        guard let wanted = boolean(value) else { throw .parameter }
        hasReturnKey = true
        if wanted { shape.insert(part) }
    }
}

private let dataProtection = AttributeName(code: 0x6e_6c_65_67)  // "nleg"

/// The attribute that a key of four characters names; nil for a key of another length.
private func attributeName(_ key: String) throws(KeychainFailure) -> AttributeName? {
    let bytes = key.utf8
    if bytes.count == 4 {
        var code: UInt32 = 0
        for byte in bytes { code = code << 8 | UInt32(byte) }
        return AttributeName(code: code)
    }
    // Four characters that aren't four bytes name no attribute of any class.
    if bytes.count > 4 && bytes.count <= 12 && key.utf16.count == 4 { throw .noSuchAttribute }
    return nil
}

extension NSDictionary {
    /// A copy with the entries of `other` added, which take precedence. Foundation's own copying drops keys that it doesn't know.
    func merging(_ other: NSDictionary) -> NSMutableDictionary {
        let all = NSMutableDictionary()
        for dictionary in [self, other] {
            for (key, value) in dictionary {
                // Every key of a dictionary is hashable. A key that can't be bridged can't be a name anyway.
                if let key = key as? AnyHashable { all.setObject(value, forKey: key) }
            }
        }
        return all
    }
}
