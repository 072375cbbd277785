import ThumbAccess
import ThumbSecrets

/// Several secrets and fields that are opened after one question to the owner.
struct OneQuestion {
    /// How many names the question shows. With more of them nobody would read it.
    private static let shownNames = 4

    private let references: [SecretReference]
    /// The secret of each reference.
    private let kept: [KeptSecret]

    /// Finds the secrets. Missing ones are reported here, before anybody is asked.
    init(_ references: [SecretReference]) throws(Failure) {
        if !references.isEmpty { try Daemon.connect() }
        self.references = references
        kept = try references.map { reference throws(Failure) in try reference.kept() }
    }

    /// The secret of each reference, for messages.
    var things: [Thing] { kept.map(\.name.thing) }

    /// Whether a reference means the whole of a secret that isn't text, as far as that is known before it is opened.
    var hasBinary: Bool {
        zip(references, kept).contains { $0.field == nil && SecretForm.isBinary($1.attributes) }
    }

    /// The secrets, for a sentence.
    var words: String { Self.words(kept.map(\.name)) }

    /// What each reference means, in their order. A secret that several of them name is released once.
    func open(reason: String) throws(Failure) -> [SecretBytes] {
        if references.isEmpty { return [] }
        let once = Self.distinct(kept, by: \.name)
        let secrets = try Releasing(once, reason: reason).secrets()
        let opened = Dictionary(uniqueKeysWithValues: zip(once.map { Self.key($0.name) }, secrets))
        var parts: [SecretBytes] = []
        for (reference, secret) in zip(references, kept) {
            // Each name is among the distinct ones.
            parts.append(try reference.part(of: opened[Self.key(secret.name)]!, secret.name))
        }
        return parts
    }

    /// Names of secrets, for a sentence: `secret 'mail'`, or `secrets 'mail', 'bank' of 'anna'`.
    static func words(_ names: [SecretName]) -> String {
        let names = distinct(names, by: \.self)
        let shown = names.prefix(shownNames).map(\.shownShort).joined(separator: ", ")
        let more = names.count - shownNames
        return "secret\(names.count == 1 ? "" : "s") " + shown + (more > 0 ? " and \(more) more" : "")
    }

    private static func distinct<Element>(_ all: [Element], by name: (Element) -> SecretName) -> [Element] {
        var seen: Set<[ExactName]> = []
        return all.filter { seen.insert(key(name($0))).inserted }
    }

    private static func key(_ name: SecretName) -> [ExactName] { [ExactName(name.name), ExactName(name.account)] }
}
