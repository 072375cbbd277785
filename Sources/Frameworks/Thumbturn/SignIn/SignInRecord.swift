#if os(Linux)
/// What a device knows of its way into an account. It lies in the keychain because of the token.
struct SignInRecord: Codable, Sendable {
    /// The key's name at the server.
    var device: String
    /// The key's guard. Another guard needs another key.
    var guardedBy: String
    /// Whether the server has said that it knows the key. Before that it may know it, if its answer was lost; registering again
    /// is answered alike.
    var isRegistered = false
    /// Why the key is of no use any more.
    var loss: SignIn.Loss?
    var token: String?
    /// Seconds since 1970.
    var expires: Int64?
    /// Earlier keys of this device that the server hasn't been told to forget yet.
    var former: [String] = []

    /// More than an account can have.
    static let mostFormer = 32
}
#endif
