public import ThumbAccess
import ThumbConversation
import ThumbCrypto
import ThumbKeychain
import ThumbLoop
public import ThumbSecrets

/// A TPM behind its keeper: a device of system mode has no chip of its own.
///
/// Each call waits for its answer, one after the other, as a chip's own calls do. A connection that is lost is made anew with the next
/// call, and a call on whose way it was lost is made once more.
public final class RemoteTPM: @unchecked Sendable {
    // @unchecked: `line` is touched under the lock.
    private let reach: @Sendable () -> Int32?
    private let lock = Lock()
    private var line: KeeperLine?

    /// A TPM whose keeper is reached when it is first asked for something.
    ///
    /// - Parameters:
    ///   - connected: a connection that is there already; this takes it over.
    ///   - reach: makes a connection on which the keeper knows whom it serves, which this takes over; nil where there is none.
    public init(connected: Int32? = nil, reach: @escaping @Sendable () -> Int32?) {
        self.reach = reach
        line = connected.map { KeeperLine($0) }
    }

    /// Asks, and reads the answer out of what the keeper said.
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
        // Nothing more is asked on a connection of which something else than an answer came.
        line = nil
        if let held, let said = try held.ask(word) {
            line = held
            return said
        }
        guard let fd = reach() else {
            // There was a keeper when the call came.
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
        // What is no key of the kind doesn't have to be carried there to be refused.
        guard try PublicKey(external: peer, .elliptic).kind == .elliptic(.p256) else {
            throw TPMError(.parameter, "agreeing with a key of another kind")
        }
        return try ask(AgreeWithTPM(peer, key.encoded())) { if case .agreement(let found) = $0 { found.shared } else { nil } }
    }

    public func close() { lock.withLock { line = nil } }

    public func seal(
        _ secret: SecretBytes, under authorization: SecretBytes, isGuarded: Bool
    ) throws(KeychainFailure) -> [UInt8] {
        guard secret.count <= TPMLink.mostSealed, authorization.count == TPMKeyMaterial.authorizationBytes else {
            throw .parameter
        }
        return try answering { () throws(TPMError) in
            try ask(SealInTPM(secret, under: authorization, isGuarded: isGuarded)) {
                if case .sealed(let made) = $0 { made.seal } else { nil }
            }
        }
    }

    public func unseal(
        _ seal: [UInt8], under authorization: SecretBytes, isGuarded: Bool
    ) throws(KeychainFailure) -> SecretBytes? {
        try answering { () throws(TPMError) in
            // What no TPM made is damage here as it is there, and no frame's too many bytes.
            _ = try TPMSeal(seal)
            guard authorization.count == TPMKeyMaterial.authorizationBytes else { throw TPMError(.damaged, "reading a seal") }
            return try ask(UnsealInTPM(seal, under: authorization, isGuarded: isGuarded)) { said -> SecretBytes?? in
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

    /// What the keeper says to a word; nil if the connection is of no use, and the word may be said on another.
    ///
    /// Fails where there is no memory for the answer, and where none comes in time.
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
            } catch {  // A refusal, or something that the keeper doesn't say: nothing better will come over this connection.
                return nil
            }
        case .noRoom: throw TPMError(.outOfMemory, "hearing the TPM's keeper")
        case .later: throw TPMError(.lost, "waiting for the TPM's keeper")
        case .closed, .badLength, .failed: return nil
        }
    }
}
