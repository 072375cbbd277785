import Testing
import ThumbAccess

@testable import ThumbSSHAgent

@Suite("What a connection may have signed")
struct SessionTests {
    private func binding(
        _ host: UInt8 = 1, _ session: [UInt8] = Wire.session, isForwarding: Bool = false, signature: [UInt8] = Wire.hostSignature
    ) throws -> SessionBinding {
        guard
            case .bind(let binding) = try AgentRequest.read(
                Wire.binding(Wire.host(host), session, isForwarding: isForwarding, signature: signature))
        else { throw AgentRefusal.malformed }
        return binding
    }

    private func bound(_ bindings: SessionBinding...) throws -> AgentSession {
        var session = AgentSession()
        for binding in bindings { try session.bind(binding) { _ in true } }
        return session
    }

    private func purpose(
        _ session: AgentSession, _ data: [UInt8], asksForOwner: Bool = true
    ) -> Result<SigningPurpose, AgentRefusal> {
        Result { () throws(AgentRefusal) in try session.purpose(of: data, with: Wire.key, asksForOwner: asksForOwner) }
    }

    @Test("A binding is taken when the host signed for that session, and for nothing else")
    func verified() throws {
        var session = AgentSession()
        try session.bind(binding()) { proof in
            proof.key == .ed25519([UInt8](repeating: 1, count: 32)) && proof.message == Wire.session
                && proof.signature == [UInt8](repeating: 9, count: 64) && proof.hash == nil
        }
        #expect(!session.isForwarded)
    }

    @Test("After a false binding nothing is signed, whatever is bound later")
    func broken() throws {
        var session = AgentSession()
        let binding = try binding()
        #expect(refusal { () throws(AgentRefusal) in try session.bind(binding) { _ in false } } == .badBinding)
        try session.bind(binding) { _ in true }
        #expect(purpose(session, Wire.signIn()) == .failure(.badBinding))
        #expect(purpose(session, Wire.message()) == .failure(.badBinding))
    }

    @Test("A signature of another kind than the host's key, SHA-1's among them, binds nothing")
    func algorithms() throws {
        for algorithm in ["ssh-rsa", "rsa-sha2-256", "ecdsa-sha2-nistp256", ""] {
            var session = AgentSession()
            let binding = try binding(signature: Wire.string(algorithm) + Wire.string([1]))
            #expect(refusal { () throws(AgentRefusal) in try session.bind(binding) { _ in true } } == .badBinding)
        }
    }

    @Test("A host signs as keys of its kind do: with SHA-2 for RSA, and with its own curve's hash for ECDSA")
    func ownAlgorithms() throws {
        func ecdsa(_ curve: String, bytes: Int) -> [UInt8] {
            Wire.string("ecdsa-sha2-" + curve) + Wire.string(curve) + Wire.string([4] + [UInt8](repeating: 1, count: bytes - 1))
        }
        let rsa = Wire.string("ssh-rsa") + Wire.string([1, 0, 1]) + Wire.string([0] + [UInt8](repeating: 0xc1, count: 256))
        let hosts: [(key: [UInt8], hashes: [String: HashFunction])] = [
            (rsa, ["rsa-sha2-256": .sha256, "rsa-sha2-512": .sha512]),
            (ecdsa("nistp256", bytes: 65), ["ecdsa-sha2-nistp256": .sha256]),
            (ecdsa("nistp384", bytes: 97), ["ecdsa-sha2-nistp384": .sha384]),
            (ecdsa("nistp521", bytes: 133), ["ecdsa-sha2-nistp521": .sha512]),
        ]
        let all = hosts.flatMap { $0.hashes.keys } + ["ssh-rsa", "ssh-ed25519", "ssh-dss", ""]
        for host in hosts {
            for algorithm in all {
                // Two numbers, as ECDSA has them. For RSA any bytes do here.
                let signature = Wire.string(algorithm) + Wire.string(Wire.string([1]) + Wire.string([1]))
                let request = try AgentRequest.read(Wire.binding(host.key, signature: signature))
                guard case .bind(let binding) = request else { throw AgentRefusal.malformed }
                var session = AgentSession()
                var hash: HashFunction?
                let refused = refusal { () throws(AgentRefusal) in
                    try session.bind(binding) { proof in
                        hash = proof.hash
                        return true
                    }
                }
                let wanted = host.hashes[algorithm]
                let expected: AgentRefusal? = wanted == nil ? .badBinding : nil
                #expect(hash == wanted && refused == expected, "\(algorithm)")
            }
        }
    }

    @Test("A connection bound to a sign-in signs that one, and nothing else")
    func boundToSignIn() throws {
        let session = try bound(binding())
        #expect(
            try purpose(session, Wire.signIn()).get() == SigningPurpose(what: .signIn(user: "git", host: Wire.host(1)), hops: []))
        #expect(try purpose(session, Wire.signIn(host: Wire.host(1))).get().hops.isEmpty)
        #expect(purpose(session, Wire.signIn(Wire.otherSession)) == .failure(.otherSession))
        #expect(purpose(session, Wire.signIn(host: Wire.host(2))) == .failure(.otherHost))
        #expect(purpose(session, Wire.message()) == .failure(.notASignIn))
    }

    @Test("It can be bound no further, and to nothing false about what it is bound to")
    func again() throws {
        var session = try bound(binding())
        for other in [try binding(2, Wire.otherSession), try binding(2), try binding(isForwarding: true)] {
            #expect(refusal { () throws(AgentRefusal) in try session.bind(other) { _ in true } } == .boundAlready)
        }
        var forwarded = try bound(binding(isForwarding: true))
        try forwarded.bind(binding(isForwarding: true)) { _ in true }
        let other = try binding(2, isForwarding: true)
        #expect(refusal { () throws(AgentRefusal) in try forwarded.bind(other) { _ in true } } == .boundAlready)
    }

    @Test("Sixteen sessions can be bound, not seventeen")
    func most() throws {
        var session = AgentSession()
        for number in 0..<UInt8(AgentLimit.bindings) {
            try session.bind(binding(1, [number], isForwarding: true)) { _ in true }
        }
        let last = try binding(1, [99], isForwarding: true)
        #expect(refusal { () throws(AgentRefusal) in try session.bind(last) { _ in true } } == .tooManyBindings)
    }

    @Test(
        "A session's identifier has a length: 128 bytes, not 129, not none", arguments: [(128, true), (129, false), (0, false)])
    func identifier(count: Int, isTaken: Bool) throws {
        var session = AgentSession()
        let binding = try binding(1, [UInt8](repeating: 1, count: count))
        #expect((refusal { () throws(AgentRefusal) in try session.bind(binding) { _ in true } } == nil) == isTaken)
    }

    @Test("A forwarded connection names its hops, and where it leads once it is bound to that")
    func forwarded() throws {
        let hop = try binding(1, isForwarding: true)
        let known = try bound(hop, binding(2, Wire.otherSession))
        #expect(
            try purpose(known, Wire.signIn(Wire.otherSession)).get()
                == SigningPurpose(what: .signIn(user: "git", host: Wire.host(2)), hops: [Wire.host(1)]))
        let unknown = try bound(hop)
        #expect(
            try purpose(unknown, Wire.signIn(Wire.otherSession)).get()
                == SigningPurpose(what: .signIn(user: "git", host: nil), hops: [Wire.host(1)]))
        #expect(try purpose(unknown, Wire.message()).get().hops == [Wire.host(1)])
    }

    @Test("The host that the agent is forwarded to can't sign in to itself with the session it has")
    func ownSession() throws {
        #expect(purpose(try bound(binding(isForwarding: true)), Wire.signIn()) == .failure(.otherSession))
    }

    @Test("A host that the agent is forwarded to can't make a sign-in of the session it has by binding it once more")
    func asSignIn() throws {
        var forwarded = try bound(binding(isForwarding: true))
        let again = try binding()
        #expect(refusal { () throws(AgentRefusal) in try forwarded.bind(again) { _ in true } } == .boundAlready)
        #expect(purpose(forwarded, Wire.signIn()) == .failure(.badBinding))
    }

    @Test("A key whose owner isn't asked is of no use to another machine")
    func unattended() throws {
        let session = try bound(binding(isForwarding: true))
        #expect(purpose(session, Wire.message(), asksForOwner: false) == .failure(.unattended))
        #expect(try purpose(AgentSession(), Wire.message(), asksForOwner: false).get().hops.isEmpty)
    }

    @Test("An unbound connection signs in to a host that the data names, or to one that nobody names")
    func unbound() throws {
        #expect(try purpose(AgentSession(), Wire.signIn()).get().what == .signIn(user: "git", host: nil))
        #expect(
            try purpose(AgentSession(), Wire.signIn(host: Wire.host(3))).get().what == .signIn(user: "git", host: Wire.host(3)))
    }

    @Test("Data that names another key, service or algorithm, or has another form, isn't signed")
    func forms() {
        let session = AgentSession()
        #expect(purpose(session, Wire.signIn(key: Wire.otherKey)) == .failure(.otherKey))
        for data in [
            Wire.signIn(service: "ssh-userauth"), Wire.signIn(algorithm: "ssh-ed25519"), Wire.signIn() + [0],
            Array(Wire.signIn().dropLast()), Wire.signIn([]), [UInt8](repeating: 66, count: 32), [],
            Wire.message(""), Wire.message(hash: "sha1", count: 20), Wire.message(count: 32), Wire.message() + [0],
            Array("SSHSIG".utf8), Wire.signIn([UInt8](repeating: 1, count: 129)),
        ] { #expect(purpose(session, data) == .failure(.unknownForm)) }
        #expect(try! purpose(session, Wire.message("file", hash: "sha256", count: 32)).get().what == .message(namespace: "file"))
    }

    @Test("Data of another kind than a sign-in's, or for another method than a public key's, isn't signed")
    func kinds() {
        // The kind comes after the session and its length.
        let place = 4 + Wire.session.count
        for kind in [0, 49, 51, 255] as [UInt8] {
            var data = Wire.signIn()
            data[place] = kind
            #expect(purpose(AgentSession(), data) == .failure(.unknownForm), "\(kind)")
        }
        for method in ["hostbased", "password", "", "publickey-hostbound"] {
            #expect(purpose(AgentSession(), Wire.signIn(method: method)) == .failure(.unknownForm), "\(method)")
        }
    }
}
