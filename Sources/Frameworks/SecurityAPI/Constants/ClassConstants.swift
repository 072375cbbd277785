// The classes of items.
// The strings are Apple's, because apps keep and exchange dictionaries that contain them.

public import Foundation

/// Selects the class of item; without it, and without a reference, a query fails with `errSecParam`.
@safe nonisolated(unsafe) public let kSecClass: CFString = "class"
/// A password known by account and service.
@safe nonisolated(unsafe) public let kSecClassGenericPassword: CFString = "genp"
/// A password known by account, server, protocol, port, path, scheme and domain.
@safe nonisolated(unsafe) public let kSecClassInternetPassword: CFString = "inet"
/// A certificate, known by type, issuer and serial number.
@safe nonisolated(unsafe) public let kSecClassCertificate: CFString = "cert"
/// A cryptographic key.
@safe nonisolated(unsafe) public let kSecClassKey: CFString = "keys"
/// A private key together with its certificate.
@safe nonisolated(unsafe) public let kSecClassIdentity: CFString = "idnt"
