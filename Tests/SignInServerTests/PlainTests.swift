import Foundation
import Testing
import thumbturn_test_programs

@testable import ThumbSignInServer

@Suite("Plain HTTP") struct PlainTests {
    enum Case: CaseIterable, Sendable {
        case everywhere, everywhereInJSON, behindProxy, withCertificate, thisMachine, thisMachinesOther

        var isWarned: Bool { self == .everywhere || self == .everywhereInJSON }

        var address: String {
            switch self {
            case .everywhere, .everywhereInJSON, .behindProxy, .withCertificate: "0.0.0.0:0"
            case .thisMachine: "127.0.0.1:0"
            case .thisMachinesOther: "127.1.2.3:0"
            }
        }
    }

    @Test("Where other machines can connect it is warned of once, and nowhere else", arguments: Case.allCases)
    func warned(_ one: Case) async throws {
        let log = try await onThread {
            let folder = try Folder()
            var line = ["--listen", one.address, "--origin", "https://bank.example", "--database", folder.path + "/sign-in.db"]
            switch one {
            case .behindProxy: line.append("--behind-proxy")
            case .withCertificate:
                let pair = try TLSPair("bank", in: folder)
                line += ["--tls-certificate", pair.chain, "--tls-key", pair.key]
            case .everywhereInJSON: line += ["--log-format", "json"]
            case .everywhere, .thisMachine, .thisMachinesOther: break
            }
            let bank = try ServerProgram(line, folder: folder, isBare: true)
            guard bank.end() == 0 else { throw ServerProgram.CannotStart(said: "it didn't end well") }
            return try bank.log.split(separator: "\n").map(String.init)
        }
        #expect(log.count == (one.isWarned ? 1 : 0), "\(log)")
        let level = one == .everywhereInJSON ? #""level":"warning""# : "level=warning"
        #expect(log.allSatisfy { $0.contains(level) && $0.contains("plain HTTP") && $0.contains("--tls-certificate") }, "\(log)")
    }

    @Test(
        "Which addresses are this machine's alone",
        arguments: [
            ("127.0.0.1", true), ("127.255.255.254", true), ("localhost", true), ("[::1]", true), ("[0:0:0:0:0:0:0:1]", true),
            ("[::ffff:127.0.0.1]", true), ("0.0.0.0", false), ("[::]", false), ("192.0.2.1", false), ("10.0.0.1", false),
            ("128.0.0.1", false), ("1.0.0.127", false), ("[fe80::1]", false), ("[::2]", false), ("[1::1]", false),
            ("[::ffff:192.0.2.1]", false), ("[100::]", false),
        ])
    func loopback(_ host: String, _ isLoopback: Bool) throws {
        #expect(try #require(ListenAddress(host + ":0")).isLoopback == isLoopback)
    }
}
