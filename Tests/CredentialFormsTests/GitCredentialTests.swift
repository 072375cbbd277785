import Testing
import ThumbCredentialForms
import ThumbSecrets

@Suite("What git says to a credential helper")
struct GitCredentialTests {
    private func read(_ text: String) throws -> GitCredential { try GitCredential(SecretBytes(copying: text.utf8)) }

    @Test("A whole description is read, and the password stays a secret")
    func whole() throws {
        let credential = try read("protocol=https\nhost=example.com:8443\npath=a/b.git\nusername=anna\npassword=p=w\n")
        #expect(credential.place == "https://example.com:8443/a/b.git")
        #expect(credential.user == "anna")
        #expect(try credential.password == SecretBytes(copying: "p=w".utf8))
        #expect(!credential.keepsState && !credential.isOurs)
    }

    @Test("An empty name and an empty password are there, and no name is another thing")
    func empty() throws {
        let credential = try read("protocol=https\nhost=sso.tld\nusername=\npassword=\n")
        #expect(credential.user == "")
        #expect(credential.password?.isEmpty == true)
        let bare = try read("protocol=https\nhost=sso.tld")
        #expect(bare.user == nil)
        #expect(bare.password == nil)
    }

    @Test("An empty line ends it, keys that aren't known are passed over, and the last of two values counts")
    func passing() throws {
        let credential = try read("wwwauth[]=Basic\nprotocol=http\nprotocol=https\nfuture=\nhost=a\n\nhost=b\n")
        #expect(credential.place == "https://a")
    }

    @Test("A helper that handed the credential out hears so, where git can keep that")
    func state() throws {
        let credential = try read(
            "capability[]=authtype\ncapability[]=state\nprotocol=https\nhost=a\nstate[]=other.x\nstate[]=\(GitCredential.state)\n"
        )
        #expect(credential.keepsState && credential.isOurs)
    }

    @Test(
        "What isn't formed so is refused",
        arguments: [
            ("protocol\nhost=a\n", FormRefusal.malformed), ("=x\n", .malformed), ("protocol=a\0b\nhost=a\n", .malformed),
            ("host=a\n", .incomplete), ("protocol=\nhost=a\n", .incomplete), ("protocol=https\n", .incomplete),
            ("protocol=https\nhost=\n", .incomplete), ("protocol=https\nhost=a/b\n", .unspeakable),
            ("protocol=https:\nhost=a\n", .unspeakable), ("protocol=a/b\nhost=a\n", .unspeakable),
        ])
    func refused(_ text: String, _ refusal: FormRefusal) {
        #expect(throws: refusal) { try read(text) }
    }

    @Test("A name that isn't UTF-8 is refused; a password that isn't is kept as it is")
    func notText() throws {
        let head = Array("protocol=https\nhost=a\n".utf8)
        #expect(throws: FormRefusal.unspeakable) {
            try GitCredential(SecretBytes(copying: head + Array("username=".utf8) + [0xFF, 0x0A]))
        }
        let credential = try GitCredential(SecretBytes(copying: head + Array("password=".utf8) + [0xFF, 0x0A]))
        #expect(try credential.password == SecretBytes(copying: [0xFF]))
    }

    @Test("A value may have as many bytes as the limit says, and none more")
    func limit() throws {
        let most = String(repeating: "a", count: FormLimit.textBytes)
        #expect(try read("protocol=https\nhost=\(most)\n").host == most)
        #expect(throws: FormRefusal.tooLong) { try read("protocol=https\nhost=\(most)a\n") }
    }

    @Test(
        "A secret is one line with or without its newline, and nothing else is",
        arguments: [("word", "word"), ("word\n", "word"), ("word\r\n", "word"), ("", ""), ("\n", "")])
    func oneLine(_ secret: String, _ line: String) throws {
        #expect(try SecretBytes(copying: secret.utf8).oneLine() == SecretBytes(copying: line.utf8))
    }

    @Test("Two lines, a zero byte or a lone return are no line", arguments: ["a\nb", "a\n\n", "a\0", "a\rb", "a\r"])
    func noLine(_ secret: String) throws {
        #expect(throws: FormRefusal.unspeakable) { try SecretBytes(copying: secret.utf8).oneLine() }
    }
}
