import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbClient
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_wire

@Suite("Attacks by other processes", .timeLimit(.minutes(5))) struct ProcessAttackTests {
    private static let ways = ["attach", "memory", "maps", "environment", "read", "descriptor"]

    @Test("a program of the same user can't trace the daemon, read its memory or take its descriptors")
    func tracing() async throws {
        let (outcomes, controls) = try await onThread {
            let attacker = try Attacker()
            let state = try Scratch()
            if getuid() == 0 { chown(state.path, Attacker.nobody, Attacker.nobody) }
            var ends: [Int32] = [-1, -1]
            guard thumb_pipe2(&ends, O_CLOEXEC) == 0 else { throw CannotStart(program: "a pipe") }
            let words = [
                "--serve", "--socket", state.path + "/socket", "--state", state.path, "--idle", "0", "--bus", "none",
                "--ready-fd", "3",
            ]
            let daemon = try attacker.start("thumbturnd", words, passing: ends[1])
            close(ends[1])
            var byte: UInt8 = 0
            guard read(ends[0], &byte, 1) == 1 else { throw CannotStart(program: "thumbturnd as another user") }
            close(ends[0])
            var (outcomes, controls): ([String: Attacker.Outcome], [String: Attacker.Outcome]) = ([:], [:])
            for way in Self.ways {
                outcomes[way] = try attacker.attack(way, "\(daemon.pid)")
                controls[way] = try attacker.attack(way, "victim")
            }
            return (outcomes, controls)
        }
        for way in Self.ways { #expect(outcomes[way] == .failed, "\(way)") }
        // Against a process that hides nothing it works: the attempts are real ones.
        if Attacker.canTrace("looking into the daemon") {
            for way in Self.ways { #expect(controls[way] == .succeeded, "\(way)") }
        }
        for way in Self.ways {
            Tally.attack("the daemon is looked into by way of \(way)", succeeded: outcomes[way] != .failed)
        }
    }

    @Test(
        "another uid can't reach the daemon, and is closed unheard where it can", .enabled(if: getuid() == 0, "takes two users"))
    func otherUser() async throws {
        let outcomes = try await onThread {
            let attacker = try Attacker()
            let state = try Scratch()
            guard let daemon = try Daemon.listening(state: state.path) else { throw CannotStart(program: "thumbturnd") }
            let asItIs = try attacker.attack("connect", daemon.socket)
            // Somebody opened the folder and the socket to all.
            chmod(state.path, 0o755)
            chmod(daemon.socket, 0o666)
            return [asItIs, try attacker.attack("connect", daemon.socket)]
        }
        #expect(outcomes == [.failed, .failed])
        for (modes, outcome) in zip(["as they are", "open to all"], outcomes) {
            Tally.check("another uid reaches a user's daemon with the modes \(modes)", succeeded: outcome != .failed)
        }
    }

    @Test("a connection passed on through fork and exec is closed unheard, with what it had")
    func passedOn() async throws {
        let marker = "MARKER-passed-on"
        let (own, passed) = try await onThread {
            let state = try Scratch()
            guard let daemon = try Daemon.listening(state: state.path) else { throw CannotStart(program: "thumbturnd") }
            let item = NewItem(
                itemClass: .genericPassword, attributes: [.account: .text("a"), .service: .text("s")],
                rule: AccessRule(.afterFirstUnlock), secret: try SecretBytes(copying: Array(marker.utf8)))
            _ = try daemon.client().add(item)
            let fd = try UnixSocket.connect(to: daemon.socket).get()
            defer { close(fd) }
            var query = Query(itemClass: .genericPassword, attributes: [.account: .text("a"), .service: .text("s")])
            query.shape = [.data]
            // The connection as its own process uses it: the secret comes.
            let talk = Talk(fd)
            try talk.say(Talk.bytes(.hello(Hello(role: .app)), 1))
            _ = try talk.frame()
            try talk.say(Talk.bytes(.find(query), 2))
            let own = try talk.frame()
            let child = try Child("thumbturn-test-attacker", ["speak", Talk.hex(.find(query), 3), marker], passing: fd)
            return (own, child.end())
        }
        #expect(own.range(of: Data(marker.utf8)) != nil)
        #expect(passed == 1)
        Tally.check("a connection that is passed on goes on to release", succeeded: passed != 1)
    }

    @Test("a connection whose process is gone when the daemon comes to it is closed unheard: nobody knows any more who that was")
    func outlived() async throws {
        let marker = "MARKER-outlived"
        let (gone, control) = try await onThread {
            let state = try Scratch()
            guard let daemon = try Daemon.listening(state: state.path) else { throw CannotStart(program: "thumbturnd") }
            let client = daemon.client()
            client.introduce(as: "org.example.app")
            let attributes: Attributes = [.account: .text("a"), .service: .text("s")]
            let item = NewItem(
                itemClass: .genericPassword, attributes: attributes, rule: AccessRule(.afterFirstUnlock),
                secret: try SecretBytes(copying: Array(marker.utf8)))
            _ = try client.add(item)
            // The list of programs names that one: what any program is told that is heard at all.
            let words = [Talk.hex(.hello(Hello(role: .app)), 1), Talk.hex(.listApps, 2)]
            // The daemon is held while the other connects, writes and ends.
            func play(_ ending: String) throws -> Int32 {
                var ends: [Int32] = [-1, -1]
                guard thumb_pipe2(&ends, O_CLOEXEC) == 0 else { throw CannotStart(program: "a pipe") }
                defer { for end in ends { close(end) } }
                kill(daemon.child.pid, SIGSTOP)
                defer { kill(daemon.child.pid, SIGCONT) }
                let attacker = try Child(
                    "thumbturn-test-attacker", ["outlive", daemon.socket] + words + ["org.example.app", ending], passing: ends[1])
                var byte: UInt8 = 0
                guard read(ends[0], &byte, 1) == 1 else { throw CannotStart(program: "thumbturn-test-attacker") }
                kill(daemon.child.pid, SIGCONT)
                return attacker.end()
            }
            return (try play("end"), try play("stay"))
        }
        #expect(gone == 1)
        #expect(control == 0)
        Tally.check("a connection releases after its process has ended", succeeded: gone != 1)
    }
}
