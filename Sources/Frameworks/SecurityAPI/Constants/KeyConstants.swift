// Names for keys only: the dictionaries of a pair's halves, and Thumbturn's own attributes.

public import Foundation

/// A dictionary of attributes for only the private half of a new pair. In a query it fails with `errSecParam`.
@safe nonisolated(unsafe) public let kSecPrivateKeyAttrs: CFString = "private"
/// A dictionary of attributes for only the public half of a new pair. In a query it fails with `errSecParam`.
@safe nonisolated(unsafe) public let kSecPublicKeyAttrs: CFString = "public"
/// Who holds a Secure Enclave key, `TPM` or `software`, in what `SecKeyCopyAttributes` returns.
///
/// Apple's systems have no such name.
@safe nonisolated(unsafe) public let kThumbturnKeyCustodian: CFString = "thumbturn.custodian"
/// The name by which servers know a sign-in key: SHA-256 of its public half (SubjectPublicKeyInfo), in base64url.
///
/// Apple's systems have no such name.
@safe nonisolated(unsafe) public let kThumbturnKeyDevice: CFString = "thumbturn.device"
