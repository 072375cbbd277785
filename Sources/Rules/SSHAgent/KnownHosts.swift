import ThumbAccess

/// The names of hosts in OpenSSH's `known_hosts`.
public struct KnownHosts: Sendable {
    private struct Entry: Sendable {
        let names: [Substring]
        let key: Substring
    }

    private let entries: [Entry]

    /// Lines that can't be read are skipped, as OpenSSH does. So are marked lines: a revoked key has no good name, and an authority isn't a
    /// host.
    public init(_ text: String) {
        entries = text.split(whereSeparator: \.isNewline).compactMap { line in
            let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
            guard words.count >= 3, !words[0].hasPrefix("#"), !words[0].hasPrefix("@") else { return nil }
            return Entry(names: words[0].split(separator: ","), key: words[2])
        }
    }

    /// The name of the host with that key; nil if it has none here.
    /// - Parameters:
    ///   - candidates: Names that it may have. A hashed name can't be read, only compared.
    ///   - code: HMAC-SHA-1 of a name, under a salt.
    public func name(of key: [UInt8], candidates: [String], code: (_ salt: [UInt8], _ name: String) -> [UInt8]?) -> String? {
        let wanted = Base64.padded.encoded(key)
        let names = entries.filter { $0.key == wanted }.flatMap(\.names)
        // If the owner asked for one of the names, that is how they know the host, even if it has others.
        if let asked = candidates.first(where: { candidate in names.contains { Self.matches($0, candidate, code) } }) {
            return asked
        }
        return names.first { !$0.hasPrefix("|") && !$0.contains { "*?!".contains($0) } }.map(String.init)
    }

    private static func matches(
        _ name: Substring, _ candidate: String, _ code: (_ salt: [UInt8], _ name: String) -> [UInt8]?
    ) -> Bool {
        guard name.hasPrefix("|1|") else { return name == candidate }
        let parts = name.split(separator: "|")
        guard parts.count == 3, let salt = Base64.padded.decoded(parts[1]), let hash = Base64.padded.decoded(parts[2]) else {
            return false
        }
        return code(salt, candidate.lowercased()) == hash
    }

    /// The names that a command line may mean: every word, without a user before it, with and without every port in the line.
    public static func candidates(_ words: [String]) -> [String] {
        let hosts = words.dropFirst().compactMap { word -> String? in
            var host = word[...]
            if host.hasPrefix("ssh://") { host = host.dropFirst(6) }
            if let sign = host.lastIndex(of: "@") { host = host[host.index(after: sign)...] }
            return host.isEmpty || host.hasPrefix("-") || host.utf8.count > 255 ? nil : String(host)
        }
        let ports = words.dropFirst().compactMap { UInt16($0.hasPrefix("-p") ? $0.dropFirst(2) : $0[...]) }
        return Array(hosts.prefix(64)).flatMap { host in ports.prefix(4).map { "[\(host)]:\($0)" } + [host] }
    }
}
