// For sources that say `import CoreFoundation`. It only has the CF-shaped names that the keychain needs.
@_exported public import ThumbSecurityAPI
