// The name that apps import. It re-exports the CF-shaped names, but not Foundation: that would defeat an app's own `@preconcurrency import
// Foundation`.
@_exported public import ThumbSecurityAPI
