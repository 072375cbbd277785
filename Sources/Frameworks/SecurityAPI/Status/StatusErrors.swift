import Foundation

// Error objects whose description has the form that Apple's have: the number is in it, because programs log nothing else.

/// An error in the domain of statuses.
/// - Parameter text: what it means here; nil for what the status always means.
package func statusError(_ status: OSStatus, _ text: String? = nil) -> CFError {
    describedError(kCFErrorDomainOSStatus as String, "OSStatus", Int(status), text ?? statusText(status))
}

/// An error in the domain of Apple's key token.
func tokenError(_ code: Int, _ text: String) -> CFError { describedError("CryptoTokenKit", "CryptoTokenKit", code, text) }

/// - Parameter name: what the description calls the domain.
private func describedError(_ domain: String, _ name: String, _ code: Int, _ text: String?) -> CFError {
    let reason = text.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
    let number = "\(name) error \(code)" + (reason.map { " - \($0)" } ?? ".")
    var details: [String: Any] = [NSLocalizedDescriptionKey: "The operation couldn’t be completed. (\(number))"]
    details[kCFErrorDescriptionKey as String] = reason
    return NSError(domain: domain, code: code, userInfo: details)
}
