public import ThumbSecrets

/// What cargo asks a credential provider: a JSON object on a line. The Cargo Book has the form, under *Credential provider protocol*.
public enum CargoRequest: Sendable {
    /// Cargo wants the token of the index.
    case get(index: String)
    /// The token is to be kept; nil if the owner has yet to be asked for it, who finds it at that page.
    case login(index: String, token: SecretBytes?, page: String?)
    /// The token is to be forgotten.
    case logout(index: String)
    /// Another request, which a later cargo may make.
    case unknown

    /// The version of the protocol that is spoken here.
    public static let version = 1

    /// Reads a line. Fails with `malformed`, `incomplete`, `tooLong`, `unspeakable` and `noMemory`.
    public init(_ line: SecretBytes) throws(FormRefusal) {
        let object = try SecretJSON(line)
        guard object.isNumber("v", "\(Self.version)"), let kind = try object.text("kind") else { throw .incomplete }
        guard ["get", "login", "logout"].contains(kind) else {
            self = .unknown
            return
        }
        guard let index = try object.object("registry")?.text("index-url"), !index.isEmpty else { throw .incomplete }
        switch kind {
        case "login":
            self = .login(index: index, token: try object.secret("token"), page: try object.text("login-url"))
        case "logout": self = .logout(index: index)
        default: self = .get(index: index)
        }
    }
}
