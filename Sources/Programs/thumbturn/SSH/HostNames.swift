internal import CThumbLinux
internal import ThumbAccess
internal import ThumbCrypto
internal import ThumbSSHAgent

/// What hosts are called, as OpenSSH's files tell: read anew for each question, because ssh writes to them.
struct HostNames: Sendable {
    private let files: [String]

    init(files: [String] = HostNames.usual) { self.files = files }

    static var usual: [String] {
        let home = unsafe thumb_secure_getenv("HOME").map { unsafe String(cString: $0) }
        return (home.map { [$0 + "/.ssh/known_hosts", $0 + "/.ssh/known_hosts2"] } ?? [])
            + ["/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"]
    }

    /// A host's name, or its key's fingerprint.
    /// - Parameter words: The command line of who asks; a name in it is tried where names are hashed.
    func name(of key: [UInt8], words: [String]) -> String {
        let candidates = KnownHosts.candidates(words)
        for file in files {
            guard let bytes = Files.contents(file, atMost: AgentLimit.knownHostsBytes) else { continue }
            let hosts = KnownHosts(String(decoding: bytes, as: UTF8.self))
            if let name = hosts.name(of: key, candidates: candidates, code: Self.code) { return name }
        }
        return SSHKey.fingerprint(key)
    }

    /// HMAC-SHA-1, which is what known_hosts hides names with.
    private static func code(_ salt: [UInt8], _ name: String) -> [UInt8]? {
        let block = 64
        guard salt.count <= block else { return nil }
        let key = salt + [UInt8](repeating: 0, count: block - salt.count)
        guard let inner = try? HashFunction.sha1.hash(key.map { $0 ^ 0x36 } + Array(name.utf8)) else { return nil }
        return try? HashFunction.sha1.hash(key.map { $0 ^ 0x5c } + inner)
    }
}

extension HostProof {
    /// Whether the host made the signature.
    var isGenuine: Bool {
        do {
            switch key {
            case .ed25519(let point): return try Ed25519.isSignature(signature, of: message, key: point)
            case .ecdsa(_, let point):
                guard let hash else { return false }
                return try PublicKey(external: point, .elliptic).isSignature(signature, of: hash.hash(message), .ecdsa)
            case .rsa(let external):
                guard let hash else { return false }
                return try PublicKey(external: external, .rsa).isSignature(signature, of: hash.hash(message), .rsaPKCS1(hash))
            }
        } catch {
            // A key that is none has signed nothing.
            return false
        }
    }
}
