import ThumbSSHAgent

/// SSH's values, written by hand: a second opinion on what the room reads.
enum Wire {
    static func number(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
    static func string(_ bytes: [UInt8]) -> [UInt8] { number(bytes.count) + bytes }
    static func string(_ text: String) -> [UInt8] { string(Array(text.utf8)) }

    static let point: [UInt8] = [4] + (1...64)
    static let key = string("ecdsa-sha2-nistp256") + string("nistp256") + string(point)
    static let otherKey = string("ecdsa-sha2-nistp256") + string("nistp256") + string([4] + (65...128))
    static let session = [UInt8](repeating: 7, count: 32)
    static let otherSession = [UInt8](repeating: 8, count: 32)

    /// A host's Ed25519 key.
    static func host(_ number: UInt8) -> [UInt8] { string("ssh-ed25519") + string([UInt8](repeating: number, count: 32)) }

    static let hostSignature = string("ssh-ed25519") + string([UInt8](repeating: 9, count: 64))

    static func binding(
        _ host: [UInt8] = host(1), _ session: [UInt8] = session, isForwarding: Bool = false, signature: [UInt8] = hostSignature
    ) -> [UInt8] {
        [27] + string("session-bind@openssh.com") + string(host) + string(session) + string(signature) + [isForwarding ? 1 : 0]
    }

    static func signIn(
        _ session: [UInt8] = session, user: String = "git", key: [UInt8] = key, host: [UInt8]? = nil,
        service: String = "ssh-connection", algorithm: String = "ecdsa-sha2-nistp256", method other: String? = nil
    ) -> [UInt8] {
        let method = other ?? (host == nil ? "publickey" : "publickey-hostbound-v00@openssh.com")
        return string(session) + [50] + string(user) + string(service) + string(method) + [1] + string(algorithm) + string(key)
            + (host.map(string) ?? [])
    }

    static func message(_ namespace: String = "git", hash: String = "sha512", count: Int = 64) -> [UInt8] {
        Array("SSHSIG".utf8) + string(namespace) + string("") + string(hash) + string([UInt8](repeating: 3, count: count))
    }

    static func sign(_ data: [UInt8], key: [UInt8] = key, flags: Int = 0) -> [UInt8] {
        [13] + string(key) + string(data) + number(flags)
    }
}

/// Why something wasn't done; nil if it was.
func refusal<Value>(_ body: () throws(AgentRefusal) -> Value) -> AgentRefusal? {
    do throws(AgentRefusal) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}
