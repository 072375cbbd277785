/// What the command line says.
struct Settings {
    /// Where everything lies; scripts/soak has made it.
    let folder: String
    let seconds: Double
    let seed: UInt64

    init(_ words: [String]) throws {
        var values: [String: String] = [:]
        var rest = words[...]
        while let option = rest.popFirst() {
            guard ["--folder", "--seconds", "--seed"].contains(option), let value = rest.popFirst() else {
                throw SoakError("not understood: \(option)")
            }
            values[option] = value
        }
        guard let folder = values["--folder"], folder.hasPrefix("/") else { throw SoakError("--folder takes a whole path") }
        guard let seconds = Double(values["--seconds"] ?? "1800"), seconds >= 30, seconds <= 1e6 else {
            throw SoakError("--seconds takes a number from 30 on")
        }
        guard let seed = values["--seed"].map({ UInt64($0) }) ?? UInt64.random(in: 0..<1 << 32) else {
            throw SoakError("--seed takes a number")
        }
        (self.folder, self.seconds, self.seed) = (folder, seconds, seed)
    }
}
