import Testing
import ThumbCredentialForms
import ThumbSecrets

@Suite("What age says to a plugin")
struct AgeTests {
    private let point = (0..<64).map { UInt8($0 * 3 & 0xFF) }

    /// All stanzas in a text.
    private func stanzas(_ text: String) throws -> [AgeStanza] {
        var reader = AgeStanzaReader()
        return try text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().compactMap {
            try reader.take(SecretBytes(copying: $0.utf8))
        }
    }

    private func bytes(_ secret: SecretBytes) -> [UInt8] { secret.plainBytes(in: 0..<secret.count) }

    @Test("BIP 173's own texts are read, and texts with a wrong sum, letter or case aren't")
    func bech32() throws {
        #expect(Bech32.decoded("A12UEL5L", prefix: "a") == [])
        #expect(Bech32.decoded("a12uel5l", prefix: "a") == [])
        for wrong in ["a12uel5m", "A12uel5l", "a12uel5", "12uel5l", "a1buel5l", "a2uel5l", "1"] {
            #expect(Bech32.decoded(wrong, prefix: "a") == nil, "\(wrong)")
        }
        #expect(Bech32.decoded("A12UEL5L", prefix: "b") == nil)
    }

    @Test("Bytes of every length come back from their text, in small and in capital letters", arguments: 0..<70)
    func again(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
        let text = Bech32.encoded(bytes, prefix: "age1x")
        #expect(Bech32.decoded(text, prefix: "age1x") == bytes)
        #expect(Bech32.decoded(text.uppercased(), prefix: "age1x") == bytes)
        #expect(BareBase64.decoded(String(decoding: BareBase64.encoded(bytes), as: UTF8.self)) == bytes)
    }

    @Test("A text may be as long as the limit says, and no longer")
    func longText() {
        // Five bytes are eight letters.
        let most = (Bech32.mostBytes - 8) / 8 * 5
        let text = Bech32.encoded([UInt8](repeating: 0, count: most), prefix: "a")
        #expect(Bech32.decoded(text, prefix: "a") != nil)
        let longer = Bech32.encoded([UInt8](repeating: 0, count: most + 5), prefix: "a")
        #expect(longer.utf8.count > Bech32.mostBytes && Bech32.decoded(longer, prefix: "a") == nil)
    }

    @Test("A key is both a recipient and an identity, and each is read as itself alone")
    func key() throws {
        let key = try #require(AgeKey(point: point))
        #expect(key.recipient.hasPrefix("age1thumbturn1"))
        #expect(key.identity.hasPrefix("AGE-PLUGIN-THUMBTURN-1"))
        #expect(AgeKey(recipient: key.recipient) == key)
        #expect(AgeKey(identity: key.identity) == key)
        #expect(AgeKey(identity: key.recipient) == nil && AgeKey(recipient: key.identity) == nil)
        #expect(AgeKey(point: Array(point.dropLast())) == nil && AgeKey(point: point + [0]) == nil)
    }

    @Test("Stanzas come back from their lines, with bodies of every length", arguments: [0, 1, 16, 47, 48, 49, 96, 200])
    func stanza(_ count: Int) throws {
        let body = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let read = try stanzas(AgeStanza.lines(["one", "two"], body) + AgeStanza.lines(["done"]))
        #expect(read.map(\.words) == [["one", "two"], ["done"]])
        #expect(bytes(read[0].body) == body)
    }

    @Test(
        "What isn't a stanza is refused",
        arguments: [
            "x\n\n", "->\n\n", "-> \n\n", "-> a  b\n\n", "-> ä\n\n", "-> a\n=\n", "-> a\nQQ==\n", "-> a\nQR\n", "-> a\nQ\n",
            "-> a\n\(String(repeating: "A", count: 65))\n",
        ])
    func noStanza(_ text: String) { #expect(throws: FormRefusal.malformed) { try stanzas(text) } }

    @Test("A body has as many lines, and a head as many words, as the limits say, and no more")
    func limits() throws {
        let line = String(repeating: "A", count: 64) + "\n"
        let most = AgeStanzaReader.mostLines
        #expect(try stanzas("-> a\n" + String(repeating: line, count: most - 1) + "\n").count == 1)
        #expect(throws: FormRefusal.tooLong) { try stanzas("-> a\n" + String(repeating: line, count: most) + "\n") }
        let words = [String](repeating: "w", count: AgeStanzaReader.mostWords)
        #expect(try stanzas(AgeStanza.lines(words)).count == 1)
        #expect(throws: FormRefusal.tooLong) { try stanzas(AgeStanza.lines(words + ["w"])) }
    }

    @Test("What the client tells is kept for its task, and unknown commands are passed over")
    func phase() throws {
        let key = [UInt8](repeating: 7, count: AgeWrapping.fileKeyBytes)
        var wrap = AgePhase(.wrap)
        for stanza in try stanzas(
            AgeStanza.lines(["add-recipient", "r"]) + AgeStanza.lines(["grease-1", "x"], [1])
                + AgeStanza.lines(["add-identity", "i"])
                + AgeStanza.lines(["wrap-file-key"], key) + AgeStanza.lines(["recipient-stanza", "0", "x"]))
        {
            #expect(try !wrap.take(stanza))
        }
        #expect(wrap.recipients == ["r"] && wrap.identities == ["i"] && wrap.stanzas.isEmpty)
        #expect(wrap.fileKeys.map(bytes) == [key])
        var unwrap = AgePhase(.unwrap)
        for stanza in try stanzas(
            AgeStanza.lines(["recipient-stanza", "0", "x", "y"], [1]) + AgeStanza.lines(["recipient-stanza", "0", "z"])
                + AgeStanza.lines(["recipient-stanza", "1", "w"]) + AgeStanza.lines(["wrap-file-key"], key))
        {
            #expect(try !unwrap.take(stanza))
        }
        #expect(unwrap.fileKeys.isEmpty)
        #expect(unwrap.stanzas.map(\.file) == [0, 0, 1] && unwrap.stanzas.map(\.number) == [0, 1, 0])
        #expect(unwrap.stanzas[0].words == ["x", "y"] && unwrap.stanzas[0].body == [1])
        #expect(try unwrap.take(stanzas(AgeStanza.lines(["done"]))[0]))
    }

    @Test("A command that isn't formed as it must be is refused")
    func wrongCommands() throws {
        for lines in [
            AgeStanza.lines(["add-recipient"]), AgeStanza.lines(["add-identity", "a", "b"]),
            AgeStanza.lines(["wrap-file-key"], [1]),
        ] {
            var phase = AgePhase(.wrap)
            let stanza = try stanzas(lines)[0]
            #expect(throws: FormRefusal.malformed) { try phase.take(stanza) }
        }
        for words in [["recipient-stanza", "0"], ["recipient-stanza", "x", "y"], ["recipient-stanza", "-1", "y"]] {
            var phase = AgePhase(.unwrap)
            let stanza = try stanzas(AgeStanza.lines(words))[0]
            #expect(throws: FormRefusal.malformed) { try phase.take(stanza) }
        }
        var phase = AgePhase(.unwrap)
        let both = try stanzas(
            AgeStanza.lines(["recipient-stanza", "2", "x"]) + AgeStanza.lines(["recipient-stanza", "1", "x"]))
        _ = try phase.take(both[0])
        #expect(throws: FormRefusal.malformed) { try phase.take(both[1]) }
    }

    private static let recipient = AgeStanza.lines(["add-recipient", "r"])
    private static let identity = AgeStanza.lines(["add-identity", "i"])
    private static let fileKey = AgeStanza.lines(["wrap-file-key"], [UInt8](repeating: 7, count: AgeWrapping.fileKeyBytes))
    private static let header = AgeStanza.lines(["recipient-stanza", "0", "x"])

    /// What a client can bring, for which task: each alone, and together.
    private static let brought: [(AgePhase.Task, [String])] = [
        (.wrap, [recipient]), (.wrap, [identity]), (.wrap, [fileKey]), (.unwrap, [header]),
        (.wrap, [recipient, identity, fileKey]), (.unwrap, [header, identity]),
    ]

    @Test("As many things are taken as the limit says, and no more, whatever kinds they are of", arguments: brought)
    func most(_ task: AgePhase.Task, _ kinds: [String]) throws {
        var phase = AgePhase(task)
        let things = try stanzas(kinds.joined())
        #expect(things.count == kinds.count)
        for number in 0..<AgePhase.most { _ = try phase.take(things[number % things.count]) }
        let next = things[AgePhase.most % things.count]
        #expect(throws: FormRefusal.tooLong) { try phase.take(next) }
    }

    @Test("A wrapping is read as it is written, another type is none of ours, and a changed one is refused")
    func wrapping() throws {
        let share = try #require(AgeKey(point: point))
        let sealed = [UInt8](repeating: 9, count: AgeWrapping.sealedBytes)
        let wrapping = AgeWrapping(tag: [1, 2, 3, 4], share: share, sealed: sealed)
        #expect(try AgeWrapping(wrapping.words, body: sealed) == wrapping)
        #expect(try AgeWrapping(["X25519", "x"], body: sealed) == nil)
        for (words, body) in [
            (Array(wrapping.words.dropLast()), sealed), (wrapping.words + ["x"], sealed),
            (wrapping.words, Array(sealed.dropLast())),
            (["thumbturn", "AQID", wrapping.words[2]], sealed), (["thumbturn", wrapping.words[1], "AQID"], sealed),
        ] {
            #expect(throws: FormRefusal.malformed) { try AgeWrapping(words, body: body) }
        }
    }
}
