import ThumbturnSimulator

/// The properties of a simulated device, from its program's arguments.
struct Settings {
    struct Problem: Error { let message: String }

    var folder = ""
    /// nil: touch-id, or what the machine has.
    var biometry: SimulatedDevice.Biometry?
    /// The machine that the device is as strict as; nil: a lenient one.
    var machine: SimulatedDevice.Machine?
    var enrolled = ["me"]
    var passcode: String? = "1234"
    var answers: [SimulatedDevice.Answer] = []
    var accessGroups: [String]?
    var bundleID: String?

    init(_ words: [String]) throws(Problem) {
        var rest = words[...]
        while let word = rest.popFirst() {
            guard let value = rest.popFirst() else { throw Problem(message: "\(word) needs a value") }
            switch word {
            case "--folder": folder = value
            case "--as": machine = try Self.machine(value)
            case "--biometry": biometry = try Self.biometry(value)
            case "--enrolled": enrolled = Self.list(value)
            case "--passcode": passcode = value.isEmpty ? nil : value
            case "--access-groups": accessGroups = Self.list(value)
            case "--bundle-id":
                guard !value.isEmpty else { throw Problem(message: "--bundle-id must not be empty") }
                bundleID = value
            case "--answers":
                for answer in Self.list(value) {
                    guard let known = SimulatedDevice.Answer(answer, separator: ":") else {
                        throw Problem(
                            message: "--answers takes these, separated by commas: \(SimulatedDevice.Answer.names), passcode:TEXT")
                    }
                    answers.append(known)
                }
            default: throw Problem(message: "there is an argument it doesn't know")
            }
        }
        guard machine == nil || biometry == nil else {
            throw Problem(message: "--biometry can't be used with --as, because a machine has the sensor that it has")
        }
        guard folder.hasPrefix("/") else { throw Problem(message: "--folder must be an absolute path") }
        if let passcode, !(4...256).contains(passcode.utf8.count) { throw Problem(message: "a passcode has 4 to 256 bytes") }
    }

    private static func list(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }

    private static func machine(_ text: String) throws(Problem) -> SimulatedDevice.Machine {
        switch text {
        case "this-machine": .thisMachine
        case "laptop-with-reader": .laptopWithReader
        case "server-without-sensor": .serverWithoutSensor
        case "iphone": .iPhone
        default: throw Problem(message: "--as is this-machine, laptop-with-reader, server-without-sensor or iphone")
        }
    }

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
    static let names = "match, no-match, cancel, fallback, system-cancel, nothing, companion, no-companion"

    /// An answer in words: one of `names`, or `passcode`, the separator and the passcode.
    init?(_ text: String, separator: Character) {
        let parts = text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts[0], parts.count) {
        case ("match", 1): self = .match
        case ("no-match", 1): self = .noMatch
        case ("cancel", 1): self = .cancel
        case ("fallback", 1): self = .fallback
        case ("passcode", 2): self = .passcode(parts[1])
        case ("system-cancel", 1): self = .systemCancel
        case ("nothing", 1): self = .nothing
        case ("companion", 1): self = .companion(true)
        case ("no-companion", 1): self = .companion(false)
        default: return nil
        }
    }
}

extension SimulatedDevice.Allowance {
    /// An allowance by the name that `thumbturn allow` has for it.
    init?(_ text: String) {
        switch text {
        case "software-keys": self = .softwareKeys
        case "weak-enrolment": self = .weakEnrolment
        default: return nil
        }
    }
}
