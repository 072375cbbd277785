// The name apps import. Hands on the CF-shaped names, but not Foundation: that would defeat an app's own
// `@preconcurrency import Foundation`.
@_exported public import ThumbSecurityAPI
