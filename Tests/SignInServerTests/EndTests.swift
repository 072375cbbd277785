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

    @Test("A server that is told to end answers those first who are waiting for something")
    func waiting() async throws {
        let (statuses, status) = try await onThread {
            let bank = try ServerProgram(["--client-rate", "0"])
            let asking = try bank.wire()
            let waiting = try ["anna", "otto"].map { name in
                let wire = try bank.wire()
                let body = Array(#"{"account":"\#(name)","password":"tulips in spring"}"#.utf8)
                wire.send(Wire.request("POST", "/v1/sessions", body))
                return wire
            }
            func stretched() throws -> Int {
                let lines = try asking.ask("GET", "/metrics", body: nil).text.split(separator: "\n")
                let line = lines.first { $0.hasPrefix("thumbturn_passwords_stretched_total ") }
                return Int(line?.split(separator: " ").last ?? "") ?? -1
            }
            // From then on both passwords are being stretched, or have been.
            var looks = 0
            while looks < 100_000, try stretched() < waiting.count { looks += 1 }
            let status = bank.end()
            return (try waiting.map { try $0.reply()?.status }, status)
        }
        #expect(statuses == [401, 401] && status == 0)
    }

    @Test("Once the end waits for the requests under way no other one is let in, and it comes with the last of them")
    func closed() async throws {
        let (isLetIn, isOver) = try await onThread {
            let folder = try Folder()
            let ledger = try SQLiteLedger(path: folder.path + "/sign-in.db") { _ in }
            let settings = ServerSettings(listen: ListenAddress("127.0.0.1:0")!)  // An address by its looks.
            let origin = Origin("https://bank.example")!  // An origin by its looks.
            let serving = Serving(settings, origin: origin, ledger: ledger) { Moment(seconds: 1_800_000_000) }
            defer { serving.end() }
            let peers = Peers(serving, serving.metrics.records[0])
            var isLetIn = [peers.countRequest()]
            var isOver = [peers.areRequestsOver(within: .zero)]
            isLetIn.append(peers.countRequest())
            peers.requestIsOver()
            isOver.append(peers.areRequestsOver(within: .zero))
            return (isLetIn, isOver)
        }
        #expect(isLetIn == [true, false] && isOver == [false, true])
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
