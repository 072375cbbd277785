import Testing
import ThumbCredentialForms
import ThumbSecrets

@Suite("What docker, cargo and kubectl say in JSON")
struct JSONFormTests {
    private func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: text.utf8) }

    @Test("docker's credential is read, escapes and all, and its secret stays one")
    func docker() throws {
        let credential = try DockerCredential(
            secret(
                #"{"ServerURL":"https://index.docker.io/v1/","Username":"\u003ctoken\u003e","Secret":"p\n\ud83d\ude00","X":1}"#))
        #expect(credential.server == "https://index.docker.io/v1/")
        #expect(credential.user == "<token>")
        #expect(try credential.secret == secret("p\n😀"))
    }

    @Test(
        "What isn't docker's is refused",
        arguments: [
            ("", FormRefusal.malformed), ("[]", .malformed), (#"{"ServerURL":1,"Username":"a","Secret":"b"}"#, .malformed),
            (#"{"ServerURL":"","Username":"a","Secret":"b"}"#, .incomplete), (#"{"ServerURL":"x","Secret":"b"}"#, .incomplete),
            (#"{"ServerURL":"x","Username":"","Secret":"b"}"#, .incomplete), (#"{"ServerURL":"x","Username":"a"}"#, .incomplete),
            (#"{"ServerURL":"x\u0000","Username":"a","Secret":"b"}"#, .unspeakable),
        ])
    func notDocker(_ text: String, _ refusal: FormRefusal) { #expect(throws: refusal) { try DockerCredential(secret(text)) } }

    @Test("A registry is a line, without the blanks around it", arguments: ["a b", " a b\n", "\t\r\na b \n"])
    func server(_ text: String) throws { #expect(try DockerCredential.server(in: secret(text)) == "a b") }

    @Test("Nothing, two lines and a zero byte are no registry", arguments: ["", " \n", "a\nb", "a\0b"])
    func noServer(_ text: String) throws {
        let input = try secret(text)
        #expect(throws: FormRefusal.self) { try DockerCredential.server(in: input) }
    }

    @Test("A text may be as long as the limit says, and no longer")
    func limit() throws {
        let most = String(repeating: "a", count: FormLimit.textBytes)
        #expect(try DockerCredential.server(in: secret(most)) == most)
        #expect(throws: FormRefusal.tooLong) { try DockerCredential.server(in: secret(most + "a")) }
        let credential = try DockerCredential(secret(#"{"ServerURL":"\#(most)","Username":"a","Secret":"b"}"#))
        #expect(credential.server == most)
        #expect(throws: FormRefusal.tooLong) {
            try DockerCredential(secret(#"{"ServerURL":"\#(most)a","Username":"a","Secret":"b"}"#))
        }
    }

    @Test("cargo's requests are told apart")
    func cargo() throws {
        let registry = #""v":1,"registry":{"index-url":"sparse+https://x/","name":"own","headers":[]},"args":[]"#
        guard case .get(let index) = try CargoRequest(secret(#"{\#(registry),"kind":"get","operation":"read"}"#)) else {
            Issue.record("no get")
            return
        }
        #expect(index == "sparse+https://x/")
        guard
            case .login(_, let token, let page) = try CargoRequest(
                secret(#"{\#(registry),"kind":"login","token":"t1","login-url":"https://x/me"}"#))
        else {
            Issue.record("no login")
            return
        }
        #expect(try token == secret("t1"))
        #expect(page == "https://x/me")
        guard case .login(_, nil, nil) = try CargoRequest(secret(#"{\#(registry),"kind":"login"}"#)) else {
            Issue.record("no login without a token")
            return
        }
        guard case .logout = try CargoRequest(secret(#"{\#(registry),"kind":"logout"}"#)) else {
            Issue.record("no logout")
            return
        }
        guard case .unknown = try CargoRequest(secret(#"{"v":1,"kind":"dance"}"#)) else {
            Issue.record("a dance is known")
            return
        }
    }

    @Test(
        "Another version of cargo's protocol, or half a request, is refused",
        arguments: [
            #"{"v":2,"registry":{"index-url":"x"},"kind":"get"}"#, #"{"v":"1","registry":{"index-url":"x"},"kind":"get"}"#,
            #"{"registry":{"index-url":"x"},"kind":"get"}"#, #"{"v":1,"kind":"get"}"#, #"{"v":1,"registry":{},"kind":"get"}"#,
            #"{"v":1,"registry":"x","kind":"get"}"#, #"{"v":1,"registry":{"index-url":""},"kind":"logout"}"#,
        ])
    func notCargo(_ text: String) throws {
        let line = try secret(text)
        #expect(throws: FormRefusal.self) { try CargoRequest(line) }
    }

    @Test("kubectl's version is the one that is answered; another is refused")
    func kubectl() throws {
        for version in KubernetesExec.allCases {
            let question = #"{"kind":"ExecCredential","apiVersion":"\#(version.rawValue)","spec":{"interactive":false}}"#
            #expect(try KubernetesExec(secret(question)) == version)
        }
        for text in [
            #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v2","spec":{}}"#, #"{"kind":"Pod"}"#, "x",
        ] {
            #expect(throws: FormRefusal.self) { try KubernetesExec(secret(text)) }
        }
    }

    @Test(
        "ssh's question for a key's passphrase is known, whole, and nothing else is",
        arguments: [
            ("Enter passphrase for key '/home/anna/.ssh/id': ", AskpassPrompt.passphrase(file: "/home/anna/.ssh/id")),
            ("Enter passphrase for /home/anna/it's: ", .passphrase(file: "/home/anna/it's")),
            ("Enter passphrase for id (will confirm each use): ", .passphrase(file: "id")),
            ("Bad passphrase, try again for /k: ", .wrongPassphrase(file: "/k")),
            ("[sudo] password for anna: ", .sudo), ("[sudo: authenticate] Password: ", .sudo),
            ("(anna@evil.tld) Enter passphrase for key '/home/anna/.ssh/id': ", .unknown),
            ("Enter passphrase for key '/home/anna/.ssh/id", .unknown), ("Enter passphrase for key '/k: ", .unknown),
            ("Enter passphrase for : ", .unknown), ("Enter passphrase: ", .unknown), ("anna@host's password: ", .unknown),
            ("Enter passphrase for /a\nb: ", .unknown), ("", .unknown),
        ])
    func askpass(_ prompt: String, _ meaning: AskpassPrompt) { #expect(AskpassPrompt(prompt) == meaning) }

    @Test("A prompt may be as long as the limit says, and no longer")
    func longPrompt() {
        let (head, tail) = ("Enter passphrase for /", ": ")
        let name = String(repeating: "a", count: FormLimit.textBytes - head.utf8.count - tail.utf8.count)
        #expect(AskpassPrompt(head + name + tail) == .passphrase(file: "/" + name))
        #expect(AskpassPrompt(head + name + "a" + tail) == .unknown)
    }
}
