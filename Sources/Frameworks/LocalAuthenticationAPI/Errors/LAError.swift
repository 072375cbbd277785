public import Foundation

/// The domain of `LAError`.
public let LAErrorDomain = "com.apple.LocalAuthentication"

/// Why an evaluation or a preflight didn't succeed.
///
/// A wrapper around an `NSError`, as Apple's importer makes it. It has both of Foundation's bridges, because with only one of them some
/// casts in real code fail. With both, `as? LAError`, `catch let e as LAError`, `catch LAError.userCancel` and `as NSError` work, whichever
/// of the two types was thrown.
public struct LAError: _BridgedStoredNSError, _ObjectiveCBridgeable, Sendable {
    /// The error inside.
    public let _nsError: NSError

    /// Wraps `error`, which must be of this domain.
    public init(_nsError error: NSError) {
        precondition(error.domain == LAErrorDomain, "an LAError can only be made of an error in its domain")
        _nsError = error
    }

    /// The domain.
    public static var errorDomain: String { LAErrorDomain }
    /// The domain, for Foundation's bridge.
    public static var _nsErrorDomain: String { LAErrorDomain }

    /// Whether both wrap equal errors.
    public static func == (left: LAError, right: LAError) -> Bool { left._nsError.isEqual(right._nsError) }

    // Foundation's own two trap on Linux.

    /// Feeds the code, which equal errors share.
    public func hash(into hasher: inout Hasher) { hasher.combine(_nsError.code) }
    /// A hash of the code.
    public var hashValue: Int {
        var hasher = Hasher()
        hash(into: &hasher)
        return hasher.finalize()
    }
}

extension LAError {
    /// The type that the error bridges to.
    public typealias _ObjectiveCType = NSError

    /// The error inside.
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    /// Wraps an error of this domain; traps on any other.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout LAError?) {
        result = LAError(_nsError: source)
    }

    /// Wraps an error of this domain with a code that has a name. For any other error it returns false and wraps nothing.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout LAError?) -> Bool {
        // A code without a name would trap as soon as somebody asks for `code`.
        guard source.domain == LAErrorDomain, Code(rawValue: source.code) != nil else { return false }
        result = LAError(_nsError: source)
        return true
    }

    /// Wraps an error of this domain; traps on any other and on nil.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> LAError {
        guard let source else { preconditionFailure("nil isn't an LAError") }
        return LAError(_nsError: source)
    }
}
