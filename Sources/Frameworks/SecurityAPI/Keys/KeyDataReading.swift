import Foundation
import ThumbAccess
import ThumbCrypto

/// Plain data for a key's item. If it can be read as a key, the item can be found and used as one.
struct KeyDataReading {
    private let publicHalf: PublicKey?
    private let isPrivate: Bool

    /// Reads the data as the key that the item's other attributes describe, or else as any key. Data that isn't a key stays plain data.
    /// Fails if no locked memory is left.
    init(_ data: Data, _ attributes: Attributes) throws(KeychainFailure) {
        let families = KeyFamily.allCases.filter { attributes[.type].map($0.isNamed) ?? true }
        let half = attributes[.keyClass]?.digits
        if half ?? "0" == "0" {
            let bytes = [UInt8](data)
            if let key = families.lazy.compactMap({ try? PublicKey(external: bytes, $0) }).first {
                (publicHalf, isPrivate) = (key, false)
                return
            }
        }
        isPrivate = true
        guard half ?? "1" == "1", data.count <= QueryLimit.attributeBytes else {
            publicHalf = nil
            return
        }
        let secret = try lockedCopy(of: data)
        publicHalf = families.lazy.compactMap { try? PrivateKey(external: secret, $0) }.first?.publicKey
    }

    /// The attributes that an item with this data gets besides its author's; none if it isn't a key.
    var attributes: Attributes {
        guard let publicHalf else { return [:] }
        return [
            .publicKey: .data(publicHalf.external), .type: .number(publicHalf.kind.typeNumber),
            .keySize: .number(Int64(publicHalf.kind.bits)), .keyClass: .number(isPrivate ? 1 : 0),
        ]
    }

    /// The attributes that an item gets when this data replaces its own. Those that were read from the old data aren't true any more.
    var attributesOfChange: Attributes { publicHalf == nil ? [.publicKey: .data([])] : attributes }
}

extension AttributeValue {
    /// The value as digits, whether it was a number or a text.
    fileprivate var digits: String? {
        switch self {
        case .number(let number): String(number)
        case .text(let text): text
        case .data, .flag, .date: nil
        }
    }
}

extension KeyFamily {
    /// Whether a value of `type` names this family.
    fileprivate func isNamed(_ value: AttributeValue) -> Bool { value.digits.flatMap(KeyFamily.init(type:)) == self }
}
