public import ThumbAccess
public import ThumbAuthentication
public import ThumbConversation
public import ThumbLoop
internal import ThumbSecrets

/// Prompts in processes of their own, each let in by a ticket that is good once, for a short time and for one user.
@OnLoop public final class PromptAgents {
    let secondsForTicket: Double
    private var waiting: [[UInt8]: AgentPrompt] = [:]
    private var registered: [Registration] = []

    /// An agent, and whose prompts it hears of.
    private struct Registration {
        let agent: any PromptAgent
        let uid: UInt32
        let session: String
    }

    public init(secondsForTicket: Double = WireLimit.secondsForTicket) { self.secondsForTicket = secondsForTicket }

    func enter(_ prompt: AgentPrompt) -> [UInt8]? {
        // Without random bytes there is no ticket, and without a ticket no prompt.
        guard let random = try? SecretBytes.random(count: WireLimit.ticketBytes) else { return nil }
        let ticket = random.plainBytes(in: 0..<random.count)
        waiting[ticket] = prompt
        return ticket
    }

    func leave(_ ticket: [UInt8]) { waiting[ticket] = nil }

    /// The agent that stands where the caller's user sits.
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

    public func attach(_ screen: any PromptScreen, ticket: [UInt8], uid: UInt32) -> ((PromptAnswer) -> Void)? {
        guard let prompt = take(ticket, uid) else { return nil }
        prompt.attach(screen)
        return { [weak prompt] answer in prompt?.answered(answer) }
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

/// One prompt: shown from the moment its process comes with the ticket, until then only remembered.
@OnLoop final class AgentPrompt {
    private let caller: Caller
    private let agents: PromptAgents
    private let offer: ([UInt8]) -> Void
    private var ticket: [UInt8]?
    /// The agent that has the ticket; nil where the app has it.
    private var agent: (any PromptAgent)?
    private var timer: LoopTimer?
    private var screen: (any PromptScreen)?
    private var content: PromptContent?
    private var answer: ((PromptAnswer) -> Void)?

    init(_ caller: Caller, agents: PromptAgents, offer: @escaping ([UInt8]) -> Void) {
        self.caller = caller
        self.agents = agents
        self.offer = offer
    }

    var uid: UInt32 { caller.uid }

    func attach(_ screen: any PromptScreen) {
        timer?.cancel()
        ticket = nil
        agent = nil
        self.screen = screen
        if let content { screen.show(content) }
    }

    func answered(_ answer: PromptAnswer) { self.answer?(answer) }

    /// The app gets the ticket that this agent has no use for; whoever else says so is not heard.
    func declined(by agent: any PromptAgent) {
        guard let ticket, self.agent === agent else { return }
        self.agent = nil
        offer(ticket)
    }

    private func expire() {
        if let ticket { agents.leave(ticket) }
        answered(.unavailable)
    }
}

extension AgentPrompt: @OnLoop Prompt {
    func show(_ content: PromptContent, _ answer: @escaping (PromptAnswer) -> Void) {
        self.content = content
        self.answer = answer
        guard let ticket = agents.enter(self) else {
            EventLoop.shared.post { [weak self] in self?.answered(.unavailable) }
            return
        }
        self.ticket = ticket
        timer = EventLoop.shared.after(agents.secondsForTicket) { [weak self] in self?.expire() }
        agent = agents.agent(for: caller)
        if let agent { agent.want(ticket: ticket) } else { offer(ticket) }
    }

    func update(_ content: PromptContent) {
        self.content = content
        screen?.show(content)
    }

    func dismiss(_ ending: PromptEnding) {
        timer?.cancel()
        if let ticket { agents.leave(ticket) }
        agent = nil
        answer = nil
        screen?.dismiss(ending)
        screen = nil
    }
}
