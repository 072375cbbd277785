public import ThumbSecrets

/// A credential as git describes it to its helpers: `key=value` on each line, up to an empty line or the end.
///
/// git-credential(1) has the form. Keys that a helper doesn't know are passed over, as that page demands, and the last of two values counts.
public struct GitCredential: Sendable {
    /// How the host is spoken to, such as `https`.
    public let scheme: String
    /// The host, with its port if that isn't the usual one. It is empty for a certificate's passphrase.
    public let host: String
    /// The path at the host, if git was told that it matters.
    public let path: String?
    /// Whose credential it is; nil if any will do.
    public let user: String?
    /// What git wants to be kept or erased.
    public let password: SecretBytes?
    /// Whether git gives back what it is handed beside the credential.
    public let keepsState: Bool
    /// Whether this helper itself handed out the credential.
    public let isOurs: Bool

    /// The line that marks a credential as handed out by this helper.
    public static let state = "thumbturn.kept=1"

    /// Reads all that git wrote. Fails with `malformed`, `incomplete` without a protocol, `unspeakable` for a part that would be taken for
    /// several, `tooLong`, and `noMemory`.
    public init(_ input: SecretBytes) throws(FormRefusal) {
        let lines = try KeyedLines(
            input, known: ["protocol", "host", "path", "username", "capability[]", "state[]"], secret: "password",
            longest: FormLimit.textBytes)
        guard let scheme = lines.text("protocol"), !scheme.isEmpty else { throw .incomplete }
        (self.scheme, host, path) = (scheme, lines.text("host") ?? "", lines.text("path"))
        // A slash in one of them would make the name of another place.
        guard !scheme.utf8.contains(where: Self.ends), !host.utf8.contains(UInt8(ascii: "/")) else { throw .unspeakable }
        guard !host.isEmpty || path != nil else { throw .incomplete }
        user = lines.text("username")
        password = lines.secret
        keepsState = lines.all("capability[]").contains("state")
        isOurs = lines.all("state[]").contains(Self.state)
    }

    /// The place, as a URL.
    public var place: String { "\(scheme)://\(host)" + (path.map { "/" + $0 } ?? "") }

    private static func ends(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") || byte == UInt8(ascii: ":") }
}
