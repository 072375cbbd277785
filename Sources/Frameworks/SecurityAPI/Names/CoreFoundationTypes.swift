import Foundation

// For sources that check the type of a result before they cast it. The numbers are our own and are valid in this process; Apple promises no
// more.

private enum TypeNumber: CFTypeID {
    case unknown = 0
    case string = 1
    case data, array, dictionary, date, boolean, number, error, url, accessControl, certificate, identity, key
}

/// The type of strings.
public func CFStringGetTypeID() -> CFTypeID { TypeNumber.string.rawValue }
/// The type of data.
public func CFDataGetTypeID() -> CFTypeID { TypeNumber.data.rawValue }
/// The type of arrays.
public func CFArrayGetTypeID() -> CFTypeID { TypeNumber.array.rawValue }
/// The type of dictionaries.
public func CFDictionaryGetTypeID() -> CFTypeID { TypeNumber.dictionary.rawValue }
/// The type of dates.
public func CFDateGetTypeID() -> CFTypeID { TypeNumber.date.rawValue }
/// The type of truth values.
public func CFBooleanGetTypeID() -> CFTypeID { TypeNumber.boolean.rawValue }
/// The type of numbers.
public func CFNumberGetTypeID() -> CFTypeID { TypeNumber.number.rawValue }
/// The type of certificates.
public func SecCertificateGetTypeID() -> CFTypeID { TypeNumber.certificate.rawValue }
/// The type of identities.
public func SecIdentityGetTypeID() -> CFTypeID { TypeNumber.identity.rawValue }
/// The type of keys.
public func SecKeyGetTypeID() -> CFTypeID { TypeNumber.key.rawValue }
/// The type of access controls.
public func SecAccessControlGetTypeID() -> CFTypeID { TypeNumber.accessControl.rawValue }

/// The type of `object`; 0 if none of these calls names it.
public func CFGetTypeID(_ object: CFTypeRef?) -> CFTypeID {
    let type: TypeNumber =
        switch object {
        case is NSString: .string
        case is NSData: .data
        case is NSArray: .array
        case is NSDictionary: .dictionary
        case is NSDate: .date
        case let number as NSNumber: number === kCFBooleanTrue || number === kCFBooleanFalse ? .boolean : .number
        case is NSError: .error
        case is NSURL: .url
        case is SecAccessControl: .accessControl
        case is SecCertificate: .certificate
        case is SecIdentity: .identity
        case is SecKey: .key
        default: .unknown
        }
    return type.rawValue
}

/// Whether two objects are equal.
public func CFEqual(_ first: CFTypeRef?, _ second: CFTypeRef?) -> Bool {
    guard let first = first as? NSObject else { return first === second }
    return first.isEqual(second)
}

/// A hash that equal objects share.
public func CFHash(_ object: CFTypeRef?) -> UInt { UInt(bitPattern: (object as? NSObject)?.hash ?? 0) }
