// The name apps import. Hands on Foundation and the keychain's names, as Apple's module does; the names come from
// ThumbSecurityAPI, because a module called Security would change `#if canImport(Security)` in every package of the build.
@_exported public import Foundation
@_exported public import ThumbLocalAuthenticationAPI
@_exported public import ThumbSecurityAPI
