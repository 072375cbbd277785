import CThumbLinux
import ThumbAccess
import ThumbCrypto
import ThumbSSHAgent
import ThumbSystem

/// The names of hosts, from OpenSSH's files. These are read again for each question, because ssh writes to them.
public struct HostNames: Sendable {
    private let files: [String]

    /// - Parameter files: Used instead of the user's and the system's own.
    public init(files: [String] = HostNames.usual) { self.files = files }

    /// The files that OpenSSH itself looks into.
    public static var usual: [String] {
        let home = unsafe thumb_secure_getenv("HOME").map { unsafe String(cString: $0) }
        return (home.map { [$0 + "/.ssh/known_hosts", $0 + "/.ssh/known_hosts2"] } ?? [])
            + ["/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"]
    }

    /// A host's name, or its key's fingerprint.
    /// - Parameter words: The command line of the peer; names in it are tried if the files hash names.
    func name(of key: [UInt8], words: [String]) -> String {
        let candidates = KnownHosts.candidates(words)
        for file in files {
            guard let bytes = Transfer.file(file, atMost: AgentLimit.knownHostsBytes) else { continue }
            let hosts = KnownHosts(String(decoding: bytes, as: UTF8.self))
            if let name = hosts.name(of: key, candidates: candidates, code: Self.code) { return name }
        }
        return KeyFingerprint.of(key)
    }

    /// HMAC-SHA-1, with which known_hosts hides names.
    private static func code(_ salt: [UInt8], _ name: String) -> [UInt8]? {
        let block = 64
        guard salt.count <= block else { return nil }
        let key = salt + [UInt8](repeating: 0, count: block - salt.count)
        guard let inner = try? HashFunction.sha1.hash(key.map { $0 ^ 0x36 } + Array(name.utf8)) else { return nil }
        return try? HashFunction.sha1.hash(key.map { $0 ^ 0x5c } + inner)
    }
}
