public import ThumbAccess
public import ThumbAuthentication
public import ThumbConversation
public import ThumbLoop
internal import ThumbSecrets

/// Prompts in processes of their own, each let in by a ticket that is good once, for a short time and for one user.
@OnLoop public final class PromptAgents {
    let secondsForTicket: Double
    private var waiting: [[UInt8]: AgentPrompt] = [:]

    public init(secondsForTicket: Double = WireLimit.secondsForTicket) { self.secondsForTicket = secondsForTicket }

    func enter(_ prompt: AgentPrompt) -> [UInt8]? {
        // Without random bytes there is no ticket, and without a ticket no prompt.
        guard let random = try? SecretBytes.random(count: WireLimit.ticketBytes) else { return nil }
        let ticket = random.plainBytes(in: 0..<random.count)
        waiting[ticket] = prompt
        return ticket
    }

    func leave(_ ticket: [UInt8]) { waiting[ticket] = nil }

    private func take(_ ticket: [UInt8], _ uid: UInt32) -> AgentPrompt? {
        guard let prompt = waiting[ticket], prompt.uid == uid else { return nil }
        waiting[ticket] = nil
        return prompt
    }
}

extension PromptAgents: @OnLoop PromptSource {
    public func makePrompt(for caller: Caller, offer: @escaping ([UInt8]) -> Void) -> any Prompt {
        AgentPrompt(uid: caller.uid, agents: self, offer: offer)
    }

    public func attach(_ screen: any PromptScreen, ticket: [UInt8], uid: UInt32) -> ((PromptAnswer) -> Void)? {
        guard let prompt = take(ticket, uid) else { return nil }
        prompt.attach(screen)
        return { [weak prompt] answer in prompt?.answered(answer) }
    }

    public func refuse(ticket: [UInt8], uid: UInt32) { take(ticket, uid)?.answered(.unavailable) }
}

/// One prompt: shown from the moment its process comes with the ticket, until then only remembered.
@OnLoop final class AgentPrompt {
    let uid: UInt32
    private let agents: PromptAgents
    private let offer: ([UInt8]) -> Void
    private var ticket: [UInt8]?
    private var timer: LoopTimer?
    private var screen: (any PromptScreen)?
    private var content: PromptContent?
    private var answer: ((PromptAnswer) -> Void)?

    init(uid: UInt32, agents: PromptAgents, offer: @escaping ([UInt8]) -> Void) {
        self.uid = uid
        self.agents = agents
        self.offer = offer
    }

    func attach(_ screen: any PromptScreen) {
        timer?.cancel()
        ticket = nil
        self.screen = screen
        if let content { screen.show(content) }
    }

    func answered(_ answer: PromptAnswer) { self.answer?(answer) }

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
        offer(ticket)
    }

    func update(_ content: PromptContent) {
        self.content = content
        screen?.show(content)
    }

    func dismiss(_ ending: PromptEnding) {
        timer?.cancel()
        if let ticket { agents.leave(ticket) }
        answer = nil
        screen?.dismiss(ending)
        screen = nil
    }
}
