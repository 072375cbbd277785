internal import ThumbturnSimulator

/// What a simulated device is like, from its program's arguments.
struct Settings {
    struct Problem: Error { let message: String }

    var folder = ""
    var biometry = SimulatedDevice.Biometry.touchID
    var enrolled = ["me"]
    var passcode: String? = "1234"
    var answers: [SimulatedDevice.Answer] = []
    var accessGroups: [String]?

    init(_ words: [String]) throws(Problem) {
        var rest = words[...]
        while let word = rest.popFirst() {
            guard let value = rest.popFirst() else { throw Problem(message: "\(word) needs a value") }
            switch word {
            case "--folder": folder = value
            case "--biometry": biometry = try Self.biometry(value)
            case "--enrolled": enrolled = Self.list(value)
            case "--passcode": passcode = value.isEmpty ? nil : value
            case "--access-groups": accessGroups = Self.list(value)
            case "--answers":
                for answer in Self.list(value) {
                    guard let known = SimulatedDevice.Answer(words: answer.split(separator: ":").map(String.init)) else {
                        throw Problem(message: "there is no answer of that name")
                    }
                    answers.append(known)
                }
            default: throw Problem(message: "there is an argument it doesn't know")
            }
        }
        guard folder.hasPrefix("/") else { throw Problem(message: "--folder must be an absolute path") }
        if let passcode, !(4...256).contains(passcode.utf8.count) { throw Problem(message: "a passcode has 4 to 256 bytes") }
    }

    private static func list(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }

    private static func biometry(_ text: String) throws(Problem) -> SimulatedDevice.Biometry {
        switch text {
        case "touch-id", "touchID", "finger": .touchID
        case "face-id", "faceID", "face": .faceID
        case "none": .none
        default: throw Problem(message: "--biometry is touch-id, face-id or none")
        }
    }
}

extension SimulatedDevice.Answer {
    /// An answer in words: `match`, `no-match`, `cancel`, `fallback`, `passcode TEXT`, `system-cancel`, `nothing`.
    init?(words: [String]) {
        switch (words.first, words.count) {
        case ("match", 1): self = .match
        case ("no-match", 1): self = .noMatch
        case ("cancel", 1): self = .cancel
        case ("fallback", 1): self = .fallback
        case ("passcode", 2): self = .passcode(words[1])
        case ("system-cancel", 1): self = .systemCancel
        case ("nothing", 1): self = .nothing
        default: return nil
        }
    }
}
