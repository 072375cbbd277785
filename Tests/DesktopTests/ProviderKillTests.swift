import Foundation
import Testing
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_secret_service

/// Provider and daemon are killed at random while a program of the desktop writes.
@Suite("A Secret Service that is killed", .timeLimit(.minutes(20))) struct ProviderKillTests {
    private static let writes = isWhole ? 1000 : 100
    private static let names = 12

    @Test("nothing that was acknowledged is lost") func kills() async throws {
        let (acknowledged, kills, lost) = try await onThread {
            var dice = Dice(for: "ProviderKillTests")
            return try Self.run(&dice)
        }
        Tally.note("kills", kills)
        Tally.note("lost", lost.count)
        #expect(acknowledged >= Self.writes)
        #expect(kills > 0)
        #expect(lost == [])
    }

    private static func run(_ dice: inout Dice) throws -> (acknowledged: Int, kills: Int, lost: [String]) {
        let stage = try SecretServiceStage(.daemon)
        var (known, underWay): ([String: String], [String: String]) = ([:], [:])
        var (acknowledged, kills, lost) = (0, 0, [String]())
        var writer = try stage.program("writer")
        while acknowledged < writes {
            let victim = Bool.random(using: &dice)
            let delay = UInt32.random(in: 0..<60_000, using: &dice)
            let child = victim ? stage.provider : stage.daemon?.child
            // Killed at a moment that the writer doesn't know, from another thread.
            let killing = Thread {
                usleep(delay)
                if let child { kill(child.pid, SIGKILL) }
            }
            killing.start()
            for number in 0... {
                let name = "item-\(Int.random(in: 0..<names, using: &dice))"
                let secret = "version-\(acknowledged)-\(number)-\(kills)"
                underWay[name] = secret
                guard writer.ask("store \(name) \(secret)")?.hasPrefix("stored ") == true else { break }
                (known[name], underWay[name]) = (secret, nil)
                acknowledged += 1
            }
            child?.end()
            kills += 1
            // The other one lives through it; the provider finds the daemon again by itself.
            if victim { try stage.startProvider() } else { try stage.startDaemon() }
            writer.end()
            writer = try stage.program("writer")
            for (name, secret) in known {
                let found = writer.ask("read \(name)") ?? "no answer"
                if found == "secret \(underWay[name] ?? secret)" {
                    known[name] = underWay[name] ?? secret
                } else if found != "secret \(secret)" {
                    lost.append("\(name): acknowledged \(secret), found \(found)")
                }
                underWay[name] = nil
            }
            underWay = [:]
        }
        return (acknowledged, kills, lost)
    }
}
