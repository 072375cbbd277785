public import ThumbAccess
import ThumbConversation
import ThumbCrypto
import ThumbKeychain
import ThumbLoop
public import ThumbSecrets

/// A TPM behind its keeper, because a device of system mode has no chip of its own.
///
/// Each call waits for its answer, one after the other, as with a chip. If the connection is lost, the next call makes a new one. A call
/// that was under way then is made once more.
public final class RemoteTPM: @unchecked Sendable {
    // @unchecked: `line` is touched under the lock.
    private let reach: @Sendable () -> Int32?
    private let lock = Lock()
    private var line: KeeperLine?

    /// A TPM whose keeper is connected to at the first call.
    ///
    /// - Parameters:
    ///   - connected: an existing connection, which this takes over.
    ///   - reach: makes a connection on which the keeper knows which user it serves, and which this takes over; nil if there is none.
    public init(connected: Int32? = nil, reach: @escaping @Sendable () -> Int32?) {
        self.reach = reach
        line = connected.map { KeeperLine($0) }
    }

    /// Asks the keeper, and takes the answer out of its word.
    private func ask<Answer>(
        _ word: some Word, _ answer: (FromTPMKeeper) -> Answer?
    ) throws(TPMError) -> Answer {
        let said = try lock.withLock { () throws(TPMError) in try exchange(word) }
        if case .failed(let failed) = said { throw TPMError(failed.failure, number: failed.number) }
        guard let answer = answer(said) else { throw TPMError(.refused, "reading what the TPM's keeper said") }
        return answer
    }

    private func exchange(_ word: some Word) throws(TPMError) -> FromTPMKeeper {
        let held = line
        // A connection is used again only if a proper answer came over it.
        line = nil
        if let held, let said = try held.ask(word) {
            line = held
            return said
        }
        guard let fd = reach() else {
            // There was a keeper when this call came, so it is lost and not absent.
            throw TPMError(held == nil ? .absent : .lost, "reaching the TPM's keeper")
        }
        let fresh = KeeperLine(fd)
        guard let said = try fresh.ask(word) else { throw TPMError(.lost, "asking the TPM's keeper") }
        line = fresh
        return said
    }
}

extension RemoteTPM: TPM {
    public func makeKey() throws -> TPMKeyMaterial {
        try TPMKeyMaterial(ask(MakeTPMKey()) { if case .key(let made) = $0 { made.material } else { nil } })
    }

    public func sign(_ digest: [UInt8], with key: TPMKeyMaterial) throws -> [UInt8] {
        let word = try SignWithTPM(Array(digest.prefix(Curve.p256.fieldBytes)), key.encoded())
        return try ask(word) { if case .signature(let signature) = $0 { signature.der } else { nil } }
    }

    public func agree(with peer: [UInt8], _ key: TPMKeyMaterial) throws -> SecretBytes {
        // If this isn't a key of the right kind, it is refused without asking the keeper.
        guard try PublicKey(external: peer, .elliptic).kind == .elliptic(.p256) else {
            throw TPMError(.parameter, "agreeing with a key of another kind")
        }
        return try ask(AgreeWithTPM(peer, key.encoded())) { if case .agreement(let found) = $0 { found.shared } else { nil } }
    }

    public func close() { lock.withLock { line = nil } }

    public func seal(
        _ secret: SecretBytes, under authorization: SecretBytes, guardedBy guarding: SealGuard
    ) throws(KeychainFailure) -> [UInt8] {
        guard secret.count <= TPMLink.mostSealed, authorization.count == TPMKeyMaterial.authorizationBytes else {
            throw .parameter
        }
        return try answering { () throws(TPMError) in
            try ask(SealInTPM(secret, under: authorization, guardedBy: guarding)) {
                if case .sealed(let made) = $0 { made.seal } else { nil }
            }
        }
    }

    public func unseal(
        _ seal: [UInt8], under authorization: SecretBytes, guardedBy guarding: SealGuard
    ) throws(KeychainFailure) -> SecretBytes? {
        try answering { () throws(TPMError) in
            // Bytes that no TPM made are reported as damage, just as the keeper would report them, and not as too long a frame.
            _ = try TPMSeal(seal)
            guard authorization.count == TPMKeyMaterial.authorizationBytes else { throw TPMError(.damaged, "reading a seal") }
            return try ask(UnsealInTPM(seal, under: authorization, guardedBy: guarding)) { said -> SecretBytes?? in
                if case .unsealed(let opened) = said { .some(opened.secret) } else { nil }
            }
        }
    }

    public func count(_ name: [UInt8], under authorization: SecretBytes) throws(KeychainFailure) -> UInt64? {
        try answering { () throws(TPMError) in
            try ask(ReadTPMCounter(name, under: authorization)) { said -> UInt64?? in
                if case .count(let count) = said { .some(count.value) } else { nil }
            }
        }
    }

    public func countUp(_ name: [UInt8], under authorization: SecretBytes) throws(KeychainFailure) -> UInt64 {
        try answering { () throws(TPMError) in
            try ask(RaiseTPMCounter(name, under: authorization)) { if case .count(let count) = $0 { count.value } else { nil } }
        }
    }

    private func answering<Value>(_ question: () throws(TPMError) -> Value) throws(KeychainFailure) -> Value {
        do throws(TPMError) { return try question() } catch { throw error.failure }
    }
}

/// One connection to the keeper, used by one thread at a time.
private final class KeeperLine {
    private let fd: Int32
    private var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.brokerFrame)
    private var call: UInt32 = 0

    init(_ fd: Int32) {
        self.fd = fd
        UnixSocket.limitReading(fd, seconds: WireLimit.secondsForTPM)
    }

    deinit { UnixSocket.close(fd) }

    /// Asks the keeper. nil if the connection is of no use, so that the word may be said over another one.
    ///
    /// Fails if there is no memory for the answer, and if no answer comes in time.
    func ask(_ word: some Word) throws(TPMError) -> FromTPMKeeper? {
        call &+= 1
        let encoded = word.frame(call: call)
        guard encoded.count - 4 <= WireLimit.brokerFrame else { throw TPMError(.parameter, "asking the TPM's keeper") }
        var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
        guard frame.send(to: fd, waiting: true) == .sent else { return nil }
        switch frames.read(from: fd, waiting: true) {
        case .frame(let body):
            do throws(Refusal) {
                let frame = try Frame(body)
                guard frame.call == call else { return nil }
                return try FromTPMKeeper(frame)
            } catch  where error == .noRoom {
                throw TPMError(.outOfMemory, "hearing the TPM's keeper")
            } catch {  // A refusal, or a word that no keeper says: nothing better will come over this connection.
                return nil
            }
        case .noRoom: throw TPMError(.outOfMemory, "hearing the TPM's keeper")
        case .later: throw TPMError(.lost, "waiting for the TPM's keeper")
        case .closed, .badLength, .failed: return nil
        }
    }
}
