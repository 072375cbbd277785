import ThumbCommands
import ThumbLedgers
import ThumbLogging
import ThumbLoop
import ThumbSignIn
import ThumbSignInServer

// The sign-in server: reads its arguments, opens the database, and serves until it is told to end.

/// Prints what went wrong and ends with a status that tells which kind of error it was.
func fail(_ status: Int32, _ message: String) -> Never {
    ServerProcess.say("thumbturn-server: \(message)", toError: true)
    ServerProcess.end(status)
}

/// - Parameter complain: hears about failures that lost nothing.
func openLedger(_ place: String?, for use: LedgerUse, _ complain: @escaping @Sendable (LedgerFailure) -> Void) -> any Ledger {
    do {
        if let place, place.hasPrefix("postgresql://") || place.hasPrefix("postgres://") { return try PostgresLedger(url: place) }
        return try SQLiteLedger(path: try place ?? ServerProcess.stateFolder() + "/sign-in.db", for: use, complain: complain)
    } catch LedgerFailure.unavailable(let words), LedgerFailure.uncertain(let words) {
        fail(75, "the database: \(words)")
    } catch LedgerFailure.unusable(let words) {
        fail(65, "the database: \(words)")
    } catch {
        fail(73, "\(error)")
    }
}

/// Serves with what the files of TLS have now. If that can't be used, the certificate before it stays.
func readAgain(_ files: (chain: String, key: String)?, for server: SignInServer, _ log: ServerLog, at now: Moment) {
    guard let files else { return log.tell(.notice, "asked to read the certificate again, and there is none", at: now) }
    do throws(ServerError) {
        try server.replaceCertificate(chain: ServerProcess.read(files.chain), key: ServerProcess.read(files.key))
        log.tell(.notice, "the certificate was read again", at: now)
    } catch {
        log.tell(.error, "the certificate can't be replaced, and the one before stays: \(error.description)", at: now)
    }
}

func serve(_ serving: Arguments.Serving, with asked: Arguments) throws {
    var settings = ServerSettings(listen: serving.listen)
    settings.origin = serving.origin
    settings.isSignUpOpen = serving.isSignUpOpen
    settings.clientRate = serving.clientRate
    settings.batch = serving.batch
    settings.passwords = asked.passwords
    settings.isBehindProxy = serving.isBehindProxy
    settings.logsRequests = !serving.isQuiet
    let log = ServerLog(serving.logForm)
    settings.log = log
    defer { log.finish() }
    if let files = serving.certificate {
        settings.certificate = (try ServerProcess.read(files.chain), try ServerProcess.read(files.key))
    }
    let notices = ServiceNotices.taken()
    ServerProcess.holdSignals()
    let now = { @Sendable in Moment(seconds: ServerProcess.now()) }
    let ledger = openLedger(asked.database, for: .serving) { log.tell(.error, "the database: \($0.words)", at: now()) }
    let server = try SignInServer(settings, ledger: ledger, now: now)
    let scheme = settings.certificate == nil ? "http" : "https"
    ServerProcess.say("listening on \(scheme)://\(serving.listen.host):\(server.port), origin \(server.origin.text)")
    if let danger = settings.danger { log.tell(.warning, danger, at: now()) }
    notices?.send("READY=1")
    ServerProcess.waitForEnd {
        notices?.send("RELOADING=1")
        readAgain(serving.certificate, for: server, log, at: now())
        notices?.send("READY=1")
    }
    notices?.send("STOPPING=1")
    server.stop()
}

/// Prints what is wrong with the command line and ends.
func refuse(_ message: String, _ advice: String) -> Never {
    fail(64, "\(message)\n  \(advice)")
}

/// The line, with what the environment and the file of settings say.
func completed(_ given: Invocation) throws(LineProblem) -> Invocation {
    let named = Line.program.settingsFile(given, variable: ServerProcess.variable)
    let path = named ?? Line.usualSettings
    let file: [UInt8]?
    do throws(ServerError) {
        file = try ServerProcess.settings(path, mayBeMissing: named == nil)
    } catch { fail(78, error.description) }
    return try Line.program.completed(given, variable: ServerProcess.variable, file: file, named: path)
}

func arguments() -> Arguments {
    do throws(Misuse) {
        switch try Line.program.read(Array(CommandLine.arguments.dropFirst())) {
        case .about(let about):
            ServerProcess.say(String(Line.program.overview.text(about).dropLast()))
            ServerProcess.end(0)
        case .work(let action, let given):
            do throws(LineProblem) {
                return try action(completed(given))
            } catch {
                refuse(error.message, Misuse.advice(given.path))
            }
        }
    } catch {
        refuse(error.message, error.advice)
    }
}

let asked = arguments()
do {
    Hardening.apply()
    switch asked.job {
    case .keep(let errand):
        let ledger = openLedger(asked.database, for: .visiting) {
            ServerProcess.say("thumbturn-server: the database: \($0.words)", toError: true)
        }
        let accounts = AccountKeeping(ledger, at: Moment(seconds: ServerProcess.now()), passwords: asked.passwords)
        try errand.run(accounts) { ServerProcess.say($0) }
    case .serve(let serving): try serve(serving, with: asked)
    }
} catch let error as ServerError {
    let statuses: [ServerError.Code: Int32] = [.account: 65, .ledger: 75, .folder: 73]
    fail(statuses[error.code] ?? 78, error.description)
}
