import Testing
import ThumbLedgers
import ThumbSignIn
import thumbturn_test_programs

@testable import ThumbSignInServer

@Suite("The end of a server")
struct EndTests {
    @Test("A server that has ended keeps nothing: its ledger goes with it, and the ledger's thread")
    func letGo() async throws {
        let isGone = try await onThread {
            weak var ledger: SQLiteLedger?
            do {
                let house = try HouseServer()
                ledger = house.ledger
                #expect(try house.wire().ask("GET", "/metrics").status == 200)
            }
            return ledger == nil
        }
        #expect(isGone)
    }

    @Test("A server that can't start keeps nothing either")
    func refused() async throws {
        let isGone = try await onThread {
            weak var ledger: SQLiteLedger?
            do {
                let folder = try Folder()
                let own = try SQLiteLedger(path: folder.path + "/sign-in.db") { _ in }
                ledger = own
                var settings = ServerSettings(listen: ListenAddress("127.0.0.1:0")!)  // An address by its looks.
                settings.certificate = (Array("no chain".utf8), Array("no key".utf8))
                #expect(throws: ServerError(.certificate, "")) {
                    _ = try SignInServer(settings, ledger: own) { Moment(seconds: 1_800_000_000) }
                }
            }
            return ledger == nil
        }
        #expect(isGone)
    }
}
