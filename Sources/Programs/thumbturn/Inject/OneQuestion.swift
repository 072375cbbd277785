import ThumbAccess
import ThumbSecrets

/// Several secrets and fields that are opened after one question to the owner.
enum OneQuestion {
    /// How many names the question shows. With more of them nobody would read it.
    private static let shownNames = 4

    /// What each reference means, in their order. A secret that several of them name is released once.
    static func open(_ references: [SecretReference], reason: String) throws(Failure) -> [SecretBytes] {
        if references.isEmpty { return [] }
        let names = distinct(references)
        let secrets = try Releasing(names, reason: reason).secrets()
        let opened = Dictionary(uniqueKeysWithValues: zip(names.map(key), secrets))
        return try references.map { reference throws(Failure) in
            // Each name is among the distinct ones.
            try reference.part(of: opened[key(reference.name)]!)
        }
    }

    /// The secrets, for a sentence: `secret 'mail'`, or `secrets 'mail', 'bank' of 'anna'`.
    static func words(_ references: [SecretReference]) -> String {
        let names = distinct(references)
        let shown = names.prefix(shownNames).map(\.shownShort).joined(separator: ", ")
        let more = names.count - shownNames
        return "secret\(names.count == 1 ? "" : "s") " + shown + (more > 0 ? " and \(more) more" : "")
    }

    private static func distinct(_ references: [SecretReference]) -> [SecretName] {
        var seen: Set<[ExactName]> = []
        return references.map(\.name).filter { seen.insert(key($0)).inserted }
    }

    private static func key(_ name: SecretName) -> [ExactName] { [ExactName(name.name), ExactName(name.account)] }
}
