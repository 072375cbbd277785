public import Foundation
package import ThumbAccess

/// An item's access rule as an object: when it can be read and what the owner must show.
///
/// You make one with `SecAccessControlCreateWithFlags`. It is immutable, and two with the same meaning are equal.
public final class SecAccessControl: NSObject, Sendable {
    package let rule: AccessRule
    /// Whether the app made it with flags, rather than found it with an item. It only tells in the description.
    private let isWritten: Bool

    package init(rule: AccessRule, isWritten: Bool = false) {
        self.rule = rule
        self.isWritten = isWritten
    }

    /// Whether `object` is an access control with the same meaning.
    public override func isEqual(_ object: Any?) -> Bool { (object as? SecAccessControl)?.rule == rule }

    /// A hash that access controls with the same meaning share.
    public override var hash: Int { rule.hashValue }

    /// The rule in the form that Apple's newer systems print, such as
    /// `<SecAccessControlRef: aku;od(cpo(DeviceOwnerAuthentication));odel(true);oe(true)>`.
    public override var description: String { rule.described(isWritten: isWritten) }
}

/// Makes an access control from an accessibility (a `kSecAttrAccessible…` string) and what the owner must show.
///
/// Returns nil, with `errSecParam` in `error`, for a `protection` that isn't one of the seven, for bits that aren't known,
/// and for flags that exclude each other: `or` with `and`, `biometryAny` with `biometryCurrentSet`, and `userPresence` with
/// any other constraint or operator. `allocator` is ignored.
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    do throws(KeychainFailure) {
        guard let code = protection as? NSString, let accessibility = Accessibility(code: code as String) else {
            throw .parameter
        }
        let rule = try AccessRule(accessibility, Constraints(rawValue: UInt64(flags.rawValue)))
        return SecAccessControl(rule: rule, isWritten: true)
    } catch {
        return report(error)
    }

    func report(_ failure: KeychainFailure) -> SecAccessControl? {
        if let error = unsafe error { unsafe error.pointee = Unmanaged.passRetained(failure.errorObject) }
        return nil
    }
}
