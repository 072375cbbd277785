import CThumbLinux
import ThumbAccess
import ThumbClient
import ThumbConversation
import ThumbLoop
import ThumbPrompting
import ThumbSecrets
import ThumbSystem

/// One question of polkit's, from the first prompt to PAM's verdict.
///
/// The daemon asks the owner. A password goes to polkit's helper, whose PAM judges it. A touch is lent to the helper's process, in which our
/// module asks the daemon for it.
@OnLoop final class PolkitQuestion {
    enum Ending {
        case authorized, cancelled, failed
        /// The daemon isn't there, doesn't take this agent, or has no window to show: nobody can be asked.
        case nobodyAsked
    }

    private enum Event {
        /// What the daemon says, each with the number of the conversation in which it says that.
        case daemon(ToPolkitAgent, Int)
        case daemonIsGone(Int)
        /// The helper has taken too long to use a touch.
        case touchIsOver(Int)
        /// A line of the helper with this process number.
        case helper(HelperLine, Int32)
        case cancelled
    }

    /// What the helper gets now: the owner's touch, or what the owner typed.
    private enum Use {
        case touch
        /// A password, until PAM asks for it.
        case password(SecretBytes)
        /// PAM has the password.
        case answers
    }

    private let asked: PolkitCall
    private let places: PolkitPlaces
    private let log: (String) -> Void
    private let inbox = Inbox<Event>()
    private var link: Link?
    private var watch: Watch?
    /// Which conversation with the daemon it is. A second one asks for the password alone.
    private var conversation = 0
    private var helper: PolkitHelper?
    private var use = Use.answers
    private var words: PolkitWords?
    private var isCancelled = false
    private var timer: LoopTimer?

    /// Seconds in which the helper has to use a touch.
    private static let secondsForTouch = 30.0

    init(_ asked: PolkitCall, _ places: PolkitPlaces, log: @escaping (String) -> Void) {
        (self.asked, self.places, self.log) = (asked, places, log)
    }

    /// Takes the question back.
    nonisolated func cancel() {
        EventLoop.shared.post {
            self.isCancelled = true
            self.inbox.put(.cancelled)
        }
    }

    /// - Parameter known: what polkit knows of the action.
    func run(_ known: () async -> KnownAction?) async -> Ending {
        defer { leave() }
        words = asked.words(await known(), asked.processes)
        guard await ask(takesFinger: true) else { return .nobodyAsked }
        while true {
            let ending: Ending?
            switch await inbox.next() {
            case .cancelled: ending = .cancelled
            case .daemonIsGone(let number), .touchIsOver(let number): ending = number == conversation ? .failed : nil
            case .daemon(let word, let number): ending = number == conversation ? take(word) : nil
            // One that was ended may have said something before.
            case .helper(let line, let process): ending = process == helper?.process ? await take(line) : nil
            }
            if let ending { return ending }
        }
    }

    // MARK: The daemon

    private func ask(takesFinger: Bool) async -> Bool {
        leave()
        conversation += 1
        guard let link = await places.link(), let words else { return false }
        // Nobody waits for the answer any more: the question isn't shown.
        if isCancelled { return true }
        guard link.tell(AskForPolkit(uid: asked.uid, words, takesFinger: takesFinger)) else { return false }
        self.link = link
        watch = Watch(link.fd, .readable) { [weak self] _ in self?.hear() }
        hear()
        return true
    }

    private func hear() {
        while let frame = link?.next(waiting: false) {
            guard frame.kind != .refused, let word = try? ToPolkitAgent(frame) else {
                leave()
                return inbox.put(.daemonIsGone(conversation))
            }
            inbox.put(.daemon(word, conversation))
        }
        guard link?.isOpen == false else { return }
        leave()
        inbox.put(.daemonIsGone(conversation))
    }

    /// Leaves the daemon, and only then its own helper: a touch that was lent ends with the connection.
    private func leave() {
        timer?.cancel()
        watch?.remove()
        (watch, link) = (nil, nil)
        helper?.end()
        helper = nil
    }

    private func tell(_ word: some Word) { _ = link?.tell(word) }

    private func take(_ word: ToPolkitAgent) -> Ending? {
        switch word {
        case .promptNeeded(let needed): tell(PromptUnavailable(ticket: needed.ticket))
        case .windowNeeded(let needed): show(needed.ticket)
        case .check(let said): check(said.password)
        case .reply(let said): answer(said.typed)
        case .lent(let isLent):
            guard isLent.value else { return .failed }
            helper?.begin(cookie: asked.cookie)
        case .evaluated(let reply):
            switch reply.result {
            case .success(.passcode): return .authorized
            case .success(.biometry): return useTouch() ? nil : .failed
            case .success(.companion): return .failed
            case .failure(.userCancel), .failure(.appCancel): return .cancelled
            case .failure(.notInteractive): return .nobodyAsked
            case .failure: return .failed
            }
        }
        return nil
    }

    /// Has the session's window show the prompt. It may take as long as a toolkit needs to start.
    private func show(_ ticket: [UInt8]) {
        let isTaken = Worker.shared.run {
            WindowAgent.takes(ticket)
        } then: { [weak self] isShown in
            if !isShown { self?.tell(PromptUnavailable(ticket: ticket)) }
        }
        if !isTaken { tell(PromptUnavailable(ticket: ticket)) }
    }

    // MARK: The helper

    private func start(for use: Use) -> Bool {
        helper?.end()
        self.use = use
        do throws(SystemError) {
            var process: Int32 = 0
            let started = try PolkitHelper(places.helper, account: asked.account.text) { [inbox] in
                inbox.put(.helper($0, process))
            }
            process = started.process
            helper = started
            return true
        } catch {
            log("polkit's helper can't be started")
            return false
        }
    }

    private func useTouch() -> Bool {
        guard start(for: .touch), let helper else { return false }
        timer = EventLoop.shared.after(Self.secondsForTouch) { [inbox, conversation] in inbox.put(.touchIsOver(conversation)) }
        tell(LendTouch(to: UInt32(helper.process)))
        return true
    }

    private func check(_ password: SecretBytes) {
        guard start(for: .password(password)) else { return tell(HelperVerdict(.unavailable, delay: 0)) }
        helper?.begin(cookie: asked.cookie)
    }

    private func answer(_ typed: SecretBytes) {
        // What PAM couldn't read whole is no answer of its owner's.
        if helper?.answer(typed) == true { return }
        helper?.end()
        helper = nil
        tell(HelperVerdict(.wrong, delay: 0))
    }

    private func take(_ line: HelperLine) async -> Ending? {
        switch (line, use) {
        // The prompt has no place for what PAM only tells. What it asks is shown.
        case (.says, _): return nil
        case (.asks, .touch):
            // PAM asks for the password although the owner touched the sensor: our module isn't asked for polkit, or had no answer in time.
            log("a touch didn't count for polkit; if none does, run 'sudo thumbturn sudo on'")
            return await ask(takesFinger: false) ? nil : .nobodyAsked
        case (.asks(let question), .password(let password)) where question.isHidden:
            use = .answers
            answer(password)
        // It isn't the password that is asked for openly.
        case (.asks(let question), _): tell(question)
        case (.success, .touch): return .authorized
        case (.failure, .touch): return .failed
        // The daemon ends the prompt, and says so.
        case (.success, _): tell(HelperVerdict(.right, delay: 0))
        case (.failure, _): tell(HelperVerdict(.wrong, delay: 0))
        }
        return nil
    }
}
