import ThumbCommands
import ThumbLogging
import ThumbSignIn
import ThumbSignInServer

/// What the server is told to do, and with which database.
struct Arguments {
    enum Job {
        case serve(Serving)
        case keep(Errand)
    }

    /// How to serve.
    struct Serving {
        let listen: ListenAddress
        let origin: Origin?
        let isSignUpOpen: Bool
        let clientRate: Int
        let batch: Int
        let isBehindProxy: Bool
        /// The files of the chain and of its key.
        let certificate: (chain: String, key: String)?
        let isQuiet: Bool
        let logForm: LogForm
    }

    let database: String?
    /// Which new passwords are taken.
    let passwords: PasswordRule
    let job: Job

    init(_ given: Invocation, _ job: Job) throws(LineProblem) {
        database = given.value(Line.database)
        if database?.isEmpty == true { throw LineProblem("\(given.place(of: Line.database)) can't be empty.") }
        passwords = PasswordRule(least: given.number(Line.passwordLength) ?? PasswordRule.usualLength)
        self.job = job
    }
}

extension Arguments.Serving {
    init(_ given: Invocation) throws(LineProblem) {
        guard let listen = ListenAddress(given.value(Line.listen) ?? Line.usualAddress) else {
            throw LineProblem("\(given.place(of: Line.listen)) must be ADDRESS:PORT.")
        }
        let origin = given.value(Line.origin).map { Origin($0) }
        if case .some(nil) = origin {
            throw LineProblem(
                "\(given.place(of: Line.origin)) must be https://HOST, or http:// with a host that is this machine.")
        }
        switch (given.value(Line.chain), given.value(Line.key)) {
        case (let chain?, let key?): certificate = (chain, key)
        case (nil, nil): certificate = nil
        default: throw LineProblem("--tls-certificate and --tls-key must be used together.")
        }
        self.listen = listen
        self.origin = origin ?? nil
        isSignUpOpen = given.has(Line.signUp)
        clientRate = given.number(Line.clientRate) ?? Line.usualRate
        batch = given.number(Line.batch) ?? SignInLimit.batch
        isBehindProxy = given.has(Line.behindProxy)
        isQuiet = given.has(Line.quiet)
        // Parsing has made sure that it is a form.
        logForm = given.value(Line.logForm).flatMap { LogForm(rawValue: $0) } ?? .logfmt
    }
}
