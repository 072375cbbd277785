/// What somebody most likely meant by a word that isn't known.
enum Nearest {
    /// More would be a list to read, and help has one.
    private static let most = 4

    /// The known words that are nearest to `word`; empty if none is near.
    static func words(to word: String, among known: [String]) -> [String] {
        let typed = letters(word)
        guard !typed.isEmpty else { return [] }
        let ranked = known.compactMap { name in distance(typed, letters(name)).map { (name: name, distance: $0) } }
        guard let least = ranked.map(\.distance).min() else { return [] }
        return Array(ranked.filter { $0.distance == least }.map(\.name).prefix(most))
    }

    /// Commands that are called exactly so, but stand below another one.
    static func places(of word: String, below place: Place, in program: Overview) -> [String] {
        let depth = place.path.count
        let below = program.places.filter { $0.path.count > depth + 1 && $0.path.starts(with: place.path) }
        return Array(below.filter { $0.path.last == word }.map { $0.path.dropFirst(depth).joined(separator: " ") }.prefix(most))
    }

    /// A word without its dashes. Nobody mistypes only these, and a capital is the same key.
    private static func letters(_ word: String) -> [Character] { Array(word.drop { $0 == "-" }.lowercased()) }

    /// How many mistakes lead from one word to the other; nil if they are too many to mean it.
    private static func distance(_ typed: [Character], _ name: [Character]) -> Int? {
        let allowed = typed.count <= 5 ? 1 : typed.count <= 8 ? 2 : 3
        // A beginning is a word that isn't finished.
        if typed.count > 1, name.starts(with: typed) { return 1 }
        guard abs(typed.count - name.count) <= allowed else { return nil }
        let mistakes = mistakes(typed, name)
        return mistakes <= allowed ? mistakes : nil
    }

    /// The mistakes of a hand: a letter too many, too few, another one, or two neighbours exchanged.
    private static func mistakes(_ typed: [Character], _ name: [Character]) -> Int {
        var before: [Int] = []
        var last = Array(0...name.count)
        for (row, letter) in typed.enumerated() {
            var line = [row + 1]
            for (column, wanted) in name.enumerated() {
                var least = min(line[column] + 1, last[column + 1] + 1, last[column] + (letter == wanted ? 0 : 1))
                if row > 0, column > 0, letter == name[column - 1], typed[row - 1] == wanted {
                    least = min(least, before[column - 1] + 1)
                }
                line.append(least)
            }
            (before, last) = (last, line)
        }
        return last[name.count]
    }
}
