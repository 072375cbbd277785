public import Foundation

/// Our text for a status, if the status has a name.
func statusText(_ status: OSStatus) -> String? { statusTexts[status]?.description }

/// Describes `status` in a sentence. For a status without a name it returns `OSStatus` and the number. Never nil.
///
/// The text is for people and changes between versions, so decide by the number. `reserved` is ignored.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    NSString(string: statusText(status) ?? "OSStatus \(status)")
}
