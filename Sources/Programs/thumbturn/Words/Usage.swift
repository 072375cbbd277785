import ThumbAccess

/// What is wrong with a command line although its description allows it.
enum Usage: Sendable {
    case together(String, with: String)
    case oneOf(String)
    case onlyWithFrom(String)
    case onlyWith(String, String)
    case noFinger
    case emptyName
    case nameOfSSHKeys
    case nameLine(longest: Int)
    case fieldName
    case fieldTwice(String)
    /// Something isn't a reference; and which one was probably meant.
    case reference(meant: String?)
    case nameOfReference
    case noSecret
    case assignment(option: String, form: String)
    case variableTwice(String)
    case machineName(longest: Int)
    case accountOfNobody(String)
    case simulatorLine(bytes: Int)
    /// In the simulated device's own words.
    case simulator(String)

    var message: String {
        switch self {
        case .together(let option, let others): "\(option) can't be used together with \(others)."
        case .oneOf(let options): "Use only one of \(options)."
        case .onlyWithFrom(let option):
            "\(option) can be used only with --from, because the items of a backup keep their own protection."
        case .onlyWith(let option, let other): "\(option) can be used only with \(other)."
        case .noFinger: "Name one finger, or use --all."
        case .emptyName: "NAME can't be empty."
        case .nameOfSSHKeys: "That name is kept for the SSH agent's keys, which 'thumbturn ssh-key create' makes."
        case .nameLine(let longest): "NAME must be one line of 1 to \(longest) characters."
        case .fieldName: "FIELD must have 1 to 64 letters, digits, dots, underscores or hyphens."
        case .fieldTwice(let name): "The field \(SafeText(name, limit: 64)) is named twice."
        case .reference(let meant):
            "A reference has the form thumbturn://NAME/FIELD or thumbturn://NAME, with %20 for a blank and %2F for a slash in NAME"
                + (meant.map { ": '\($0)'." } ?? ".")
        case .nameOfReference: "NAME can't begin with thumbturn://, because references do."
        case .noSecret: "Name at least one secret, as in --secret NAME=ITEM."
        case .assignment(let option, let form):
            "\(option) must have the form \(form), where NAME has letters, digits and underscores only."
        case .variableTwice(let name): "The variable \(SafeText(name, limit: 40)) is named twice."
        case .machineName(let longest): "A machine's name must be one line of 1 to \(longest) bytes."
        case .accountOfNobody(let name): "--account names \(SafeText(name, limit: 40)), but no secret has that variable."
        case .simulatorLine(let bytes): "What you tell the simulated device must be one line of fewer than \(bytes) bytes."
        case .simulator(let words): words.sentence ?? words
        }
    }
}
