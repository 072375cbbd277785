import CThumbLinux
import Foundation
import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_wire

/// Somebody at the other end of the daemon's socket.
final class Peer {
    struct Surprise: Error { let what: String }

    private let fd: Int32
    private var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.frame)
    private var beat: PromptBeat?

    init(_ socket: String, _ hello: Hello) throws {
        fd = try UnixSocket.connect(to: socket).get()
        try send(.hello(hello))
        guard case .welcome? = try next() else { throw Surprise(what: "not welcome") }
    }

    deinit { UnixSocket.close(fd) }

    func send(_ word: some Word) throws {
        let encoded = word.frame(call: 1)
        var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
        let outcome = beat?.speak { frame.send(to: fd, waiting: true) } ?? frame.send(to: fd, waiting: true)
        guard outcome == .sent else { throw Surprise(what: "the daemon doesn't listen") }
    }

    func next() throws -> Answer? {
        var wait = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 60_000) == 1 else { throw Surprise(what: "the daemon is silent") }
        guard case .frame(let body) = frames.read(from: fd, waiting: true) else { return nil }
        let answer = try Answer.read(body).answer
        if case .show = answer, beat == nil {
            try send(.shown)
            beat = PromptBeat(fd)
        }
        return answer
    }
}

/// The owner of a machine: a daemon of this build on it, an app that asks, and what is typed at its prompts.
final class Owner {
    let machine: Machine
    private let isSystem: Bool
    private(set) var daemon: Child?
    /// Everything the prompts of the latest call said, in order.
    private(set) var notices: [PromptNotice] = []
    private(set) var purposes: [PromptPurpose] = []

    /// - Parameter isSystem: the daemon is the system's, and the owner one of its users.
    init(_ machine: Machine, isSystem: Bool = false) throws {
        self.machine = machine
        self.isSystem = isSystem
        try start()
    }

    deinit { end() }

    /// Starts the daemon and waits until it listens.
    func start() throws {
        var ends: [Int32] = [-1, -1]
        guard thumb_pipe2(&ends, O_CLOEXEC) == 0 else { throw CannotStart(program: "a pipe") }
        defer { close(ends[0]) }
        let words = ["--socket", machine.socket, "--idle", "0", "--seat", "open", "--ready-fd", "3"]
        daemon = try machine.start(
            isSystem
                ? [Machine.program("thumbturn-front"), "--devices", machine.state] + words
                : [Machine.program("thumbturnd"), "--serve", "--state", machine.state, "--tpm", "none"] + words, passing: ends[1])
        close(ends[1])
        var byte: UInt8 = 0
        guard read(ends[0], &byte, 1) == 1 else { throw Peer.Surprise(what: "the daemon didn't start") }
    }

    /// Ends the daemon and waits until it is gone.
    func end() {
        if let fd = try? UnixSocket.connect(to: machine.socket).get() {
            if let peer = UnixSocket.peer(of: fd) { kill(peer.pid, SIGTERM) }
            UnixSocket.close(fd)
            daemon?.end()
        }
        daemon = nil
    }

    func restart() throws {
        end()
        try start()
    }

    func app(faceUsage: String? = nil) throws -> Peer { try Peer(machine.socket, Hello(role: .app, faceUsage: faceUsage)) }

    /// Makes a call; where the owner is asked, types these words one after the other, then cancels.
    func ask(_ word: some Word, typing words: [String] = [], faceUsage: String? = nil) throws -> Answer {
        (notices, purposes) = ([], [])
        let app = try app(faceUsage: faceUsage)
        try app.send(word)
        var words = words[...]
        while let answer = try app.next() {
            guard case .promptNeeded(let ticket) = answer else { return answer }
            try type(&words, into: Peer(machine.socket, Hello(role: .prompt, ticket: ticket)))
        }
        throw Peer.Surprise(what: "no answer")
    }

    private func type(_ words: inout ArraySlice<String>, into prompt: Peer) throws {
        while let word = try prompt.next() {
            guard case .show(let content) = word else { return }
            if let notice = content.notice { notices.append(notice) }
            if purposes.last != content.purpose { purposes.append(content.purpose) }
            // A camera is given its time first.
            guard content.listening == .none, content.passcodeWait == 0 else { continue }
            if content.acceptsPasscode, let typed = words.popFirst() {
                try prompt.send(.typed(secret(typed)))
            } else {
                try prompt.send(.cancelled)
            }
        }
    }

    func isDone(_ word: some Word, typing words: [String]) throws -> Bool {
        if case .done = try ask(word, typing: words) { true } else { false }
    }

    /// Seconds until anything that is typed at a call's prompt is looked at; 0 where it is at once.
    func wait(_ word: some Word) throws -> Double {
        let app = try app()
        try app.send(word)
        guard case .promptNeeded(let ticket)? = try app.next() else { throw Peer.Surprise(what: "nobody is asked") }
        guard case .show(let content)? = try Peer(machine.socket, Hello(role: .prompt, ticket: ticket)).next() else {
            throw Peer.Surprise(what: "nothing is shown")
        }
        return content.passcodeWait
    }

    /// Whether the owner is known by what is typed.
    func evaluate(typing words: [String], _ policy: Policy = .deviceOwner) throws -> Result<Factor, EvaluationFailure> {
        let request = EvaluationRequest(context: 1, subject: .policy(policy), words: PromptWords(reason: "open"))
        guard case .evaluated(let reply) = try ask(.evaluate(request), typing: words, faceUsage: "the tests") else {
            throw Peer.Surprise(what: "no verdict")
        }
        return reply.result
    }

    /// Asks for the owner, and cancels when `moment` has come.
    func cancel(_ policy: Policy, when moment: () -> Bool) throws -> Result<Factor, EvaluationFailure> {
        let app = try app(faceUsage: "the tests")
        try app.send(.evaluate(EvaluationRequest(context: 1, subject: .policy(policy), words: PromptWords(reason: "open"))))
        guard case .promptNeeded(let ticket)? = try app.next() else { throw Peer.Surprise(what: "nobody is asked") }
        let prompt = try Peer(machine.socket, Hello(role: .prompt, ticket: ticket))
        // What is shown has to be on the screen before anybody looks.
        guard case .show? = try prompt.next() else { throw Peer.Surprise(what: "nothing is shown") }
        guard moment() else { throw Peer.Surprise(what: "the moment didn't come") }
        try prompt.send(.cancelled)
        guard case .evaluated(let reply)? = try app.next() else { throw Peer.Surprise(what: "no verdict") }
        return reply.result
    }

    var status: DeviceStatus {
        get throws {
            guard case .status(let status) = try ask(.status) else { throw Peer.Surprise(what: "no status") }
            return status
        }
    }

    /// Keeps a secret that only the passcode class holds.
    func keep(_ name: String, _ text: String) throws -> Answer {
        let item = NewItem(
            itemClass: .genericPassword, attributes: [.account: .text(name), .service: .text("tests")],
            rule: AccessRule(.whenPasscodeSetThisDeviceOnly), secret: secret(text))
        return try ask(.add(item))
    }

    /// That secret; nil where it isn't to be had without asking.
    func kept(_ name: String) throws -> SecretBytes? {
        let query = Query(
            itemClass: .genericPassword, attributes: [.account: .text(name), .service: .text("tests")], shape: .data)
        guard case .page(let items, _) = try ask(.find(query)) else { return nil }
        return items.first?.secret
    }
}
