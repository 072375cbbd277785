/// The sessions that clients have opened. A session is its client's alone, and ends with it.
public struct SessionBook<Cipher: Sendable>: Sendable {
    private var sessions: [UInt64: (client: String, cipher: Cipher)] = [:]
    private var last: UInt64 = 0

    /// No sessions.
    public init() {}

    /// How many there are.
    public var count: Int { sessions.count }

    /// Opens a session of a client's. Fails as too much if the client has as many as one may have.
    public mutating func open(_ client: String, _ cipher: Cipher) throws(ServiceFailure) -> UInt64 {
        guard sessions.values.count(where: { $0.client.utf8.elementsEqual(client.utf8) }) < SecretServiceLimit.sessions else {
            throw .tooMuch
        }
        last += 1
        sessions[last] = (client, cipher)
        return last
    }

    /// What encrypts a client's session. Fails if there is no such session of that client.
    public func cipher(of number: UInt64, for client: String) throws(ServiceFailure) -> Cipher {
        guard let session = sessions[number], session.client.utf8.elementsEqual(client.utf8) else { throw .noSession }
        return session.cipher
    }

    /// Whether there is a session of that number, whoever has it.
    public func has(_ number: UInt64) -> Bool { sessions[number] != nil }

    /// The numbers of all sessions.
    public var numbers: [UInt64] { sessions.keys.sorted() }

    /// Closes a client's session. Fails if there is no such session of that client.
    public mutating func close(_ number: UInt64, of client: String) throws(ServiceFailure) {
        _ = try cipher(of: number, for: client)
        sessions[number] = nil
    }

    /// Closes all of a client's sessions: it is gone.
    public mutating func leave(_ client: String) {
        sessions = sessions.filter { !$0.value.client.utf8.elementsEqual(client.utf8) }
    }
}
