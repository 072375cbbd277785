import ThumbCommands

/// How the program ends. Scripts rely on the numbers.
enum Exit: Int32, Sendable, CaseIterable {
    case done = 0
    case no = 1
    case couldNotAsk = 2
    case cancelled = 3
    case notFound = 4
    case exists = 5
    case failed = 6
    case usage = 64
    case input = 65
    case output = 74
    case cannotRun = 126
    case noProgram = 127

    var meaning: String {
        switch self {
        case .done: "success: it was done, you are the owner, or nothing is weak"
        case .no: "no: the person asked is not the owner, or something is weak or missing"
        case .couldNotAsk: "nobody could be asked: there is no daemon, no terminal or no passcode"
        case .cancelled: "you cancelled"
        case .notFound: "it doesn't exist"
        case .exists: "it already exists"
        case .failed: "it could not be done; the message says why"
        case .usage: "the command line was not understood"
        case .input: "the input is empty, too large or can't be read"
        case .output: "the result could not be written"
        case .cannotRun: "the program after `--` exists but can't be run"
        case .noProgram: "the program after `--` does not exist"
        }
    }

    var status: ExitStatus { ExitStatus(rawValue, meaning) }
}
