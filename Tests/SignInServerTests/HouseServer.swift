import Foundation
import Testing
import ThumbLedgers
import ThumbSecrets
import ThumbSignIn

@testable import ThumbSignInServer

/// A server in the test's own process, on a clock that the test sets.
final class HouseServer: Bank, Sendable {
    let server: SignInServer
    /// What an operator works on beside the server.
    let ledger: SQLiteLedger
    let clock = Locked(Moment(seconds: 1_800_000_000))
    private let folder: Folder
    var port: UInt16 { server.port }
    var origin: String { server.origin.text }

    /// - Parameter through: what the server has in the ledger's place.
    init(_ change: (inout ServerSettings) -> Void = { _ in }, through: (SQLiteLedger) -> any Ledger = { $0 }) throws {
        var settings = ServerSettings(listen: ListenAddress("127.0.0.1:0")!)  // An address by its looks.
        settings.isSignUpOpen = true
        settings.clientRate = 0
        settings.logsRequests = false
        // What a password costs is another test's matter.
        (settings.passwordPasses, settings.passwordMemory) = (1, 64)
        change(&settings)
        folder = try Folder()
        let clock = clock
        ledger = try SQLiteLedger(path: folder.path + "/sign-in.db") { Issue.record("beside the batches: \($0.words)") }
        server = try SignInServer(settings, ledger: through(ledger)) { clock.withLock { $0 } }
    }

    deinit { server.stop() }

    func settle(_ deed: Deed) throws -> ThumbSignIn.DeedOutcome { try ledger.settle([deed], at: clock.withLock { $0 })[0] }

    func wait(_ seconds: Int64) { clock.withLock { $0 = $0 + seconds } }

    var now: Int64 { clock.withLock { $0.seconds } }

    /// What the metrics say, by line.
    func metric(_ wire: Wire, _ name: String) throws -> Int {
        let text = try wire.ask("GET", "/metrics").text
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return Int(line?.split(separator: " ").last ?? "") ?? -1
    }
}
