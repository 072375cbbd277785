public import ThumbAccess
public import ThumbAuthentication
import ThumbConversation
public import ThumbLoop
import ThumbSecrets

/// Prompts in processes of their own. A ticket lets each one in; it is good once, for a short time and for one user.
@OnLoop public final class PromptAgents {
    /// How many seconds each step may take.
    public struct Patience: Sendable {
        /// For a prompt's process to come with its ticket.
        public var forTicket = PromptLimit.secondsForTicket
        /// For an agent to come with a ticket; after that the app gets it.
        public var forAgent = PromptLimit.secondsForAgent
        /// From sending the content until the prompt says that it is on the screen.
        public var toShow = PromptLimit.secondsToShow
        /// Between two words of a prompt that is on the screen.
        public var ofSilence = PromptLimit.secondsOfSilence

        public init() {}
    }

    let patience: Patience
    private var waiting: [[UInt8]: AgentPrompt] = [:]
    private var registered: [Registration] = []

    /// An agent, and the user and session whose prompts it is told of.
    private struct Registration {
        let agent: any PromptAgent
        let uid: UInt32
        let session: String
    }

    public init(_ patience: Patience = Patience()) { self.patience = patience }

    func enter(_ prompt: AgentPrompt) -> [UInt8]? {
        // Without random bytes there is no ticket, and without a ticket no prompt.
        guard let random = try? SecretBytes.random(count: WireLimit.ticketBytes) else { return nil }
        let ticket = random.plainBytes(in: 0..<random.count)
        waiting[ticket] = prompt
        return ticket
    }

    func leave(_ ticket: [UInt8]) { waiting[ticket] = nil }

    /// The agent of the session that the caller sits in.
    func agent(for caller: Caller) -> (any PromptAgent)? {
        guard let session = caller.place.windowSession else { return nil }
        return registered.first { $0.uid == caller.uid && $0.session == session }?.agent
    }

    private func take(_ ticket: [UInt8], _ uid: UInt32) -> AgentPrompt? {
        guard let prompt = waiting[ticket], prompt.uid == uid else { return nil }
        waiting[ticket] = nil
        return prompt
    }
}

extension PromptAgents: @OnLoop PromptSource {
    public func makePrompt(for caller: Caller, offer: @escaping ([UInt8]) -> Void) -> any Prompt {
        AgentPrompt(caller, agents: self, offer: offer)
    }

    public func attach(
        _ screen: any PromptScreen, ticket: [UInt8], uid: UInt32, at spot: PromptSpot
    ) -> ((PromptWord) -> Void)? {
        guard let prompt = take(ticket, uid) else { return nil }
        prompt.attach(screen, at: spot)
        return { [weak prompt] word in prompt?.heard(word) }
    }

    public func refuse(ticket: [UInt8], uid: UInt32) { take(ticket, uid)?.answered(.unavailable) }

    public func register(_ agent: any PromptAgent, uid: UInt32, session: String) -> Bool {
        guard !registered.contains(where: { $0.uid == uid && $0.session == session }) else { return false }
        registered.append(Registration(agent: agent, uid: uid, session: session))
        return true
    }

    public func hasAgent(for caller: Caller) -> Bool { agent(for: caller) != nil }

    public func decline(ticket: [UInt8], by agent: any PromptAgent) { waiting[ticket]?.declined(by: agent) }

    public func unregister(_ agent: any PromptAgent) {
        registered.removeAll { $0.agent === agent }
        for prompt in waiting.values { prompt.declined(by: agent) }
    }
}

/// One prompt in a process of its own. A ticket calls it. It comes and waits, has its turn on the screen, and must keep saying that it is
/// there. A prompt that is stopped, hidden or gone can't be what the owner touches the sensor for.
@OnLoop final class AgentPrompt {
    private let caller: Caller
    private let agents: PromptAgents
    private let offer: ([UInt8]) -> Void
    private var ticket: [UInt8]?
    /// The agent that has the ticket; nil if the app has it.
    private var agent: (any PromptAgent)?
    private var timer: LoopTimer?
    private var agentTimer: LoopTimer?
    private var screen: (any PromptScreen)?
    private var spot = PromptSpot.elsewhere
    private var hasTurn = false
    private var isShown = false
    private var answer: ((PromptAnswer) -> Void)?

    init(_ caller: Caller, agents: PromptAgents, offer: @escaping ([UInt8]) -> Void) {
        self.caller = caller
        self.agents = agents
        self.offer = offer
    }

    var uid: UInt32 { caller.uid }

    func attach(_ screen: any PromptScreen, at spot: PromptSpot) {
        timer?.cancel()
        agentTimer?.cancel()
        ticket = nil
        agent = nil
        self.screen = screen
        self.spot = spot
    }

    func answered(_ answer: PromptAnswer) { self.answer?(answer) }

    func heard(_ word: PromptWord) {
        switch word {
        case .welcomed: answer?(.stands(spot))
        case .shown:
            // Before its turn it had nothing to show.
            guard hasTurn, !isShown else { return }
            isShown = true
            listenForSilence()
            answer?(.shown)
        case .here(let acts):
            if isShown { listenForSilence() }
            if acts { answer?(.acts) }
        case .typed(let passcode): answer?(.typed(passcode))
        case .cancelled: answer?(.cancel)
        case .fallback: answer?(.fallback)
        case .dismissProgram: answer?(.dismissProgram)
        case .gone: answer?(.interrupted)
        }
    }

    private func listenForSilence() { end(after: agents.patience.ofSilence, .interrupted) }

    private func end(after seconds: Double, _ ending: PromptAnswer) {
        timer?.cancel()
        timer = EventLoop.shared.after(seconds) { [weak self] in
            guard let self else { return }
            if let ticket = self.ticket { self.agents.leave(ticket) }
            self.answer?(ending)
        }
    }

    /// This agent can't use the ticket, so the app gets it. Other agents are ignored.
    func declined(by agent: any PromptAgent) {
        guard self.agent === agent else { return }
        giveToApp()
    }

    private func giveToApp() {
        guard let ticket, agent != nil else { return }
        agentTimer?.cancel()
        agent = nil
        offer(ticket)
    }
}

extension AgentPrompt: @OnLoop Prompt {
    func summon(_ answer: @escaping (PromptAnswer) -> Void) {
        self.answer = answer
        guard let ticket = agents.enter(self) else {
            EventLoop.shared.post { [weak self] in self?.answer?(.unavailable) }
            return
        }
        self.ticket = ticket
        end(after: agents.patience.forTicket, .unavailable)
        agent = agents.agent(for: caller)
        guard let agent else { return offer(ticket) }
        // An agent that hangs must not keep prompts from its session.
        agentTimer = EventLoop.shared.after(agents.patience.forAgent) { [weak self] in self?.giveToApp() }
        agent.want(ticket: ticket)
    }

    func wait(behind programs: Int) { if !hasTurn { screen?.wait(behind: programs) } }

    func show(_ content: PromptContent) {
        if !hasTurn {
            hasTurn = true
            end(after: agents.patience.toShow, .interrupted)
        }
        screen?.show(content)
    }

    func dismiss(_ ending: PromptEnding) {
        timer?.cancel()
        agentTimer?.cancel()
        if let ticket { agents.leave(ticket) }
        agent = nil
        answer = nil
        screen?.dismiss(ending)
        screen = nil
    }
}
