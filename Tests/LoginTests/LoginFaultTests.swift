import CThumbLinux
import Foundation
import Testing
import ThumbBus
import ThumbLoop
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_fingerprint
import thumbturn_test_login
import thumbturn_test_model
import thumbturn_test_programs

/// Logins at the module while the daemon's processes and fprintd are killed or stopped, and while the disk is full, at random moments.
@Suite("Logins while everything behind them fails", .timeLimit(.minutes(30)), .enabled(if: geteuid() == 0, "takes root"))
struct LoginFaultTests {
    /// What goes wrong once.
    private struct Wrong: Sendable {
        enum Way: CaseIterable, Sendable { case killed, stopped }
        enum Part: CaseIterable, Sendable { case front, device, broker, fprintd }

        let part: Part
        let way: Way

        static let all = Part.allCases.flatMap { part in Way.allCases.map { Wrong(part: part, way: $0) } }
    }

    /// What became of all logins.
    private struct Outcome: Sendable {
        var logins = 0, faults = 0, fingers = 0
        var complaints: [String] = []
    }

    /// Logs in once, whatever happens meanwhile: with the right password, or in vain with a wrong one.
    private static func logIn(
        at stage: LoginStage, isRight: Bool, _ dice: inout Dice, _ outcome: inout Outcome, _ meanwhile: () throws -> Void
    ) throws {
        let applicant = try stage.su()
        // From before the module is loaded to long after its question.
        usleep(UInt32(dice.roll(600_000)))
        try meanwhile()
        outcome.logins += 1
        do {
            try applicant.wait(for: "Password: ")
            usleep(UInt32(dice.roll(200_000)))
            applicant.type((isRight ? LoginStage.password : "no such word") + "\n")
            let status = try applicant.end()
            if status != (isRight ? 0 : 1) { outcome.complaints.append("it ended with \(status): \(applicant.said)") }
            if !applicant.isAlone() { outcome.complaints.append("a process was left: \(applicant.said)") }
            if !applicant.echoes { outcome.complaints.append("the terminal doesn't show what is typed: \(applicant.said)") }
        } catch let error as Applicant.TookTooLong {
            outcome.complaints.append("it took too long: \(error.said)")
        }
    }

    /// The process that something happens to, if it runs.
    private static func process(_ part: Wrong.Part, of house: House) async throws -> pid_t? {
        switch part {
        case .front: return house.processes["front"]
        case .device: return house.processes[House.role(of: getuid())]
        case .broker: return house.processes["reader"]
        case .fprintd:
            do { return try await house.stage.fprintdProcess() } catch let error as BusError where error.code == .noOwner {
                // It was killed before, and nobody has wanted a finger since.
                return nil
            }
        }
    }

    /// A finger is enough where nothing is wrong. Without this the module might never have asked for one.
    private static func isLetInByFinger(at stage: LoginStage, _ house: House, _ fingers: Fingers) throws -> Bool {
        EventLoop.shared.sync { fingers.touches(true) }
        defer { EventLoop.shared.sync { fingers.touches(false) } }
        let end = EventLoop.now + 60
        while EventLoop.now < end {
            guard hasGivenPasscode(at: house.socket) else {
                // Somebody who was killed a moment ago is starting.
                usleep(100_000)
                continue
            }
            let applicant = try stage.su()
            if applicant.ends(within: 5) { return try applicant.end() == 0 }
            applicant.type("\n")
            _ = try applicant.end()
        }
        return false
    }

    /// A device that is killed while it listens has counted a miss, so that a kill is no free try. The passcode ends what comes of that.
    private static func hasGivenPasscode(at socket: String) -> Bool {
        guard let peer = try? WirePeer(socket), case .done? = try? peer.ask(.setPasscode) else { return false }
        return true
    }

    @Test("nobody is locked out of the password, no process is left, and the terminal shows again what is typed")
    func faults() async throws {
        let count = isWhole ? 210 : 9
        let disk = try SmallDisk()
        let stage = try await FingerStage.start()
        let fingers = Fingers()
        try await fingers.stand(at: stage)
        let house = try House(in: disk.folder, on: stage)
        defer { house.end() }
        let logins = try LoginStage(.folder(disk.folder + "/run"))
        let outcome = try await onThread {
            try Self.enrol(at: house.socket, fingers)
            var (dice, outcome) = (Dice(for: "LoginFaultTests"), Outcome())
            var deck = Deck(Wrong.all.map { Optional($0) } + [nil])
            for round in 0..<count {
                let isRight = dice.roll(3) > 0
                if let wrong = deck.deal(&dice) ?? nil {
                    try Self.round(wrong, house, logins, isRight, &dice, &outcome)
                } else {
                    try house.whileDiskIsFull { try Self.logIn(at: logins, isRight: isRight, &dice, &outcome) {} }
                    outcome.faults += 1
                }
                if round % 9 == 8, try Self.isLetInByFinger(at: logins, house, fingers) { outcome.fingers += 1 }
            }
            return outcome
        }
        Tally.note("login-faults", outcome.faults)
        Tally.note("login-logins", outcome.logins)
        Tally.note("login-lost", outcome.complaints.count)
        #expect(outcome.complaints.isEmpty)
        #expect(outcome.faults > count / 2 && outcome.fingers == count / 9)
    }

    /// One login, during which a process is killed or stopped. Afterwards all is as it was.
    private static func round(
        _ wrong: Wrong, _ house: House, _ logins: LoginStage, _ isRight: Bool, _ dice: inout Dice, _ outcome: inout Outcome
    ) throws {
        var stopped: pid_t?
        defer { if let stopped { kill(stopped, SIGCONT) } }
        var hasHappened = false
        try logIn(at: logins, isRight: isRight, &dice, &outcome) {
            guard let pid = try waiting({ try await process(wrong.part, of: house) }) else { return }
            switch (wrong.way, wrong.part) {
            case (.killed, .front): house.endFront()
            case (.killed, .broker): house.endReader()
            case (.killed, .device): _ = house.killDevice(of: getuid())
            case (.killed, .fprintd): kill(pid, SIGKILL)
            case (.stopped, _):
                kill(pid, SIGSTOP)
                stopped = pid
            }
            hasHappened = true
        }
        if hasHappened { outcome.faults += 1 }
        try house.startWhatIsGone()
    }

    private static func enrol(at socket: String, _ fingers: Fingers) throws {
        let peer = try WirePeer(socket)
        guard case .done = try peer.ask(.setPasscode) else { throw WirePeer.Ended() }
        EventLoop.shared.sync { fingers.enrolling(true) }
        defer {
            EventLoop.shared.sync {
                fingers.enrolling(false)
                fingers.touches(false)
            }
        }
        guard case .enrollingEnded(nil) = try peer.ask(.enroll(.rightIndex)) else { throw WirePeer.Ended() }
    }
}
