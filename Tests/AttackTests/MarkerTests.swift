import CThumbLinux
import Foundation
import Testing
import thumbturn_test_daemon
import thumbturn_test_programs

@Suite("Attacks on finding the system's daemon", .enabled(if: getuid() == 0, "takes root and two users"), .timeLimit(.minutes(5)))
struct MarkerTests {
    private static let down =
        "failed notFound: the system service is installed but not running; run 'systemctl start thumbturn.socket'"
    private static let impostor = "failed impostor: somebody else listens on Thumbturn's socket; nothing was sent to them"

    /// A daemon of the user's own where clients would look next.
    private static func falseDaemon(_ machine: SystemMachine) throws -> Child {
        try machine.inside("install -d -o \(machine.eve) -g \(machine.eve) -m 700 /run/eve")
        return try machine.start(["--serve", "--state", "/run/eve/state", "--idle", "0"], as: machine.eve)
    }

    @Test("a stopped system daemon with a false user daemon in its place: that one isn't asked")
    func stopped() async throws {
        let (stopped, served, control) = try await onThread {
            let machine = try SystemMachine()
            let other = try Self.falseDaemon(machine)
            defer { other.killed() }
            let stopped = try machine.speaker(machine.eve).say("pid")
            try machine.serve()
            let served = try machine.speaker(machine.eve)
            let isServed = try served.say("pid") == machine.device(of: machine.eve).map { "pid \($0)" }
            machine.stop()
            // Without the marker she is asked: the attempt is a real one.
            try machine.inside("rm \(SystemMachine.marker)")
            return (stopped, isServed, try machine.speaker(machine.eve).say("pid") == "pid \(other.pid)")
        }
        #expect(stopped == Self.down)
        #expect(served && control)
        Tally.attack("a user's daemon is asked in place of the stopped system's daemon", succeeded: stopped != Self.down)
    }

    @Test("where nobody may look whether system mode is on, it counts as on, and a user's daemon isn't asked")
    func hidden() async throws {
        let (hidden, control) = try await onThread {
            let machine = try SystemMachine()
            let other = try Self.falseDaemon(machine)
            defer { other.killed() }
            try machine.inside("chmod 700 /etc/thumbturn")
            let hidden = try machine.speaker(machine.eve).say("pid")
            // Where she can see that it is off, her daemon is asked: the attempt is a real one.
            try machine.inside("rm \(SystemMachine.marker) && chmod 755 /etc/thumbturn")
            return (hidden, try machine.speaker(machine.eve).say("pid") == "pid \(other.pid)")
        }
        #expect(hidden == Self.down)
        #expect(control)
    }

    @Test("a socket directory that is a link, or that somebody else can write, is refused")
    func folder() async throws {
        let answers = try await onThread {
            let machine = try SystemMachine()
            try machine.serve()
            // The very daemon that would be right, seen through a link; then its own folder, opened to others.
            try machine.inside("mv /run/thumbturn /run/moved && ln -s /run/moved /run/thumbturn")
            let linked = try machine.speaker(machine.eve).say("pid")
            try machine.inside("rm /run/thumbturn && mv /run/moved /run/thumbturn && chmod 777 /run/thumbturn")
            let open = try machine.speaker(machine.eve).say("pid")
            try machine.inside("chmod 755 /run/thumbturn && chown \(machine.eve) /run/thumbturn")
            let owned = try machine.speaker(machine.eve).say("pid")
            try machine.inside("chown 0 /run/thumbturn")
            return [linked, open, owned, try machine.speaker(machine.eve).say("items")]
        }
        #expect(answers.prefix(3).allSatisfy { $0 == Self.impostor }, "\(answers)")
        #expect(answers[3] == "items 0")
        for (folder, answer) in zip(["is a link", "is open to all", "is another's"], answers) {
            Tally.check("a client speaks through a socket folder that \(folder)", succeeded: answer != Self.impostor)
        }
    }

    @Test("a listener of another uid than root's is told nothing, even on the system's own socket")
    func listener() async throws {
        let answer = try await onThread {
            let machine = try SystemMachine()
            try machine.inside(
                "mkdir -m 755 /run/thumbturn && install -d -o \(machine.eve) -g \(machine.eve) -m 700 /run/eve")
            let other = try machine.start(
                ["--serve", "--state", "/run/eve/state", "--socket", "/run/eve/socket", "--idle", "0"], as: machine.eve)
            defer { other.killed() }
            try machine.inside("mv /run/eve/socket /run/thumbturn/socket && chmod 666 /run/thumbturn/socket")
            return try machine.speaker(machine.ada).say("pid")
        }
        #expect(answer == Self.impostor)
        Tally.check("a client speaks to a listener of another user's", succeeded: answer != Self.impostor)
    }

    @Test("the system's daemon doesn't listen in a folder that is a link or another's")
    func serving() async throws {
        let statuses = try await onThread {
            let machine = try SystemMachine()
            func status() throws -> Int32 {
                do {
                    try machine.serve()
                    machine.stop()
                    return 0
                } catch {
                    return 1
                }
            }
            try machine.inside("mkdir /run/moved && ln -s /run/moved /run/thumbturn")
            let linked = try status()
            try machine.inside("rm /run/thumbturn && install -d -o \(machine.eve) -m 755 /run/thumbturn")
            let owned = try status()
            try machine.inside("chown 0 /run/thumbturn")
            return [linked, owned, try status()]
        }
        #expect(statuses == [1, 1, 0])
        for (folder, status) in zip(["is a link", "is another's"], statuses) {
            Tally.check("the system's daemon listens in a folder that \(folder)", succeeded: status == 0)
        }
    }
}
