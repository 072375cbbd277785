import Foundation
import Testing
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_secret_service

/// Provider and daemon are killed at random while a program of the desktop writes.
@Suite("A Secret Service that is killed", .timeLimit(.minutes(20))) struct ProviderKillTests {
    private static let writes = isWhole ? 3000 : 300
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
            // So many writes go well before, however slow the machine is.
            let before = Int.random(in: 0..<16, using: &dice)
            let delay = UInt32.random(in: 0..<8_000, using: &dice)
            let child = victim ? stage.provider : stage.daemon?.child
            let (isDue, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            // Killed at a moment that the writer doesn't know, from another thread.
            let killing = Thread {
                isDue.wait()
                usleep(delay)
                if let child { kill(child.pid, SIGKILL) }
                isDone.signal()
            }
            killing.start()
            for number in 0... {
                let name = "item-\(Int.random(in: 0..<names, using: &dice))"
                let secret = "version-\(acknowledged)-\(number)-\(kills)"
                if number == before { isDue.signal() }
                underWay[name] = secret
                guard writer.ask("store \(name) \(secret)")?.hasPrefix("stored ") == true else { break }
                (known[name], underWay[name]) = (secret, nil)
                acknowledged += 1
            }
            isDue.signal()
            isDone.wait()
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
