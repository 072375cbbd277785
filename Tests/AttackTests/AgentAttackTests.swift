import CThumbLinux
import Foundation
import Testing
import thumbturn_test_daemon
import thumbturn_test_programs

/// Sessions as logind keeps them on a machine of a test's own: a file that says whose each is, and a control group that its programs
/// are in.
private final class Sessions {
    /// Where the kernel has them: on some machines beside an older kind.
    private static let root = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"].first {
        access($0 + "/cgroup.procs", W_OK) == 0
    }
    static var canBeMade: Bool { getuid() == 0 && root != nil }

    private let machine: SystemMachine
    private var folders: [String] = []

    init(on machine: SystemMachine) throws {
        self.machine = machine
        try machine.inside("mkdir -p /run/systemd/sessions")
    }

    deinit {
        for folder in folders { rmdir(folder) }
        for folder in Set(folders.map { URL(filePath: $0).deletingLastPathComponent().path }) { rmdir(folder) }
    }

    /// A session of this user's, before a display of this machine or elsewhere.
    func begin(_ name: String, of uid: UInt32, isRemote: Bool = false) throws {
        let slice = (Self.root ?? "") + "/user.slice/user-\(uid).slice"
        let folder = slice + "/session-\(name).scope"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        folders.append(folder)
        let lines = [
            "UID=\(uid)", "USER=someone", "ACTIVE=1", "STATE=active", "REMOTE=\(isRemote ? 1 : 0)", "TYPE=x11", "CLASS=user",
            "SCOPE=session-\(name).scope",
        ]
        let file = machine.outside("/run/systemd/sessions/" + name)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: file))
        chmod(file, 0o644)
    }

    /// A program of this user's in that session: one that root vouches for, or any.
    func speaker(_ uid: UInt32, in name: String?, isVouched: Bool = true) throws -> Speaker {
        let speaker = try machine.speaker(uid, in: isVouched ? SystemMachine.windows : nil)
        guard let name else { return speaker }
        let folder = folders.first { $0.hasSuffix("/session-\(name).scope") } ?? ""
        try "\(speaker.pid)".write(toFile: folder + "/cgroup.procs", atomically: false, encoding: .utf8)
        return speaker
    }
}

@Suite(
    "Attacks by agents", .enabled(if: Sessions.canBeMade, "takes root and the right to make control groups"),
    .timeLimit(.minutes(5)))
struct AgentAttackTests {
    private static let register = "agent /run/thumbturn/socket"

    @Test("an agent of another user, of another session, or from elsewhere, is none, and hears of nobody's prompts")
    func registering() async throws {
        let (adas, attacks, eves, wanted, heard, end) = try await onThread {
            let machine = try SystemMachine()
            try machine.vouchForWindows()
            try machine.serve()
            let sessions = try Sessions(on: machine)
            let (ada, eve) = (machine.ada, machine.eve)
            for (name, uid) in [("t1", ada), ("t2", eve), ("t4", ada)] { try sessions.begin(name, of: uid) }
            try sessions.begin("t3", of: eve, isRemote: true)
            // One of ada's own in her own session that root doesn't vouch for, and comes first.
            let impostor = try sessions.speaker(ada, in: "t1", isVouched: false).say(Self.register)
            // In the way of ada's own: eve in ada's session, in none, from elsewhere.
            let attacks = try ["t1", nil, "t3"].map { try sessions.speaker(eve, in: $0).say(Self.register) }
            let agent = try sessions.speaker(ada, in: "t1")
            let adas = try agent.say(Self.register)
            // A second one in the same session, and her own in another.
            let second = try sessions.speaker(ada, in: "t1").say(Self.register)
            let (other, stranger) = (try sessions.speaker(ada, in: "t4"), try sessions.speaker(eve, in: "t2"))
            let eves = [try other.say(Self.register), try stranger.say(Self.register)]
            // Ada is asked for something in her session: her agent there has it, and nobody else's.
            let app = try sessions.speaker(ada, in: "t1")
            try app.tell("passcode")
            let wanted = try agent.say("wanted 60000")
            let heard = [try other.say("wanted 100"), try stranger.say("wanted 100")]
            _ = try agent.say("decline")
            return (adas, attacks + [second, impostor], eves, wanted, heard, try app.answer())
        }
        #expect(adas == "registered" && eves == ["registered", "registered"])
        #expect(attacks == Array(repeating: "refused", count: 5), "\(attacks)")
        #expect(wanted == "wanted" && heard == ["not wanted", "not wanted"])
        #expect(end == "failed interactionNotAllowed")
        Tally.attack("an agent that root doesn't vouch for is registered", succeeded: attacks[4] != "refused")
        let agents = [
            "of another user in the session", "of another user in none", "from elsewhere", "beside the first of a session",
        ]
        for (agent, answer) in zip(agents, attacks) {
            Tally.check("an agent \(agent) is registered", succeeded: answer != "refused")
        }
        for (whose, answer) in zip(["in another session of the user's", "of another user's"], heard) {
            Tally.check("an agent \(whose) hears of a prompt", succeeded: answer != "not wanted")
        }
    }
}
