#if os(Linux)
/// What a device knows about its way into an account. It is in the keychain because it contains the token.
struct SignInRecord: Codable, Sendable {
    /// The key's name at the server.
    var device: String
    /// The key's guard. Another guard needs another key.
    var guardedBy: String
    /// Whether the server has said that it knows the key. The server may know it earlier, if its answer was lost; it answers a repeated
    /// registration in the same way.
    var isRegistered = false
    /// Why the key can't be used any more.
    var loss: SignIn.Loss?
    var token: String?
    /// Seconds since 1970.
    var expires: Int64?
    /// Earlier keys of this device that the server hasn't been told to revoke yet.
    var former: [String] = []

    /// More than an account can have.
    static let mostFormer = 32
}
#endif
