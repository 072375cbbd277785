public import Foundation

/// Our words for a status, if it is one that has a name.
func statusText(_ status: OSStatus) -> String? { statusTexts[status]?.description }

/// What `status` means, in a sentence; `OSStatus` and the number for one without a name. Never nil.
///
/// The words are for people and change between versions: decide on the number. `reserved` is ignored.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    NSString(string: statusText(status) ?? "OSStatus \(status)")
}
