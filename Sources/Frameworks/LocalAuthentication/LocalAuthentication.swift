// The name that apps import. It re-exports Foundation and the keychain's names, as Apple's module does. The names come from
// ThumbSecurityAPI, because a module called Security would change `#if canImport(Security)` in every package of the build.
@_exported public import Foundation
@_exported public import ThumbLocalAuthenticationAPI
@_exported public import ThumbSecurityAPI
