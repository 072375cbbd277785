import Foundation
import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_fingerprint
import thumbturn_test_wire

/// What a finger costs besides fprintd's own work: from the finger on the reader to the secret in the app. In turn with it, a program asks
/// fprintd itself and waits for its verdict. This is the real fprintd with libfprint's virtual reader, both on a bus of the bench's own.
enum FingerBench {
    /// After each prompt the reader rests for a second. Nobody has a finger on it then, so the second isn't counted, but it makes a run
    /// long.
    private static let rounds = 60
    private static let name: Attributes = [.account: .text("bank"), .service: .text("bench")]

    static func run(_ report: Report) throws {
        let stage = try waiting { try await FingerStage.start() }
        let hall = try waiting { try await Hall(stage) }
        let daemon = try Daemon(arguments: [
            "--tpm", "none", "--bus", stage.bus, "--bus-owner", "\(stage.user)", "--templates", stage.templates,
            "--seat", "open",
        ])
        defer { daemon.stop() }
        let app = try WirePeer(daemon.socket)
        try hall.enroll(app)
        try add(app)
        var (verdict, secret) = (Samples(), Samples())
        let find = FindItems(Query(itemClass: .genericPassword, attributes: name, shape: .data))
        for round in -rounds / 10..<rounds {
            let own = try waiting { try await hall.verify() }
            guard case .page(let items, _) = try app.ask(find), items.first?.secret != nil else {
                throw BenchError("a finger released nothing")
            }
            let whole = Hall.now - hall.shownAt
            // The first tenth warms up.
            if round < 0 { continue }
            verdict.add(own)
            secret.add(whole)
        }
        report.bench("finger-to-fprintd-verdict", verdict, "ms", peer: PeerCase.fprintd)
        report.bench("finger-to-secret", secret, "ms")
        report.ratio("finger-to-secret-beyond-fprintd-ms", secret.median - verdict.median, .atMost(3))
    }

    private static func add(_ app: WirePeer) throws {
        let item = NewItem(
            itemClass: .genericPassword, attributes: name, rule: try AccessRule(.whenUnlocked, .biometryCurrentSet),
            secret: try SecretBytes(copying: [UInt8](repeating: 9, count: 32)))
        guard case .page = try app.ask(.add(item)) else { throw BenchError("an item for the finger can't be made") }
    }
}
