/// Stands in for the app's server: gives a token for the password, and the notes for the token.
///
/// On a real server both would be checked elsewhere, where nobody can read them; what counts here is that the notes need the
/// token, not somebody's word that the owner was recognized.
enum Account {
    struct Note {
        let title: String
        let text: String
    }

    /// The password that the example tells everybody.
    static let password = "no capes"
    private static let token = "t-0451"

    static func token(for typed: String) -> String? { typed == password ? token : nil }

    static let titles = ["Super-suit prototypes", "Mission dossiers", "Designs"]

    static func note(_ number: Int, token presented: String) -> Note? {
        guard presented == token, titles.indices.contains(number) else { return nil }
        let texts = [
            "The red one survives 1,000 degrees. The cape doesn't.", "Nomanisan: postponed until the volcano is quiet.",
            "No capes.",
        ]
        return Note(title: titles[number], text: texts[number])
    }
}
