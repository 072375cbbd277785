// For sources that say `import CoreFoundation`: the CF-shaped names that the keychain needs, and nothing else of it.
@_exported public import ThumbSecurityAPI
