import Testing
import ThumbAccess

@testable import ThumbSSHAgent

@Suite("SSH's forms")
struct FormsTests {
    private func signature(_ r: [UInt8], _ s: [UInt8]) -> [UInt8] {
        Wire.string("ecdsa-sha2-nistp256") + Wire.string(Wire.string(r) + Wire.string(s))
    }

    @Test("A public key is its type, its curve and its point; nothing else than an uncompressed point is one")
    func publicKey() {
        #expect(SSHForms.publicKey(Wire.point) == Wire.key)
        #expect(SSHForms.publicKey(Array(Wire.point.dropLast())) == nil)
        #expect(SSHForms.publicKey([2] + Wire.point.dropFirst()) == nil)
    }

    @Test("The numbers of a signature keep their sign's zero and lose every other")
    func numbers() {
        #expect(SSHForms.signature([0x30, 6, 2, 1, 1, 2, 1, 0x7f]) == signature([1], [0x7f]))
        #expect(SSHForms.signature([0x30, 8, 2, 2, 0, 0x80, 2, 2, 0, 0xff]) == signature([0, 0x80], [0, 0xff]))
        let long: [UInt8] = [0] + [UInt8](repeating: 0xff, count: 32)
        #expect(SSHForms.signature([0x30, 70, 2, 33] + long + [2, 33] + long) == signature(long, long))
    }

    @Test(
        "What isn't a signature's one form is none",
        arguments: [
            [], [0x30, 0], [0x30, 6, 2, 1, 0, 2, 1, 1], [0x30, 6, 2, 1, 0x80, 2, 1, 1], [0x30, 7, 2, 2, 0, 1, 2, 1, 1],
            [0x30, 6, 2, 1, 1, 2, 1, 1, 0], [0x30, 7, 2, 1, 1, 2, 1, 1], [0x30, 0x81, 6, 2, 1, 1, 2, 1, 1],
            [0x31, 6, 2, 1, 1, 2, 1, 1],
            [0x30, 7, 2, 1, 1, 2, 1, 1, 0], [0x30, 40, 2, 33] + [UInt8](repeating: 1, count: 33) + [2, 1, 1],
        ] as [[UInt8]])
    func malformed(der: [UInt8]) { #expect(SSHForms.signature(der) == nil) }

    @Test("A host's key is read in the kinds that servers have, and inside a certificate")
    func hostKeys() throws {
        let ed25519 = [UInt8](repeating: 1, count: 32)
        #expect(try HostKey(Wire.host(1)) == .ed25519(ed25519))
        #expect(try HostKey(Wire.key) == .ecdsa(.p256, Wire.point))
        let certificate =
            Wire.string("ssh-ed25519-cert-v01@openssh.com") + Wire.string("nonce") + Wire.string(ed25519) + Wire.number(0)
        #expect(try HostKey(certificate) == .ed25519(ed25519))
        let rsa = Wire.string("ssh-rsa") + Wire.string([1, 0, 1]) + Wire.string([0] + [UInt8](repeating: 0xc1, count: 256))
        #expect(
            try HostKey(rsa)
                == .rsa([0x30, 0x82, 1, 10, 2, 0x82, 1, 1, 0] + [UInt8](repeating: 0xc1, count: 256) + [2, 3, 1, 0, 1]))
        #expect(refusal { () throws(AgentRefusal) in try HostKey(Wire.string("ssh-dss")) } == .unsupported)
        #expect(refusal { () throws(AgentRefusal) in try HostKey(Wire.host(1) + [0]) } == .malformed)
        #expect(refusal { () throws(AgentRefusal) in try HostKey(Wire.string("ssh-ed25519") + Wire.string([1])) } == .malformed)
    }
}

@Suite("What the owner is told")
struct TellingTests {
    private static let names: [[UInt8]: String] = [Wire.host(1): "bastion", Wire.host(2): "web.example"]

    private func reason(_ what: SigningPurpose.What, _ hops: [[UInt8]] = []) -> String {
        SigningPurpose(what: what, hops: hops).reason(label: "work", program: "ssh (process 12)") { Self.names[$0] ?? "SHA256:x" }
    }

    @Test("The host, the user, the key and the program")
    func signIn() {
        #expect(
            reason(.signIn(user: "git", host: Wire.host(2)))
                == "sign in to web.example as git, with the SSH key 'work', for ssh (process 12)")
        #expect(
            reason(.signIn(user: "git", host: nil))
                == "sign in as git to a host that wasn't named, with the SSH key 'work', for ssh (process 12)")
        #expect(
            reason(.message(namespace: "git")) == "give a signature for 'git', with the SSH key 'work', for ssh (process 12)")
    }

    @Test("A forwarded agent is shown as one, with the machine that asks")
    func forwarded() {
        #expect(
            reason(.signIn(user: "git", host: Wire.host(2)), [Wire.host(1)])
                == "sign in to web.example as git, asked from bastion through a forwarded agent, "
                + "with the SSH key 'work', for ssh (process 12)")
        #expect(
            reason(.message(namespace: "git"), [Wire.host(3), Wire.host(1)])
                .contains("asked from bastion through a forwarded agent (2 machines away)"))
    }

    @Test("Words of a peer's can't push the host off, nor draw")
    func hostile() {
        let text = reason(.signIn(user: String(repeating: "\u{1b}[2J\n", count: 100), host: Wire.host(2)), [Wire.host(1)])
        #expect(text.hasPrefix("sign in to web.example as \u{fffd}[2J "))
        #expect(text.contains("asked from bastion"))
        #expect(text.count <= SafeText.limit)
        #expect(!text.unicodeScalars.contains { $0.value < 32 })
    }
}

@Suite("Known hosts")
struct KnownHostsTests {
    private static let line = Base64.padded.encoded(Wire.host(1))

    private func name(_ text: String, _ candidates: [String] = [], key: UInt8 = 1) -> String? {
        // A code that anybody can follow: the salt and the name.
        KnownHosts(text).name(of: Wire.host(key), candidates: candidates) { $0 + Array($1.utf8) }
    }

    private func hashed(_ name: String) -> String {
        "|1|\(Base64.padded.encoded([1, 2]))|\(Base64.padded.encoded([1, 2] + Array(name.utf8))) ssh-ed25519 \(Self.line)"
    }

    @Test("A host is known by its key, and has the name that was asked for, else its first")
    func names() {
        let text = "# comment\n\nother ssh-ed25519 AAAA\na.example,[b.example]:22,10.0.0.1 ssh-ed25519 \(Self.line) words\n"
        #expect(name(text) == "a.example")
        #expect(name(text, ["10.0.0.1"]) == "10.0.0.1")
        #expect(name(text, ["liar.example"]) == "a.example")
        #expect(name(text, key: 2) == nil)
    }

    @Test("A hashed name is found by trying, and not told otherwise")
    func hashedNames() {
        #expect(name(hashed("web.example"), ["ssh", "web.example"]) == "web.example")
        #expect(name(hashed("web.example"), ["WEB.example"]) == "WEB.example")
        #expect(name(hashed("web.example"), ["liar.example"]) == nil)
        #expect(name(hashed("web.example")) == nil)
    }

    @Test("Patterns, revoked keys, authorities and what can't be read name nobody")
    func others() {
        for line in [
            "*.example ssh-ed25519 \(Self.line)", "!a.example ssh-ed25519 \(Self.line)", "@revoked a ssh-ed25519 \(Self.line)",
            "@cert-authority a ssh-ed25519 \(Self.line)", "a ssh-ed25519", "|1|x|y ssh-ed25519 \(Self.line)",
        ] { #expect(name(line, ["a"]) == nil, "\(line)") }
    }

    @Test("Names are looked for in every word of a command line, with its ports")
    func candidates() {
        #expect(KnownHosts.candidates(["ssh", "-p", "2222", "me@web.example"]).contains("[web.example]:2222"))
        #expect(KnownHosts.candidates(["ssh", "-p2222", "me@web.example", "true"]).contains("web.example"))
        #expect(KnownHosts.candidates(["ssh", "ssh://me@web.example"]).contains("web.example"))
        #expect(KnownHosts.candidates(["ssh"]).isEmpty)
        #expect(KnownHosts.candidates(["ssh"] + (0..<200).map(String.init)).count <= 64 * 5)
    }
}
