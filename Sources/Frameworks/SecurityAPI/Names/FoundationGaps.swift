public import Foundation

// The protocol and the class are both Foundation's, but on Linux Foundation leaves the bridge out.
// swift-format-ignore: AvoidRetroactiveConformances
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
    /// Makes a string constant and the equal Swift string the same key. Without it `dictionary[kSecAttrAccount]` doesn't find what was
    /// stored under `"acct"`.
    public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as String) }
}
