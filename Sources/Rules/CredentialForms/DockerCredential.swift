public import ThumbSecrets

/// A registry's credential as docker gives it to its helpers to keep: a JSON object. docker-credential-helpers has the form.
public struct DockerCredential: Sendable {
    /// The registry, as docker names it: mostly a URL.
    public let server: String
    /// Whose credential it is.
    public let user: String
    /// The password or the token.
    public let secret: SecretBytes

    /// Reads what docker sends with `store`. Fails with `malformed`, `incomplete`, `tooLong`, `unspeakable` and `noMemory`.
    public init(_ input: SecretBytes) throws(FormRefusal) {
        let object = try SecretJSON(input)
        guard let server = try object.text("ServerURL"), let user = try object.text("Username"),
            let secret = try object.secret("Secret"), !server.isEmpty, !user.isEmpty
        else { throw .incomplete }
        (self.server, self.user, self.secret) = (server, user, secret)
    }

    /// Reads the registry that docker sends with `get` and `erase`: a line without blanks around it.
    public static func server(in input: SecretBytes) throws(FormRefusal) -> String {
        func isBlank(_ place: Int) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(input[place]) }
        guard let first = (0..<input.count).first(where: { !isBlank($0) }),
            let last = (0..<input.count).last(where: { !isBlank($0) })
        else { throw .incomplete }
        guard last - first < FormLimit.textBytes else { throw .tooLong }
        guard !(first...last).contains(where: { input[$0] == 0 || input[$0] == UInt8(ascii: "\n") }) else { throw .malformed }
        return try input.text(first..<last + 1)
    }
}
