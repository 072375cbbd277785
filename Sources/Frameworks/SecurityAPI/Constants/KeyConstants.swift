// What only keys have: the dictionaries of a pair's halves, and the house's own word on who holds a key.

public import Foundation

/// What a new pair's private half has of its own, a dictionary; as a query key it fails with `errSecParam`.
@safe nonisolated(unsafe) public let kSecPrivateKeyAttrs: CFString = "private"
/// What a new pair's public half has of its own, a dictionary; as a query key it fails with `errSecParam`.
@safe nonisolated(unsafe) public let kSecPublicKeyAttrs: CFString = "public"
/// Who holds a Secure Enclave key, in what `SecKeyCopyAttributes` returns: `TPM` or `software`. Thumbturn's own; Apple's systems
/// have no such key.
@safe nonisolated(unsafe) public let kThumbturnKeyCustodian: CFString = "thumbturn.custodian"
/// The name that a sign-in key has at servers: SHA-256 of its public half (SubjectPublicKeyInfo), in base64url. Thumbturn's own.
@safe nonisolated(unsafe) public let kThumbturnKeyDevice: CFString = "thumbturn.device"
