import ThumbLedgers
import ThumbLoop
import ThumbSignIn
import ThumbSignInServer

// The sign-in server: reads its arguments, opens the database, serves until it is told to end.

/// Ends with what went wrong, and the status that says what kind of thing it was.
func fail(_ status: Int32, _ message: String) -> Never {
    ServerProcess.say("thumbturn-server: \(message)", toError: true)
    ServerProcess.end(status)
}

func openLedger(_ place: String?) -> any Ledger {
    do {
        if let place, place.hasPrefix("postgresql://") || place.hasPrefix("postgres://") { return try PostgresLedger(url: place) }
        return try SQLiteLedger(path: try place ?? ServerProcess.stateFolder() + "/sign-in.db") { failure in
            ServerProcess.say("thumbturn-server: the database: \(failure.words)", toError: true)
        }
    } catch LedgerFailure.unavailable(let words), LedgerFailure.uncertain(let words) {
        fail(75, "the database: \(words)")
    } catch LedgerFailure.unusable(let words) {
        fail(65, "the database: \(words)")
    } catch {
        fail(73, "\(error)")
    }
}

func serve(_ arguments: Arguments) throws {
    guard let listen = ListenAddress(arguments.listen) else { fail(64, "--listen can't be that") }
    var settings = ServerSettings(listen: listen)
    settings.origin = arguments.origin.flatMap { Origin($0) }
    settings.isSignUpOpen = arguments.isSignUpOpen
    settings.clientRate = arguments.clientRate
    settings.isBehindProxy = arguments.isBehindProxy
    settings.logsRequests = !arguments.isQuiet
    if let chain = arguments.certificate, let key = arguments.key {
        settings.certificate = (try ServerProcess.read(chain), try ServerProcess.read(key))
    }
    let notices = ServiceNotices.taken()
    ServerProcess.holdSignals()
    let server = try SignInServer(settings, ledger: openLedger(arguments.database)) {
        Moment(seconds: ServerProcess.now())
    }
    let scheme = settings.certificate == nil ? "http" : "https"
    ServerProcess.say("listening on \(scheme)://\(listen.host):\(server.port), origin \(server.origin.text)")
    notices?.send("READY=1")
    ServerProcess.waitForEnd()
    notices?.send("STOPPING=1")
    server.stop()
}

switch Arguments.parse(Array(CommandLine.arguments.dropFirst())) {
case .failure(let problem): fail(64, problem.message)
case .success(let arguments):
    do {
        switch arguments.action {
        case .help: ServerProcess.say(Arguments.help)
        case .version: ServerProcess.say("thumbturn-server \(Version.string)")
        case .keep(let errand):
            Hardening.apply()
            let accounts = AccountKeeping(openLedger(arguments.database), at: Moment(seconds: ServerProcess.now()))
            try errand.run(accounts) { ServerProcess.say($0) }
        case .serve:
            Hardening.apply()
            try serve(arguments)
        }
    } catch let error as ServerError {
        let statuses: [ServerError.Code: Int32] = [.account: 65, .ledger: 75, .folder: 73]
        fail(statuses[error.code] ?? 78, error.description)
    }
}
