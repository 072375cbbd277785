import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbKeychain
import ThumbLoop

/// What one call of a provider asks the owner for a reader, one question after the other. Each answer may change what has to be asked next.
///
/// Nothing that was shown before counts: neither for the provider's contexts, which serve all of its readers, nor by unlocking the session.
/// The passcode makes an answer last. Whatever else the owner shows is for this call alone.
@OnLoop final class ReaderInquiry {
    private let app: App
    private let inquiry: Inquiry
    private let asking: AskingTerms
    private var reading: Reading
    /// What the owner showed during this call.
    private var own = ContextState()
    private var round = 0

    enum Step {
        case done([FoundItem])
        case claim(Question)
        case ask(ReaderQuestion)
    }

    init(_ app: App, _ asked: ReleaseForReader) {
        self.app = app
        asking = asked.asking
        inquiry = Inquiry(app, asked.asking)
        reading = Reading(asked.reader, asked.references, asked.asking.permission)
    }

    private var device: Device { app.device }

    /// Tries once more, with the present state of everything.
    func next() throws(KeychainFailure) -> Step {
        if app.contexts[asking.context].isInvalidated { throw .authenticationFailed }
        try device.keychain.checkProvider(app.caller)
        if let question = try inquiry.claim() { return .claim(question) }
        switch try device.keychain.release(reading, try authority()) {
        case .done(let items): return .done(items)
        case .ask(let question):
            guard round < Inquiry.rounds else { throw .authenticationFailed }
            round += 1
            return .ask(question)
        }
    }

    /// Goes on with a question until it is done.
    func settle(_ first: Step, _ call: RunningCall) async throws -> [FoundItem] {
        var step = first
        while true {
            switch step {
            case .done(let items): return items
            case .claim(let question): try await inquiry.ask(question, call)
            case .ask(let question): try await ask(question, call)
            }
            await inquiry.knowSensor(isCasual: true)
            try Task.checkCancellation()
            step = try next()
        }
    }

    private func authority() throws(KeychainFailure) -> Authority {
        try device.authority(for: app.caller, context: own, applicationKey: nil)
    }

    private func ask(_ question: ReaderQuestion, _ call: RunningCall) async throws {
        var failed: KeychainFailure?
        do {
            await inquiry.knowSensor(isCasual: false)
            try Task.checkCancellation()
            try await inquiry.settleConsent(question.demands, call)
            let words = ReaderWords.question(question, reading.reader, on: device.state(for: app.caller))
            let given = try await call.ask(
                question.demands, words, for: reading.reader, subject: subject(of: question),
                answered: { [self] in isAnswered ? .success([], nil) : nil },
                recording: { [self] in failed = keep(question, $0) })
            // Without anything shown, another call's answer was found, which the next look finds too.
            if !given.factors.isEmpty { reading.agreed(to: question) }
            own.remember(given.factors, given.enrolment, pairings: given.pairings)
        } catch let failure as EvaluationFailure {
            if let authority = try? authority() {
                device.keychain.noteRefusal(of: question, reading, failure.keychainFailure, authority)
            }
            throw failure
        }
        if let failed { throw failed }
    }

    private func subject(of question: ReaderQuestion) -> EvaluationSubject {
        question.rule.map { .rule($0, .useItem) } ?? .policy(.deviceOwner)
    }

    /// Whether another call's prompt has brought the answer meanwhile.
    private var isAnswered: Bool {
        // What can't be determined just now counts as not answered, so the owner is asked.
        guard let authority = try? authority() else { return false }
        do throws(KeychainFailure) {
            return try device.keychain.question(of: reading, authority) == nil
        } catch {
            return false
        }
    }

    /// Keeps what the passcode allowed from now on, before anybody else is asked.
    private func keep(_ question: ReaderQuestion, _ outcome: Evaluation.Outcome) -> KeychainFailure? {
        guard case .success(let factors, _) = outcome, factors.contains(.passcode), !question.wanted.isEmpty else { return nil }
        do throws(KeychainFailure) {
            try device.keychain.keep(reading, question)
            device.note(.appJudged, by: reading.caller(of: app.caller), factors: factors)
            return nil
        } catch {
            return error
        }
    }
}
