public import ThumbAccess
public import ThumbAuthentication
public import ThumbSecrets

/// What a simulated owner does at a prompt.
public enum ScriptedAnswer: Sendable {
    case match
    case noMatch
    case cancel
    case fallback
    case passcode(SecretBytes)
    case systemCancel
    /// Does nothing: the prompt stays up until it is cancelled, or answered later.
    case nothing
    /// Gives whatever the prompt takes: the sensor if it listens, else this passcode.
    case approve(SecretBytes?)
    /// Answers at a companion, where the question is asked too.
    case companion(CompanionReport)
}

/// One prompt as it was shown.
public struct ShownPrompt: Sendable {
    public let callerName: String
    public let words: PromptWords
    public let purpose: PromptPurpose
    /// Everything it showed, first to last.
    public fileprivate(set) var contents: [PromptContent]
    /// Misses at the sensor while it was up, including the one that ended it.
    public fileprivate(set) var misses = 0
    /// nil while it is up.
    public fileprivate(set) var ending: PromptEnding?
}

/// Prompts that a script answers.
public final class SimulatedPrompts {
    public private(set) var shown: [ShownPrompt] = []
    /// Whether prompts reach the screen when it is their turn. While this is false, nobody sees them and nothing listens. They reach the
    /// screen as soon as it is true again.
    public var areVisible = true {
        didSet { if areVisible, let current { reveal(current) } }
    }
    /// Called with a prompt for which no answer was left.
    public var onUnscripted: (ShownPrompt) -> Void = { _ in }
    /// Called with a prompt and the reason why the next answer can't be given at it.
    public var onMismatch: (ShownPrompt, String) -> Void = { _, _ in }
    /// Runs a step on the loop, later, because no person is faster than the call that shows the prompt.
    private let later: (@escaping () -> Void) -> Void
    private let biometry: SimulatedBiometry
    /// The companions that are asked beside a prompt; nil: none is ever asked.
    public var companions: SimulatedCompanions?
    private var script: [ScriptedAnswer] = []
    private var current: SimulatedPrompt?
    /// If set, answers every prompt in this way, even one that is up and waiting. The script isn't used then.
    public var standingAnswer: ScriptedAnswer? {
        didSet { if standingAnswer != nil, let current, current.waits { next(for: current) } }
    }

    public init(biometry: SimulatedBiometry, later: @escaping (@escaping () -> Void) -> Void) {
        self.biometry = biometry
        self.later = later
    }

    public var unusedAnswers: Int { script.count }

    /// Adds an answer; a prompt that is up and waiting gets it at once.
    public func add(_ answer: ScriptedAnswer) {
        script.append(answer)
        if let current, current.waits { next(for: current) }
    }

    fileprivate func begin(_ prompt: SimulatedPrompt, _ content: PromptContent) {
        shown.append(
            ShownPrompt(
                callerName: content.program.shortName, words: content.words, purpose: content.purpose, contents: [content],
                ending: nil))
        prompt.index = shown.count - 1
        current = prompt
        schedule(prompt)
    }

    private func reveal(_ prompt: SimulatedPrompt) {
        prompt.see()
        if prompt.waits { next(for: prompt) }
    }

    fileprivate func note(_ prompt: SimulatedPrompt, _ content: PromptContent) {
        shown[prompt.index].contents.append(content)
        prompt.waits = false
        schedule(prompt)
    }

    fileprivate func end(_ prompt: SimulatedPrompt, _ ending: PromptEnding) {
        shown[prompt.index].ending = ending
        if current === prompt { current = nil }
    }

    private func schedule(_ prompt: SimulatedPrompt) {
        if prompt.isScheduled { return }
        prompt.isScheduled = true
        later { [weak self, weak prompt] in
            guard let self, let prompt else { return }
            prompt.isScheduled = false
            if prompt.isUp && !prompt.waits { self.next(for: prompt) }
        }
    }

    private func next(for prompt: SimulatedPrompt) {
        // While the passcode has to wait, the person doesn't type it.
        if prompt.content.passcodeWait > 0 && prompt.content.listening == .none {
            prompt.waits = true
            return
        }
        if !prompt.isSeen && !mayAnswerUnseen(prompt) {
            prompt.waits = true
            return
        }
        let answer: ScriptedAnswer
        if let standingAnswer {
            answer = standingAnswer
        } else if !script.isEmpty {
            answer = script.removeFirst()
        } else {
            // After `nothing` the person does nothing. A prompt without any scripted answer is an error.
            if prompt.isPatient {
                prompt.waits = true
                return
            }
            onUnscripted(shown[prompt.index])
            prompt.answer?(.interrupted)
            return
        }
        prompt.waits = false
        if let problem = mismatch(answer, prompt.content) {
            onMismatch(shown[prompt.index], problem)
            prompt.answer?(.interrupted)
            return
        }
        perform(answer, at: prompt)
    }

    /// Nobody answers a prompt that isn't on the screen. A touch then means something else: it is used up, and nothing should listen to it.
    private func mayAnswerUnseen(_ prompt: SimulatedPrompt) -> Bool {
        if let standingAnswer {
            if case .systemCancel = standingAnswer { return true }
            return false
        }
        while let first = script.first {
            switch first {
            case .match, .noMatch: break
            case .systemCancel, .nothing: return true
            case .cancel, .fallback, .passcode, .approve, .companion: return false
            }
            script.removeFirst()
            prompt.isPatient = true
            perform(first, at: prompt)
            if !prompt.isUp { return false }
        }
        return false
    }

    private func mismatch(_ answer: ScriptedAnswer, _ content: PromptContent) -> String? {
        switch answer {
        case .match, .noMatch: biometry.isListening ? nil : "no sensor is listening"
        case .fallback: content.offersFallback ? nil : "there is no fallback button; it comes after a miss"
        case .passcode: content.acceptsPasscode ? nil : "no passcode can be typed"
        case .cancel, .systemCancel, .nothing: nil
        case .approve(let passcode):
            biometry.isListening || content.acceptsPasscode && passcode != nil || companions?.areAsking == true
                ? nil : "there is nothing to approve it with"
        case .companion: companions?.areAsking == true ? nil : "no companion is asked"
        }
    }

    private func perform(_ answer: ScriptedAnswer, at prompt: SimulatedPrompt) {
        switch answer {
        case .match: biometry.see(owner: true)
        case .noMatch:
            if biometry.isListening { shown[prompt.index].misses += 1 }
            biometry.see(owner: false)
        case .cancel: prompt.answer?(.cancel)
        case .fallback: prompt.answer?(.fallback)
        case .passcode(let passcode): prompt.answer?(.typed(passcode))
        case .approve(let passcode):
            if biometry.isListening {
                biometry.see(owner: true)
            } else if let passcode, prompt.content.acceptsPasscode {
                prompt.answer?(.typed(passcode))
            } else {
                companions?.answer(.yes)
            }
        case .companion(let said): companions?.answer(said)
        case .systemCancel: prompt.answer?(.interrupted)
        case .nothing:
            prompt.waits = true
            prompt.isPatient = true
        }
    }
}

extension SimulatedPrompts: PromptSource {
    public func makePrompt(for caller: Caller, offer: @escaping ([UInt8]) -> Void) -> any Prompt { SimulatedPrompt(self) }

    /// A simulated device starts no prompt processes, so no ticket is ever good.
    public func attach(
        _ screen: any PromptScreen, ticket: [UInt8], uid: UInt32, at spot: PromptSpot
    ) -> ((PromptWord) -> Void)? { nil }
    public func refuse(ticket: [UInt8], uid: UInt32) {}
    public func register(_ agent: any PromptAgent, uid: UInt32, session: String) -> Bool { false }
    public func hasAgent(for caller: Caller) -> Bool { false }
    public func decline(ticket: [UInt8], by agent: any PromptAgent) {}
    public func unregister(_ agent: any PromptAgent) {}
}

final class SimulatedPrompt: Prompt {
    private let prompts: SimulatedPrompts
    fileprivate var index = 0
    fileprivate var content = PromptContent(program: ProgramWords(), words: PromptWords(reason: ""))
    fileprivate var answer: ((PromptAnswer) -> Void)?
    fileprivate var waits = false
    fileprivate var isPatient = false
    fileprivate var isScheduled = false
    private var isShown = false
    /// Whether it is on the screen, where its owner can see it.
    fileprivate private(set) var isSeen = false
    fileprivate var isUp: Bool { answer != nil }

    fileprivate init(_ prompts: SimulatedPrompts) { self.prompts = prompts }

    func summon(_ answer: @escaping (PromptAnswer) -> Void) {
        self.answer = answer
        answer(.stands(.elsewhere))
    }

    func wait(behind programs: Int) {}

    func show(_ content: PromptContent) {
        self.content = content
        if isShown { return prompts.note(self, content) }
        isShown = true
        if prompts.areVisible { see() }
        prompts.begin(self, content)
    }

    fileprivate func see() {
        if isSeen { return }
        isSeen = true
        answer?(.shown)
    }

    func dismiss(_ ending: PromptEnding) {
        answer = nil
        if isShown { prompts.end(self, ending) }
    }
}
