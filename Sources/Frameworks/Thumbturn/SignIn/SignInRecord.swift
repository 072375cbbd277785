#if os(Linux)
/// What a device knows of its way into an account. It lies in the keychain because of the token.
struct SignInRecord: Codable, Sendable {
    /// The key's name at the server.
    var device: String
    /// What guards the key; another wish makes another key.
    var guardedBy: String
    /// The server has said that it knows the key. Until then it may, if its answer was lost: registering again is answered alike.
    var isRegistered = false
    /// Why the key is of no use any more.
    var loss: SignIn.Loss?
    var token: String?
    /// Seconds since 1970.
    var expires: Int64?
    /// Keys of this device that came before, and that the server hasn't yet been told to forget.
    var former: [String] = []

    /// More than an account can have.
    static let mostFormer = 32
}
#endif
