import CThumbLinux
import Testing
import ThumbAccess
import ThumbBus
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_fingerprint

@testable import ThumbPolkitAgent

/// What a daemon says to the agent's frames.
private enum Owner {
    static func touches(_ frame: Frame) -> [any Word] {
        switch frame.kind {
        case .askForPolkit: [EvaluationReply(result: .success(.biometry), kind: .touchID)]
        case .lendTouch: [Flag(true)]
        default: []
        }
    }

    /// The owner types these, one after the other, until one is right.
    static func types(_ passwords: String...) -> @Sendable (Frame) -> [any Word] {
        let rest = Locked(passwords)
        return { frame in
            func next() -> [any Word] {
                let typed = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                guard let typed, let secret = try? SecretBytes(copying: Array(typed.utf8)) else {
                    return [EvaluationReply(result: .failure(.userCancel), kind: .touchID)]
                }
                return [CheckPassword(uid: getuid(), secret)]
            }
            switch frame.kind {
            case .askForPolkit: return next()
            case .verdict:
                let isRight = (try? frame.word(HelperVerdict.self))?.verdict == .right
                return isRight ? [EvaluationReply(result: .success(.passcode), kind: .touchID)] : next()
            case .question: return [HelperReply(try! SecretBytes(copying: Array("123456".utf8)))]
            default: return []
            }
        }
    }

    static func says(_ failure: EvaluationFailure) -> @Sendable (Frame) -> [any Word] {
        { $0.kind == .askForPolkit ? [EvaluationReply(result: .failure(failure), kind: .touchID)] : [] }
    }
}

/// What the helper does that asks for a password and takes one.
private let asksPassword = """
    echo 'PAM_PROMPT_ECHO_OFF Password: '
    read -r typed
    if [ "$typed" = 'right' ]; then echo SUCCESS; else echo FAILURE; fi
    """

private func failure(_ name: String) -> BusError { BusError(.refused, name: PlayedPolkit.errors + name) }

@Suite("Polkit's agent on a bus", .serialized, .timeLimit(.minutes(5))) @OnLoop struct AgentTests {
    @Test("it registers for the user's own session, in its language")
    func registers() async throws {
        let stage = try await Stage(Owner.touches)
        let registration = try #require(stage.polkit.registrations.first)
        #expect(registration.session == "c1" && registration.locale == "de_DE.UTF-8")
    }

    @Test("a new polkit is told of the agent, once; one that goes before it answers isn't taken for one with another agent")
    func restarted() async throws {
        let stage = try await Stage(Owner.touches)
        let failed = Heard<PolkitAgent.Failure>()
        stage.agent.onFailure = { failed.put($0) }
        stage.polkit.leave()
        let (next, known) = (try await PlayedPolkit(stage.address), Heard<Void>())
        next.onRegistration = { known.put(()) }
        if next.registrations.isEmpty { await known.next() }
        try await next.begin()
        #expect(next.registrations.count == 1 && failed.unheard == 0)
        next.leave()
        let (brief, asked) = (try await PlayedPolkit(stage.address, answers: false), Heard<Void>())
        brief.onRegistration = { asked.put(()) }
        if brief.registrations.isEmpty { await asked.next() }
        brief.leave()
        #expect(await failed.next() == .noPolkit)
    }

    @Test("a touch is lent to the helper's process before the helper has the cookie, and the helper's word is the answer")
    func touch() async throws {
        let stage = try await Stage(Owner.touches)
        try await stage.polkit.begin()
        let asked = try #require(stage.daemon.words(AskForPolkit.self).first)
        #expect(asked.uid == getuid() && asked.takesFinger)
        #expect(
            asked.words.action == ExactName(Stage.action) && asked.words.message == "Do it" && asked.words.vendor == "The makers")
        #expect(asked.words.icon == "dialog-password" && asked.words.isKept)
        // This process is polkit's caller and its subject, and no program that somebody else started as root.
        #expect(asked.words.asker?.contains("xctest") == true && asked.words.command == nil)
        #expect(stage.daemon.words(LendTouch.self).count == 1)
        #expect(stage.seen == ["root 1-cookie"] || getuid() != 0)
    }

    @Test("a helper that isn't lent a touch gets no cookie")
    func notLent() async throws {
        let stage = try await Stage { frame in
            frame.kind == .lendTouch ? [Flag(false)] : Owner.touches(frame)
        }
        await #expect(throws: failure("Failed")) { try await stage.polkit.begin() }
        #expect(stage.seen.isEmpty)
    }

    @Test("where PAM asks for a password in spite of the touch, the owner is asked again without a finger")
    func uselessTouch() async throws {
        let types = Owner.types("right")
        let stage = try await Stage(helper: asksPassword) { frame in
            if frame.kind == .askForPolkit, (try? frame.word(AskForPolkit.self))?.takesFinger == false { return types(frame) }
            return frame.kind == .verdict ? types(frame) : Owner.touches(frame)
        }
        try await stage.polkit.begin()
        #expect(stage.daemon.words(AskForPolkit.self).map(\.takesFinger) == [true, false])
        #expect(stage.log.withLock { $0.contains { $0.contains("thumbturn sudo on") } })
    }

    @Test("a typed password goes to the helper; a wrong one is asked for again, with a helper of its own")
    func password() async throws {
        let stage = try await Stage(helper: asksPassword, Owner.types("wrong", "right"))
        try await stage.polkit.begin()
        #expect(stage.daemon.words(HelperVerdict.self).map(\.verdict) == [.wrong, .right])
        #expect(stage.seen.count == 2)
    }

    @Test(
        "a password that the helper couldn't read whole isn't given to it",
        arguments: ["right\nX", "right\0", String(repeating: "x", count: 511)])
    func unreadable(password: String) async throws {
        let stage = try await Stage(helper: asksPassword, Owner.types(password))
        await #expect(throws: failure("Cancelled")) { try await stage.polkit.begin() }
        #expect(stage.daemon.words(HelperVerdict.self).map(\.verdict) == [.wrong])
    }

    @Test("what PAM asks besides is asked, and answered")
    func question() async throws {
        let stage = try await Stage(
            helper: """
                echo 'PAM_PROMPT_ECHO_OFF Password: '; read -r typed
                echo 'PAM_TEXT_INFO look'; echo 'PAM_PROMPT_ECHO_ON Code\\072 '; read -r code
                if [ "$typed $code" = 'right 123456' ]; then echo SUCCESS; else echo FAILURE; fi
                """, Owner.types("right"))
        try await stage.polkit.begin()
        #expect(stage.daemon.words(AccountQuestion.self) == [AccountQuestion(text: "Code: ", isHidden: false)])
    }

    @Test("a helper that ends, or says what no helper says, is a wrong password", arguments: ["exit 1", "echo 'hello'", "echo"])
    func brokenHelper(script: String) async throws {
        let stage = try await Stage(helper: script, Owner.types("right"))
        await #expect(throws: failure("Cancelled")) { try await stage.polkit.begin() }
        #expect(stage.daemon.words(HelperVerdict.self).map(\.verdict) == [.wrong])
    }

    @Test("a helper that never ends its line isn't read for ever")
    func endless() async throws {
        let stage = try await Stage(helper: "head -c 10000 /dev/zero | tr '\\0' x; read -r more", Owner.types("right"))
        await #expect(throws: failure("Cancelled")) { try await stage.polkit.begin() }
        #expect(stage.daemon.words(HelperVerdict.self).map(\.verdict) == [.wrong])
    }

    @Test("a touch that the helper does nothing with is over after a while")
    func idleHelper() async throws {
        let stage = try await Stage(helper: "read -r more", Owner.touches)
        await #expect(throws: failure("Failed")) { try await stage.polkit.begin() }
    }

    @Test("the owner's no, and a daemon's, are told apart")
    func refused() async throws {
        for (said, name) in [
            (EvaluationFailure.userCancel, "Cancelled"), (.deviceFailure, "Failed"), (.biometryLockout, "Failed"),
        ] {
            let stage = try await Stage(Owner.says(said))
            await #expect(throws: failure(name)) { try await stage.polkit.begin() }
            #expect(stage.seen.isEmpty)
        }
    }

    @Test("polkit can take its question back, and only an open one")
    func cancels() async throws {
        let stage = try await Stage { _ in [] }
        async let taking: Void = { @OnLoop in
            await eventually { !stage.daemon.words(AskForPolkit.self).isEmpty }
            await #expect(throws: failure("Failed")) { try await stage.polkit.cancel("another") }
            try await stage.polkit.cancel("1-cookie")
        }()
        await #expect(throws: failure("Cancelled")) { try await stage.polkit.begin() }
        try await taking
    }

    @Test("sixteen questions may be open at once, one more is refused, and none stays when polkit goes")
    func many() async throws {
        let stage = try await Stage { _ in [] }
        let asking = (1...16).map { number in
            Task { @OnLoop in try await stage.polkit.begin(Stage.question(cookie: "\(number)-cookie")) }
        }
        await eventually { stage.daemon.words(AskForPolkit.self).count == 16 }
        await #expect(throws: failure("Failed")) { try await stage.polkit.begin(Stage.question(cookie: "17-cookie")) }
        stage.polkit.leave()
        for question in asking { await #expect(throws: (any Error).self) { try await question.value } }
        // The agent has let go of each, so a new polkit's question is asked.
        let (next, known) = (try await PlayedPolkit(stage.address), Heard<Void>())
        next.onRegistration = { known.put(()) }
        if next.registrations.isEmpty { await known.next() }
        let further = Task { @OnLoop in try await next.begin(Stage.question(cookie: "1-cookie")) }
        await eventually { stage.daemon.words(AskForPolkit.self).count == 17 }
        try await next.cancel("1-cookie")
        await #expect(throws: failure("Cancelled")) { try await further.value }
    }

    @Test("without the daemon it doesn't register, and one that is lost is told, so that others can ask")
    func noDaemon() async throws {
        let stage = try await Stage(Owner.touches)
        let lost = Locked<[PolkitAgent.Failure]>([])
        stage.agent.onFailure = { failure in lost.withLock { $0.append(failure) } }
        stage.daemon.stop()
        await #expect(throws: failure("Failed")) { try await stage.polkit.begin() }
        #expect(lost.withLock { $0 } == [.noDaemon])
        let before = stage.polkit.registrations.count
        await #expect(throws: PolkitAgent.Failure.noDaemon) { try await stage.agent.begin() }
        #expect(stage.polkit.registrations.count == before)
    }

    @Test("without a window that could ask, the agent is of no use, and says so")
    func noWindow() async throws {
        let stage = try await Stage(Owner.says(.notInteractive))
        let lost = Locked<[PolkitAgent.Failure]>([])
        stage.agent.onFailure = { failure in lost.withLock { $0.append(failure) } }
        await #expect(throws: failure("Failed")) { try await stage.polkit.begin() }
        #expect(lost.withLock { $0 } == [.noDaemon])
    }

    @Test("a helper that is gone before it has the cookie ends the question", arguments: [true, false])
    func deadHelper(isTouched: Bool) async throws {
        let stage = try await Stage(helper: "", isThere: false, isTouched ? Owner.touches : Owner.types("right"))
        await #expect(throws: failure(isTouched ? "Failed" : "Cancelled")) { try await stage.polkit.begin() }
    }

    @Test("a question that is taken back before it is shown isn't shown")
    func cancelledEarly() async throws {
        let stage = try await Stage(Owner.touches)
        stage.polkit.isSlow = true
        async let taking: Void = { @OnLoop in
            await eventually { stage.polkit.isAsked }
            try await stage.polkit.cancel("1-cookie")
            stage.polkit.isSlow = false
        }()
        await #expect(throws: failure("Cancelled")) { try await stage.polkit.begin() }
        try await taking
        #expect(stage.daemon.words(AskForPolkit.self).isEmpty)
    }

    @Test("a password isn't the answer to what PAM asks openly")
    func openQuestion() async throws {
        let stage = try await Stage(
            helper: """
                echo 'PAM_PROMPT_ECHO_ON Code: '; read -r code; echo 'PAM_PROMPT_ECHO_OFF Password: '; read -r typed
                if [ "$typed $code" = 'right 123456' ]; then echo SUCCESS; else echo FAILURE; fi
                """, Owner.types("right"))
        try await stage.polkit.begin()
        #expect(stage.daemon.words(AccountQuestion.self).map(\.text) == ["Code: "])
    }

    @Test("nobody but polkit is heard: the owner isn't asked for anybody else's words")
    func others() async throws {
        let stage = try await Stage(Owner.touches)
        let stranger = try Bus(address: stage.address)
        var isRefused = false
        do throws(BusError) {
            try await PlayedPolkit.begin(Stage.question(), stage.polkit.registrations[0], on: stranger)
        } catch {
            isRefused = error.name == "org.freedesktop.DBus.Error.AccessDenied"
        }
        let isHeard = !isRefused || !stage.daemon.frames.isEmpty
        Tally.attack("another program on the bus has polkit's agent ask the owner", succeeded: isHeard)
        #expect(!isHeard)
    }

    @Test("nobody but polkit takes a question back")
    func othersCancel() async throws {
        let stage = try await Stage { _ in [] }
        let asking = Task { @OnLoop in try await stage.polkit.begin() }
        await eventually { !stage.daemon.words(AskForPolkit.self).isEmpty }
        let stranger = try Bus(address: stage.address)
        var refusal: String?
        do throws(BusError) {
            try await PlayedPolkit.cancel("1-cookie", stage.polkit.registrations[0], on: stranger)
        } catch {
            refusal = error.name
        }
        #expect(refusal == "org.freedesktop.DBus.Error.AccessDenied")
        // It is still open.
        try await stage.polkit.cancel("1-cookie")
        await #expect(throws: failure("Cancelled")) { try await asking.value }
    }

    @Test("whoever listens in the daemon's place and isn't who it should be is no daemon")
    func otherDaemon() async throws {
        let folder = try Scratch()
        let daemon = try PlayedDaemon(folder.path + "/socket") { _ in [] }
        func places(_ owner: UInt32) -> PolkitPlaces {
            PolkitPlaces(socket: folder.path + "/socket", owners: [owner], helper: "/nowhere")
        }
        let own = await places(getuid()).link()
        let other = await places(getuid() &+ 1).link()
        #expect(own != nil && other == nil)
        withExtendedLifetime(daemon) {}
    }

    @Test("a daemon that refuses the question, or says what isn't its to say, ends it")
    func notHeard() async throws {
        let words: [any Word] = [Refusal.noRoom, Done()]
        for word in words {
            let stage = try await Stage { $0.kind == .askForPolkit ? [word] : [] }
            await #expect(throws: failure("Failed")) { try await stage.polkit.begin() }
            #expect(stage.seen.isEmpty)
        }
    }

    private func eventually(_ isSo: () -> Bool) async {
        for _ in 0..<3000 where !isSo() { await rest() }
    }

    private func rest() async {
        await withCheckedContinuation { done in _ = EventLoop.shared.after(0.01) { done.resume() } }
    }
}
