/// What the system's login asks the owner for, as the login found it: which service asks, for which command, and who becomes whom.
public struct LoginDeed: Sendable, Hashable {
    /// PAM's name for the service: `sudo`, `su`, `login`.
    public var service: String
    /// The command line that is to be run; nil if there is none.
    public var command: String?
    /// Who asks; nil before anybody has logged in.
    public var person: String?
    /// Whose rights the owner's finger gives.
    public var becomes: String?
    /// The terminal where it is asked, by its name below `/dev`.
    public var terminal: String?

    public init(
        service: String, command: String? = nil, person: String? = nil, becomes: String? = nil, terminal: String? = nil
    ) {
        self.service = service
        self.command = command
        self.person = person
        self.becomes = becomes
        self.terminal = terminal
    }

    /// Whether somebody logs in, and nothing else.
    public var isLogin: Bool { (service == "login" || isGreeter) && command == nil && person == nil }

    /// Whether a greeter asks, which shows the question itself.
    public var isGreeter: Bool { service == "gdm-fingerprint" }

    /// Whether a screen lock asks on its console, or a greeter for somebody who is logged in already.
    public var isLock: Bool {
        guard let becomes, command == nil else { return false }
        return service == "vlock" && person == nil || isGreeter && person == becomes
    }

    /// Whether polkit asks, whose own words its agent has.
    public var isPolkit: Bool { service == "polkit-1" }

    /// Whether the question shows the command as it is. The login puts words that have blanks, and empty ones, in `"`, and passes on no
    /// other mark.
    public var isShownExactly: Bool {
        guard let command else { return true }
        return SafeText(command, limit: .max).withoutMarks == String(command.map { $0 == "\"" ? "'" : $0 })
    }

    /// Whether sudo asks for nothing more in this terminal for a while. It keeps no record of a command under its option `-k`.
    private var isKept: Bool {
        guard service == "sudo" || service == "sudo-i", let command else { return false }
        let options = command.split(separator: " ").dropFirst().prefix { $0.hasPrefix("-") }
        return !options.contains { $0 == "--reset-timestamp" || !$0.hasPrefix("--") && $0.contains("k") }
    }

    /// Our own words for what the service wants to do. The command and the names in it come from somebody else, so each is quoted.
    public var reason: String {
        let place = terminal.map { ", asked in \(SafeText.quoted($0, limit: Self.nameLimit))" } ?? ""
        let rights = becomes.map { SafeText.quoted($0, limit: Self.nameLimit) }
        if isLock { return "unlock the session of \(rights ?? "the owner")" + place }
        if let command {
            let more = isKept ? ", and for some minutes whatever else sudo is given there" : ""
            return "run \(SafeText.quoted(command))" + (rights.map { " as \($0)" } ?? "") + place + more
        }
        let who = person.map { SafeText.quoted($0, limit: Self.nameLimit) }
        guard let who, who != rights else { return "let \(rights ?? "the owner") log in" + place }
        return "let \(who) become \(rights ?? "another user")" + place
    }

    /// Longer names than an account or a terminal has.
    private static let nameLimit = 64
}
