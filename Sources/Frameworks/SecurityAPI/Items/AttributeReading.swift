import Foundation
import ThumbAccess

// From a dictionary's values to ours. If Foundation returns values as Swift's own types, a Boolean arrives as `Bool`. If it returns the
// objects that it keeps, a Boolean is one of two `NSNumber` objects. A plain cast would confuse Booleans and numbers.

/// A text. Asking for the object first is twice as fast as asking for the `String`.
func string(_ value: Any) -> String? { (value as? NSString).map { $0 as String } }

/// A list of data. An `NSArray` can't be cast to a list of Swift's own types as a whole, but its elements can be cast one by one.
func dataList(_ value: Any) -> [Data]? {
    guard let array = value as? NSArray else { return value as? [Data] }
    let list = array.compactMap { $0 as? Data }
    return list.count == array.count ? list : nil
}

/// A Boolean, and nothing that merely looks like one.
func boolean(_ value: Any) -> Bool? {
    if type(of: value) == Bool.self { return value as? Bool }
    guard let number = value as? NSNumber else { return nil }
    if number === kCFBooleanTrue { return true }
    return number === kCFBooleanFalse ? false : nil
}

/// A number that isn't a Boolean, without a fraction.
func integer(_ value: Any) -> Int64? {
    guard boolean(value) == nil, let number = value as? NSNumber else { return nil }
    let whole = number.int64Value
    return Double(whole) == number.doubleValue ? whole : nil
}

extension AttributeValue {
    /// The value in the form that its kind keeps. Fails with `.parameter` on a type that the attribute doesn't take, and with
    /// `.dataTooLarge` on a value longer than any attribute may be.
    init(_ value: Any, as kind: AttributeKind) throws(KeychainFailure) {
        self = try Self.read(value, as: kind)
        let size: Int =
            switch self {
            case .text(let text): text.utf8.count
            case .data(let data): data.count
            case .number, .flag, .date: 8
            }
        guard size <= QueryLimit.attributeBytes else { throw .dataTooLarge }
    }

    private static func read(_ value: Any, as kind: AttributeKind) throws(KeychainFailure) -> AttributeValue {
        switch kind {
        case .blob:
            if let text = string(value) { return .text(text) }
            if let data = value as? Data { return .data([UInt8](data)) }
        case .code:
            if let text = string(value) { return .text(text) }
            if let number = integer(value) { return .number(number) }
        case .text:
            if let text = string(value) { return .text(text) }
        case .data:
            if let data = value as? Data { return .data([UInt8](data)) }
        case .number:
            if let text = string(value) { return number(of: text).map(Self.number) ?? .text(text) }
            if let number = looseNumber(value) { return .number(number) }
        case .synchronizable:
            if let number = string(value).map(number(of:)) ?? looseNumber(value) { return .number(number) }
        case .date:
            if let date = value as? Date { return .date(date.timeIntervalSinceReferenceDate) }
        case .accessible, .accessControl, .bookkeeping:
            break
        }
        throw .parameter
    }

    /// The number that prints as this text; nil if none does. "0012" and "+5" are texts.
    private static func number(of text: String) -> Int64? {
        if text.isEmpty { return 0 }
        guard let number = Int32(text), String(number) == text else { return nil }
        return Int64(number)
    }

    private static func looseNumber(_ value: Any) -> Int64? {
        if let flag = boolean(value) { return flag ? 1 : 0 }
        return integer(value)
    }
}
