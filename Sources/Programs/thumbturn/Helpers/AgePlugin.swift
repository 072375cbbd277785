import ThumbAccess
import ThumbCredentialForms
import ThumbCrypto
import ThumbSecrets

/// The conversation with age, over standard input and output.
struct AgePlugin {
    private let task: AgePhase.Task
    private var reader = AgeStanzaReader()

    init(_ task: AgePhase.Task) { self.task = task }

    mutating func converse() throws(Failure) {
        var phase = AgePhase(task)
        while true {
            let stanza = try next()
            if try ToolText.understood(from: AgeHelper.name, { () throws(FormRefusal) in try phase.take(stanza) }) { break }
        }
        switch task {
        case .wrap: try wrap(phase)
        case .unwrap: try unwrap(phase)
        }
        try Output.write([.text(AgeStanza.lines(["done"]))])
    }

    /// The next stanza. The client ends the conversation only where it is done.
    private mutating func next() throws(Failure) -> AgeStanza {
        while let line = try LineInput.next(atMost: FormLimit.lineBytes) {
            do throws(FormRefusal) {
                if let stanza = try reader.take(line) { return stanza }
            } catch {
                throw .helper(.notUnderstood(error, from: AgeHelper.name))
            }
        }
        throw .helper(.notUnderstood(.incomplete, from: AgeHelper.name))
    }

    /// Says something and waits until the client has heard it. It answers `ok` to all that is said here, or that it can't show a text.
    private mutating func say(_ pieces: [Outcome.Piece]) throws(Failure) {
        try Output.write(pieces)
        _ = try next()
    }

    private mutating func fail(_ words: [String], _ failure: Failure) throws(Failure) {
        let told = failure.words
        let text = [told.message, told.next ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        try say([.text(AgeStanza.lines(["error"] + words, Array(text.utf8)))])
    }

    // MARK: Encrypting

    private mutating func wrap(_ phase: AgePhase) throws(Failure) {
        var keys: [AgeKey] = []
        var hasFailed = false
        let all = phase.recipients.map { AgeKey(recipient: $0) } + phase.identities.map { AgeKey(identity: $0) }
        for (place, key) in all.enumerated() {
            if let key, (try? key.publicKey) != nil {
                keys.append(key)
                continue
            }
            let isRecipient = place < phase.recipients.count
            let number = isRecipient ? place : place - phase.recipients.count
            try fail([isRecipient ? "recipient" : "identity", "\(number)"], .helper(.notAnAgeKey))
            hasFailed = true
        }
        // If one of them isn't served, none is: the file would be for fewer people than its author thinks.
        if hasFailed { return }
        for (file, fileKey) in phase.fileKeys.enumerated() {
            for key in keys {
                let wrapping: AgeWrapping
                do { wrapping = try AgeWrapping(fileKey, to: key) } catch {
                    return try fail(["internal"], error is SecretError ? .noLockedMemory : .helper(.notWrapped))
                }
                try say([.text(AgeStanza.lines(["recipient-stanza", "\(file)"] + wrapping.words, wrapping.sealed))])
            }
        }
    }

    // MARK: Decrypting

    private mutating func unwrap(_ phase: AgePhase) throws(Failure) {
        var identities: [(key: AgeKey, tag: [UInt8])] = []
        for (number, text) in phase.identities.enumerated() {
            if let key = AgeKey(identity: text), (try? key.publicKey) != nil, let tag = try? key.tag {
                identities.append((key, tag))
            } else {
                try fail(["identity", "\(number)"], .helper(.notAnAgeKey))
            }
        }
        var opened: Set<Int> = []
        for stanza in phase.stanzas where !opened.contains(stanza.file) {
            let wrapping: AgeWrapping?
            do throws(FormRefusal) { wrapping = try AgeWrapping(stanza.words, body: stanza.body) } catch {
                try fail(["stanza", "\(stanza.file)", "\(stanza.number)"], .helper(.notUnderstood(error, from: AgeHelper.name)))
                continue
            }
            guard let wrapping else { continue }
            for (number, identity) in identities.enumerated() where identity.tag == wrapping.tag {
                do throws(Failure) {
                    guard let fileKey = try wrapping.opened(by: identity.key) else { continue }
                    opened.insert(stanza.file)
                    try say([
                        .text(AgeStanza.head(["file-key", "\(stanza.file)"])), .secret(fileKey, .bareBase64), .text("\n"),
                    ])
                    break
                } catch {
                    try fail(["identity", "\(number)"], error)
                }
            }
        }
    }
}

extension AgeWrapping {
    /// ChaCha20-Poly1305's, zero because each wrapping has a key of its own.
    private static let nonce = [UInt8](repeating: 0, count: ChaChaPoly.nonceSize)

    /// Wraps a file's key, with a key that is made for this alone and forgotten.
    init(_ fileKey: SecretBytes, to key: AgeKey) throws {
        let own = try PrivateKey.generate(.elliptic(.p256))
        // Every point that libcrypto makes has that length.
        guard let share = AgeKey(point: Array(own.publicKey.external.dropFirst())) else { throw Failure.helper(.notWrapped) }
        let wrapping = try Self.wrappingKey(own.agree(with: key.publicKey, .raw), share, key)
        self.init(tag: try key.tag, share: share, sealed: try ChaChaPoly.seal(fileKey, key: wrapping, nonce: Self.nonce))
    }

    /// The file's key; nil if it was wrapped to another key whose tag is the same, or if the stanza was changed. The owner is asked.
    func opened(by identity: AgeKey) throws(Failure) -> SecretBytes? {
        guard let peer = try? share.publicKey else { return nil }
        try Daemon.connect()
        guard let stored = try StoredKey.find(nil).first(where: { $0.age == identity }) else { throw .helper(.noAgeKey) }
        let shared = try stored.use(
            .agree(peer: peer.external, .raw), reason: "decrypt a file of age with the \(stored.shown)"
        ).bytes
        do {
            let wrapping = try Self.wrappingKey(shared, share, identity)
            let fileKey = try ChaChaPoly.open(sealed, key: wrapping, nonce: Self.nonce)
            return fileKey.count == Self.fileKeyBytes ? fileKey : nil
        } catch is SecretError {
            throw .noLockedMemory
        } catch {
            return nil
        }
    }

    private static func wrappingKey(_ shared: SecretBytes, _ share: AgeKey, _ key: AgeKey) throws -> SecretBytes {
        try HKDF.derive(secret: shared, salt: share.point + key.point, info: Array(label.utf8), count: ChaChaPoly.keySize)
    }
}
