/// How the program ends. Scripts rely on the numbers; `thumbturn help exit-codes` prints this table.
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
        case .done: "it was done; the owner was there; nothing is weak"
        case .no: "no: whoever was asked is not the owner; something is weak or missing"
        case .couldNotAsk: "nobody could be asked: no daemon, no terminal, no passcode"
        case .cancelled: "the owner cancelled"
        case .notFound: "there is no such thing"
        case .exists: "there is one already"
        case .failed: "it could not be done; the message says why"
        case .usage: "the command line could not be understood"
        case .input: "what was read is empty, too large or can't be read"
        case .output: "the result could not be written"
        case .cannotRun: "the program behind -- is there and can't be run"
        case .noProgram: "there is no program of the name behind --"
        }
    }
}
