public import Foundation

/// The domain of an error's code.
public typealias CFErrorDomain = CFString

/// The domain of errors whose code is an `OSStatus`.
@safe nonisolated(unsafe) public let kCFErrorDomainOSStatus: CFErrorDomain = "NSOSStatusErrorDomain"
/// The domain of errors whose code is an `errno`.
@safe nonisolated(unsafe) public let kCFErrorDomainPOSIX: CFErrorDomain = "NSPOSIXErrorDomain"
/// The domain of Foundation's own errors.
@safe nonisolated(unsafe) public let kCFErrorDomainCocoa: CFErrorDomain = "NSCocoaErrorDomain"
/// The key of an error's description in its user info.
@safe nonisolated(unsafe) public let kCFErrorLocalizedDescriptionKey: CFString = "NSLocalizedDescription"
/// The key, in an error's user info, of what went wrong, without domain and number.
@safe nonisolated(unsafe) public let kCFErrorDescriptionKey: CFString = "NSDescription"

/// Makes an error; never fails.
public func CFErrorCreate(
    _ allocator: CFAllocator?, _ domain: CFErrorDomain!, _ code: CFIndex, _ userInfo: CFDictionary!
) -> CFError! {
    NSError(domain: domain as String, code: code, userInfo: userInfo as? [String: Any])
}

/// The error's domain.
public func CFErrorGetDomain(_ error: CFError) -> CFErrorDomain! { NSString(string: error.domain) }

/// The error's number within its domain.
public func CFErrorGetCode(_ error: CFError) -> CFIndex { error.code }

/// The error's further information.
public func CFErrorCopyUserInfo(_ error: CFError) -> CFDictionary! { error.userInfo as NSDictionary }

/// The error in words.
public func CFErrorCopyDescription(_ error: CFError) -> CFString! { NSString(string: error.localizedDescription) }

extension NSError {
    /// An error without a meaning, as `NSError()` gives on Apple's systems. Foundation on Linux has no such initializer.
    public convenience init(_placeholderDomain domain: String = "") {
        self.init(domain: domain, code: 0, userInfo: nil)
    }
}
