/// Stands in for the app's server: gives a token for the password, and the notes for the token.
///
/// On a real server both would be checked elsewhere, where nobody can read them; what counts here is that the notes need the
/// token, not somebody's word that the owner was recognized.
@MainActor public final class AccountServer {
    public struct Note: Sendable, Equatable {
        public let title: String
        public let text: String
    }

    /// The password that the example tells everybody.
    public static let password = "no capes"
    public static let titles = ["Super-suit prototypes", "Mission dossiers", "Designs"]
    private static let token = "t-0451"

    /// Each third wrong password makes everybody wait, and longer each time.
    private static let missesBeforeWait = 3
    private static let (shortestWait, longestWait) = (5, 300)
    private var misses = 0
    private var opensAt: ContinuousClock.Instant?

    public init() {}

    /// For how many seconds no password is looked at; 0 if one is.
    public var wait: Int {
        guard let opensAt else { return 0 }
        let left = ContinuousClock.now.duration(to: opensAt)
        return left > .zero ? Int(left.components.seconds) + 1 : 0
    }

    /// The token; nil for a wrong password, and for every password while it must wait.
    func token(for typed: String) -> String? {
        guard wait == 0 else { return nil }
        guard typed == Self.password else {
            misses += 1
            if misses.isMultiple(of: Self.missesBeforeWait) {
                let doublings = min(misses / Self.missesBeforeWait - 1, 8)
                opensAt = .now + .seconds(min(Self.shortestWait << doublings, Self.longestWait))
            }
            return nil
        }
        misses = 0
        return Self.token
    }

    func note(_ number: Int, token presented: String) -> Note? {
        guard presented == Self.token, Self.titles.indices.contains(number) else { return nil }
        let texts = [
            "The red one survives 1,000 degrees. The cape doesn't.", "Nomanisan: postponed until the volcano is quiet.",
            "No capes.",
        ]
        return Note(title: Self.titles[number], text: texts[number])
    }
}
