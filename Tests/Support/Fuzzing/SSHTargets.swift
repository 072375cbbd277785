import ThumbAccess
import ThumbCrypto

@testable import ThumbSSHAgent
@testable import ThumbSSHAgentServer

/// A connection to the SSH agent: requests one after the other, each with its length before it.
enum SSHAgentTarget {
    private static let room = "Sources/Rules/SSHAgent/"

    static let target = FuzzTarget(
        "ssh-agent", longest: 1024,
        sources: ["AgentRequest", "AgentSession", "HostKey", "SSHReader", "SignedData", "SigningPurpose"].map {
            room + $0 + ".swift"
        } + ["Sources/Parts/SSHAgentServer/HostProof+Crypto.swift"],
        words: ["session-bind@openssh.com", "publickey-hostbound-v00@openssh.com", "-cert-v01@openssh.com", "rsa-sha2-512"],
        seeds: { seeds }, parse: { try read($0) })

    private static func read(_ input: [UInt8]) throws -> [UInt8]? {
        var feed = ByteFeed(input)
        var session = AgentSession()
        var sessions: Set<[UInt8]> = []
        var user: [UInt8]?
        while !feed.isAtEnd {
            let body = feed.bytes(Int(feed.number(bytes: 4)))
            let request = try accepted { () throws(AgentRefusal) -> AgentRequest in
                try AgentRequest.read(body)
            } or: {
                $0 == .malformed
            }
            guard let request else { continue }
            try writeAgain(request, body)
            switch request {
            case .bind(let binding): if try bind(binding, &session) { sessions.insert(binding.session) }
            case .sign(let key, let data, _): user = try sign(data, key, session) ?? user
            case .identities: try offer()
            case .other: try must(AgentReply.failure.frame == [0, 0, 0, 1, 5], "a refusal has another form")
            }
        }
        try must(sessions.count <= AgentLimit.bindings, "a connection is bound to \(sessions.count) sessions")
        return user
    }

    /// A request that is known has one form.
    private static func writeAgain(_ request: AgentRequest, _ body: [UInt8]) throws(Wrong) {
        var writer = SSHWriter()
        switch request {
        case .identities: writer.byte(11)
        case .sign(let key, let data, let flags):
            writer.byte(13)
            writer.string(key)
            writer.string(data)
            writer.number(Int(flags))
        case .bind(let binding):
            writer.byte(27)
            writer.text(SessionBinding.name)
            writer.string(binding.host)
            writer.string(binding.session)
            writer.string(binding.signature)
            writer.byte(binding.isForwarding ? 1 : 0)
        case .other: return
        }
        try must(writer.bytes == body, "a request isn't written as it was read")
    }

    private static func offer() throws(Wrong) {
        let frame = AgentReply.identities([SSHIdentity(blob: key, comment: "work")]).frame
        try must(frame.count == 4 + 1 + 4 + 4 + key.count + 4 + 4, "a list of one key has \(frame.count) bytes")
    }

    /// Every proof counts here, so that what follows is reached. Whether it is true is found out all the same.
    private static func bind(_ binding: SessionBinding, _ session: inout AgentSession) throws(Wrong) -> Bool {
        let isBound: Void? = try accepted { () throws(AgentRefusal) in
            try session.bind(binding) { proof in
                _ = proof.isGenuine
                return true
            }
        } or: {
            $0 == .badBinding || $0 == .boundAlready || $0 == .tooManyBindings
        }
        return isBound != nil
    }

    private static func sign(_ data: [UInt8], _ key: [UInt8], _ session: AgentSession) throws(Wrong) -> [UInt8]? {
        let purpose = try accepted { () throws(AgentRefusal) -> SigningPurpose in
            try session.purpose(of: data, with: key, asksForOwner: true)
        } or: {
            ![.malformed, .unsupported, .unknownKey, .boundAlready, .tooManyBindings].contains($0)
        }
        guard let purpose else { return nil }
        let reason = purpose.reason(label: "work", program: "ssh (process 12)") { KeyFingerprint.of($0) }
        try must(
            SafeText(reason, limit: .max).description == reason, "a reason can draw on the screen")
        let frame = AgentReply.signature(data).frame
        try must(frame.count == 4 + 1 + 4 + data.count, "a signature's frame has \(frame.count) bytes")
        switch purpose.what {
        case .signIn(let user, _): return Array(user.utf8)
        case .message(let namespace): return Array(namespace.utf8)
        }
    }

    // MARK: Seeds

    private static func string(_ bytes: [UInt8]) -> [UInt8] { bigEndian(bytes.count, bytes: 4) + bytes }
    private static func string(_ text: String) -> [UInt8] { string(Array(text.utf8)) }

    private static let session = [UInt8](1...32)
    private static let key = SSHForms.publicKey([4] + [UInt8](repeating: 2, count: 64)) ?? []
    private static let host = string("ssh-ed25519") + string([UInt8](repeating: 1, count: 32))

    private static func binding(_ host: [UInt8], _ algorithm: String, _ signature: [UInt8], isForwarding: UInt8 = 0) -> [UInt8] {
        let proof: [UInt8] = string(algorithm) + string(signature)
        let named: [UInt8] = [27] + string(SessionBinding.name)
        let body: [UInt8] = named + string(host) + string(session) + string(proof) + [isForwarding]
        return string(body)
    }

    private static func signing(_ data: [UInt8]) -> [UInt8] {
        let body: [UInt8] = [13] + string(key) + string(data) + [0, 0, 0, 0]
        return string(body)
    }

    private static func signIn(_ method: String) -> [UInt8] {
        let head: [UInt8] = string(session) + [50] + string("anna") + string("ssh-connection")
        return head + string(method) + [1] + string(SSHForms.algorithm) + string(key)
    }

    private static var message: [UInt8] {
        let head: [UInt8] = Array("SSHSIG".utf8) + string("file") + string("")
        return head + string("sha256") + string([UInt8](repeating: 3, count: 32))
    }

    private static var seeds: [[UInt8]] {
        let bound = binding(host, "ssh-ed25519", [UInt8](repeating: 4, count: 64))
        let point = [UInt8](repeating: 1, count: 32)
        let certificate: [UInt8] = string("ssh-ed25519-cert-v01@openssh.com") + string("nonce") + string(point)
        let curve: [UInt8] = [4] + [UInt8](repeating: 2, count: 64)
        let ecdsa: [UInt8] = string("ecdsa-sha2-nistp256") + string("nistp256") + string(curve)
        let modulus: [UInt8] = [0] + [UInt8](repeating: 0xc1, count: 128)
        let rsa: [UInt8] = string("ssh-rsa") + string([1, 0, 1]) + string(modulus)
        let hostBound = signIn("publickey-hostbound-v00@openssh.com") + string(host)
        return [
            string([11]), signing(signIn("publickey")), signing(hostBound), signing(message),
            bound + signing(signIn("publickey")),
            bound + signing(hostBound), binding(host, "ssh-ed25519", [], isForwarding: 1) + signing(message),
            binding(certificate, "ssh-ed25519", []), binding(ecdsa, "ecdsa-sha2-nistp256", string([1]) + string([2])),
            binding(rsa, "rsa-sha2-512", [1]), binding(rsa, "rsa-sha2-256", [1]), string([17]),
        ]
    }
}

/// OpenSSH's file of known hosts. The first line of an input is the command line that asks for one of them.
enum KnownHostsTarget {
    static let target = FuzzTarget(
        "known-hosts", longest: 512, sources: ["Sources/Rules/SSHAgent/KnownHosts.swift"],
        words: ["|1|", "ssh-ed25519", "@revoked", "ssh://", "-p"], seeds: { seeds },
        parse: { input in
            var feed = ByteFeed(input)
            let candidates = KnownHosts.candidates(feed.text(before: 0x0a).split(separator: " ").map(String.init))
            try must(candidates.count <= 64 * 5, "\(candidates.count) names are tried")
            try must(
                candidates.allSatisfy { $0.utf8.count <= 255 + "[]:65535".utf8.count }, "a name is tried that is longer than any")
            let hosts = KnownHosts(String(decoding: feed.remainder(), as: UTF8.self))
            // A code that anybody can follow: the salt and the name.
            guard let name = hosts.name(of: key, candidates: candidates, code: { $0 + Array($1.utf8) }) else { return nil }
            try must(
                candidates.contains(name) || !name.hasPrefix("|") && !name.contains { "*?!".contains($0) },
                "'\(name)' is a pattern or hides a name")
            return Array(name.utf8)
        })

    private static let key = [UInt8](repeating: 7, count: 12)

    private static var seeds: [[UInt8]] {
        let base64 = Base64.padded.encoded(key)
        let hidden = "|1|\(Base64.padded.encoded([1, 2]))|\(Base64.padded.encoded([1, 2] + Array("web.example".utf8)))"
        let texts = [
            "ssh web.example\nweb.example,[web.example]:22,10.0.0.1 ssh-ed25519 \(base64) words\n",
            "ssh -p 2222 anna@web.example\n# comment\n\n[web.example]:2222 ssh-ed25519 \(base64)\n",
            "ssh ssh://anna@web.example\n\(hidden) ssh-ed25519 \(base64)\n", "ssh\n\(hidden) ssh-ed25519 \(base64)\n",
            "ssh\n@revoked web.example ssh-ed25519 \(base64)\n*.example,!a.example ssh-ed25519 \(base64)\n",
            "ssh -p22 web.example\nweb.example ssh-ed25519\n|1|x|y ssh-ed25519 \(base64)\n",
        ]
        return texts.map { Array($0.utf8) }
    }
}
