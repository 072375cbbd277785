import Foundation
import Testing
import thumbturn_test_programs

/// The whole path: the command line, two daemons with a TPM each, two carriers, and the network between them.
@Suite("Companions over a network", .serialized, .enabled(if: geteuid() == 0, "takes root"), .timeLimit(.minutes(10)))
struct CompanionNetworkTests {
    private static let passcode = OwnersMachine.passcode + "\r"

    /// The code that a terminal showed.
    private static func code(_ said: String) -> Substring? {
        said.range(of: "if its screen shows ").map { said[$0.upperBound...].prefix(7) }
    }

    @Test("both screens show one code, the owner's yes on the other machine counts, and its prompt says who asks and what for")
    func yes() async throws {
        let (pairing, answer) = try await onThread {
            let machines = try OwnersMachines()
            return (machines.pairing, try machines.answer(Self.passcode))
        }
        let codes = [Self.code(pairing.desk.said), Self.code(pairing.laptop.said)]
        #expect(codes[0]?.filter(\.isNumber).count == 6 && codes[0] == codes[1])
        #expect(pairing.desk.said.contains("itself ‘laptop’") && pairing.laptop.said.contains("itself ‘desk’"))
        #expect(pairing.desk.said.contains("'laptop' can say yes for this machine now."))
        #expect(pairing.laptop.said.contains("You can say yes here for 'desk' now."))

        #expect(answer.desk.status == 0 && answer.desk.said.contains("The owner was recognized at a companion."))
        #expect(answer.desk.said.contains("You can answer on another machine: laptop."))
        #expect(answer.laptop.contains("It asks on another machine of yours: desk"))
        #expect(answer.laptop.contains("/thumbturn asks for you") && answer.laptop.contains("“\(OwnersMachine.reason)”"))
    }

    @Test("the owner's no on the other machine is a no, and a wrong passcode there is no yes")
    func no() async throws {
        let (cancelled, wrong) = try await onThread {
            let machines = try OwnersMachines()
            let cancelled = try machines.answer("\u{3}").desk
            let asking = try machines.desk.ask()
            _ = try machines.laptop.isAsked()
            machines.laptop.carrier?.type("wrong-guess\r")
            _ = try machines.laptop.carrier?.wait(for: "That passcode is not right.")
            machines.laptop.carrier?.type("\u{1b}")
            return (cancelled, try OwnersMachine.ended(asking))
        }
        #expect(cancelled.status == 3 && wrong.status == 3)
        #expect(!wrong.said.contains("recognized"))
    }

    @Test("a program on a terminal that is on no screen, as over SSH, asks nobody at the other machine")
    func unseen() async throws {
        let (answer, shown) = try await onThread {
            let machines = try OwnersMachines(isSeated: false)
            return (try machines.askInVain(), machines.laptop.carrier?.said)
        }
        #expect(answer.status == 2 && answer.said.contains("No companion answers."))
        #expect(!answer.said.contains("You can answer on another machine") && shown?.contains("Passcode:") == false)
    }

    @Test("lost: when a carrier is gone there is nobody to ask, and when it is back there is")
    func lost() async throws {
        let (without, again) = try await onThread {
            let machines = try OwnersMachines()
            machines.laptop.loseCarrier()
            try machines.desk.awaitCompanion(isNear: false)
            let without = try machines.askInVain()
            try machines.laptop.carry()
            try machines.desk.awaitCompanion(isNear: true)
            return (without, try machines.answer(Self.passcode).desk)
        }
        #expect(without.status == 2 && without.said.contains("No companion answers."))
        #expect(again.status == 0)
    }

    @Test("asleep: a machine that sleeps is away, and when it wakes it asks nobody what it was asked too late")
    func asleep() async throws {
        let (asleep, shown, awake) = try await onThread {
            let machines = try OwnersMachines()
            machines.laptop.sleep(true)
            defer { machines.laptop.sleep(false) }
            let asleep = try machines.askInVain()
            machines.laptop.sleep(false)
            // Somebody is at the laptop: its TPM is done with the call that came too late.
            let local = try machines.laptop.start(["thumbturn", "verify"])
            try OwnersMachine.typePasscode(local)
            _ = try OwnersMachine.ended(local)
            try machines.desk.awaitCompanion(isNear: true)
            let asking = try machines.desk.ask("open the safe")
            let shown = try machines.laptop.isAsked()
            machines.laptop.carrier?.type(Self.passcode)
            return (asleep, shown, try OwnersMachine.ended(asking))
        }
        #expect(asleep.status == 2 && asleep.said.contains("You can answer on another machine: laptop."))
        #expect(asleep.said.contains("No companion answers."))
        // The first that its terminal shows since it woke is the new question.
        #expect(shown.contains("“open the safe”") && !shown.contains(OwnersMachine.reason))
        #expect(awake.status == 0)
    }

    @Test("far: beyond a router that forwards everything no companion is reached, and back on one wire it is")
    func far() async throws {
        let (reached, far, near) = try await onThread {
            let machines = try OwnersMachines()
            try machines.goFar()
            // Other programs reach the laptop: its system refuses a port that nobody has.
            let reached = try machines.desk.network.run("exec 3<>/dev/tcp/\(machines.laptop.address)/9", status: 1)
            try machines.desk.awaitCompanion(isNear: false)
            // The desk's carrier calls again, and the laptop's system drops that: it came through a router.
            let (opened, dropped) = (
                try machines.desk.network.count("ActiveOpens"), try machines.laptop.network.count("TCPMinTTLDrop")
            )
            try machines.desk.network.awaitMore("ActiveOpens", than: opened)
            try machines.laptop.network.awaitMore("TCPMinTTLDrop", than: dropped)
            let far = try machines.askInVain()
            try machines.comeBack()
            try machines.desk.awaitCompanion(isNear: true)
            return (reached, far, try machines.answer(Self.passcode).desk)
        }
        #expect(reached.contains("Connection refused"))
        #expect(far.status == 2 && far.said.contains("No companion answers."))
        #expect(near.status == 0)
    }

    @Test("replayed: a yes that somebody on the wire kept is none when it is said again, before a question or amid one")
    func replayed() async throws {
        let (first, shown, again, said) = try await onThread {
            let machines = try OwnersMachines(isRelayed: true)
            let first = try machines.answer(Self.passcode).desk
            var said = [try machines.relay("again")]
            let asking = try machines.desk.ask("open the safe")
            let shown = try machines.laptop.isAsked()
            said.append(try machines.relay("again"))
            return (first, shown, try OwnersMachine.ended(asking), said)
        }
        // Call, answer, question and yes; then also what the replay brought about, and the next question.
        #expect(first.status == 0 && said[0] == 4 && said[1] > 6)
        // The first that was shown after the replay is the new question.
        #expect(shown.contains("“open the safe”") && !shown.contains(OwnersMachine.reason))
        #expect(again.status == 2 && !again.said.contains("recognized"))
    }

    @Test("relayed late: a yes that was held back on the wire is none once the asking machine waits no longer, nor for the next")
    func late() async throws {
        let (late, held, next) = try await onThread {
            let machines = try OwnersMachines(isRelayed: true)
            let asking = try machines.desk.ask()
            _ = try machines.laptop.isAsked()
            _ = try machines.relay("hold")
            machines.laptop.carrier?.type(Self.passcode)
            let late = try OwnersMachine.ended(asking)
            let held = try machines.relay("held")
            let next = try machines.desk.ask()
            guard try next.wait(for: "You can answer on another machine") else { throw Program.TookTooLong(output: next.said) }
            _ = try machines.relay("release")
            return (late, held, try OwnersMachine.ended(next))
        }
        #expect(held == 1)
        #expect(late.status == 2 && late.said.contains("No companion answers."))
        #expect(next.status == 2 && !next.said.contains("recognized"))
    }

    @Test("taken back: a pairing that was removed on either machine is good for nothing", arguments: ["desk", "laptop"])
    func takenBack(_ side: String) async throws {
        let (removal, left, answer) = try await onThread {
            let machines = try OwnersMachines()
            let removal = try side == "desk" ? machines.desk.remove("laptop") : machines.laptop.remove("desk")
            let machine = side == "desk" ? machines.desk : machines.laptop
            let left = try OwnersMachine.ended(machine.start(["thumbturn", "companion", "list"], in: .pipes))
            return (removal, left, try machines.askInVain())
        }
        #expect(removal.status == 0 && removal.said.contains("is removed. Remove it there too."))
        #expect(left.said.contains("No machine is paired."))
        #expect(answer.status == 2 && !answer.said.contains("recognized"))
    }
}
