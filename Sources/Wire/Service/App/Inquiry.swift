import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbKeychain
import ThumbLoop

/// What a call must ask the owner before it can go on.
enum Question {
    /// Whether the program may go on under the identity that it claims, which has belonged to another program.
    case claim(AppWish, first: ExactName)
    /// Whether it may use a group that another program made.
    case group(ExactName, Groups.Maker)
    /// What an item's rule demands.
    case item(StoredItem, Demands, Authority)
}

/// How far a call has come: its product, or the next question for the owner. After that question everything is checked again.
enum InquiryStep<Product> {
    case done(Product)
    case ask(Question)
}

/// Everything that one keychain call asks the owner, one question after the other. Each answer may change what has to be asked next, so the
/// next question is determined each time.
///
/// A lasting decision (on a claim, a group, the use of face recognition) takes the passcode, because a touch alone is too little for it.
/// Cancelling means no. A prompt that couldn't be answered decides nothing, and ends the call.
@OnLoop final class Inquiry {
    /// How many items one call may ask the owner about. Each item with another rule takes one round; a query that needs more of them is
    /// fishing.
    static let rounds = 20

    let app: App
    private let asking: AskingTerms
    private let groups: [ExactName]
    private let order: EvaluationDesk.Job.Order
    /// What a sign-in asks the owner, in the prompt's own words. Such a call asks each time: nothing shown before counts for it, and
    /// nothing shown for it counts elsewhere.
    private let signIn: SignInWords?
    /// Whether the caller is told how the evaluation ended, rather than the keychain's failure for it.
    private let tellsEvaluation: Bool
    /// What the owner showed during this call, if no context of the app's keeps it.
    private var own = ContextState()
    private var round = 0

    init(
        _ app: App, _ asking: AskingTerms, groups: [AttributeValue?] = [], order: EvaluationDesk.Job.Order = .waits,
        signIn: SignInWords? = nil, tellsEvaluation: Bool = false
    ) {
        self.app = app
        self.asking = asking
        self.groups = groups.compactMap { if case .text(let name)? = $0 { ExactName(name) } else { nil } }
        self.order = order
        self.signIn = signIn
        self.tellsEvaluation = tellsEvaluation
    }

    private var device: Device { app.device }
    private var caller: Caller { app.caller }

    // MARK: The next question

    /// Tries once more, with the present state of everything.
    func next<Product>(
        _ attempt: (Authority) throws(KeychainFailure) -> KeychainStep<Product>
    ) throws(KeychainFailure) -> InquiryStep<Product> {
        if let question = try claim() { return .ask(question) }
        if let question = try group() { return .ask(question) }
        let authority = try authority()
        switch try attempt(authority) {
        case .done(let product): return .done(product)
        case .ask(let item, let demands):
            guard round < Self.rounds else { throw .authenticationFailed }
            round += 1
            return .ask(.item(item, demands, authority))
        }
    }

    /// The owner has just given the passcode for this call, so that it isn't asked for twice.
    func passcodeWasGiven() { own.remember([.passcode], nil) }

    /// Tries until it is done, asking the owner in between.
    func settle<Product>(
        _ call: RunningCall, _ attempt: (Authority) throws(KeychainFailure) -> KeychainStep<Product>
    ) async throws -> Product {
        while true {
            // Time may have passed since the sensor was last asked: the call may have waited for the owner, or for its program to read.
            await knowSensor(isCasual: true)
            try Task.checkCancellation()
            switch try next(attempt) {
            case .done(let product): return product
            case .ask(let question): try await ask(question, call)
            }
        }
    }

    /// Asks about the sensor, above all its enrolment, before anything is decided by it.
    func knowSensor(isCasual: Bool) async {
        await withCheckedContinuation { done in device.parts.biometry.prepare(isCasual: isCasual) { done.resume() } }
    }

    /// The question whether the program may be what it claims to be; nil if that is settled.
    func claim() throws(KeychainFailure) -> Question? {
        guard !app.isTied, isAsked else { return nil }
        switch try device.keychain.ties.standing(of: caller, notes: true) {
        case .open:
            app.noteTied()
            return nil
        case .refused: throw .missingEntitlement
        case .ask(let wish, let first):
            try checkPermission()
            return .claim(wish, first: first)
        }
    }

    /// The first group without a decision. Groups that were refused, or that nobody made, are left to the call itself.
    private func group() throws(KeychainFailure) -> Question? {
        guard isAsked else { return nil }
        for name in groups {
            guard case .ask(let maker) = try device.keychain.groups.standing(of: name, for: caller) else { continue }
            try checkPermission()
            return .group(name, maker)
        }
        return nil
    }

    private var isAsked: Bool { device.asksConsent && !app.contexts[asking.context].isInvalidated }

    private func checkPermission() throws(KeychainFailure) {
        switch asking.permission {
        case .fail: throw .interactionNotAllowed
        case .skip: throw .itemNotFound
        case .allow: break
        }
    }

    private func authority() throws(KeychainFailure) -> Authority {
        var context = asking.context == nil ? own : app.contexts[asking.context]
        if context.isInvalidated { throw .authenticationFailed }
        if signIn != nil {
            context = own
        } else if let unlock = device.reusableUnlock(within: asking.reuseSeconds, for: caller) {
            context.remember(unlock, device.parts.biometry.enrolment)
        }
        return try device.authority(
            for: caller, context: context, applicationKey: app.contexts.applicationKey(of: asking.context))
    }

    // MARK: Asking

    func ask(_ question: Question, _ call: RunningCall) async throws {
        switch question {
        case .claim(let wish, let first):
            let words = OwnersWord.reason(wish, of: caller, first)
            try await ask(words, call, known: { [self] in OwnersWord.onClaim(of: app) }) {
                [self] verdict throws(KeychainFailure) in
                try device.keychain.ties.keep(verdict, on: wish, of: caller)
            }
        case .group(let name, let maker):
            let words = OwnersWord.reason(name, of: maker, for: caller)
            try await ask(words, call, known: { [self] in OwnersWord.onGroup(name, of: app) }) {
                [self] verdict throws(KeychainFailure) in
                try device.consents.keep(verdict, on: caller.own, .group(name), named: caller.program.inWords, caller.kind)
            }
        case .item(let item, let demands, let authority): try await ask(item, demands, authority, call)
        }
    }

    /// Asks for a lasting decision and keeps it before anybody else is asked, so that a call waiting with the same question finds the
    /// answer.
    private func ask(
        _ words: PromptWords, _ call: RunningCall, known: @escaping () -> Evaluation.Outcome?,
        keep: @escaping (AppVerdict) throws(KeychainFailure) -> Void
    ) async throws {
        var failed: KeychainFailure?
        do {
            _ = try await call.ask(Demands([[.passcode]]), words, answered: known) { [app] outcome in
                guard let verdict = outcome.verdict, known() == nil else { return }
                do throws(KeychainFailure) {
                    try keep(verdict.word)
                    app.note(
                        .appJudged, failure: verdict.word == .denied ? .authenticationFailed : nil, factors: verdict.factors)
                } catch {
                    failed = error
                }
            }
        } catch EvaluationFailure.userCancel {
            // The owner said no; the call finds that out when it looks again.
        } catch let failure as EvaluationFailure {
            throw Self.undecided(failure)
        }
        if let failed { throw failed }
    }

    private func ask(_ item: StoredItem, _ demands: Demands, _ authority: Authority, _ call: RunningCall) async throws {
        do {
            // Now that the owner is needed, an earlier result won't do: the sensor may have been out of reach then.
            await knowSensor(isCasual: false)
            try Task.checkCancellation()
            try await settleConsent(demands, call)
            let given = try await call.ask(
                demands, asking.words, signIn: signIn, subject: .rule(item.rule, .useItem),
                isAllowed: asking.permission == .allow,
                order: order)
            own.remember(given.factors, given.enrolment, pairings: given.pairings)
            if let context = asking.context, signIn == nil {
                try app.contexts.change(context) { $0.remember(given.factors, given.enrolment, pairings: given.pairings) }
            }
        } catch let failure as EvaluationFailure {
            device.keychain.noteRefusal(of: item, failure.keychainFailure, authority)
            if tellsEvaluation { throw failure }
            throw failure.keychainFailure
        }
    }

    /// Asks once for each app whether it may use face recognition. After a refusal the call finds the sensor unavailable.
    func settleConsent(_ demands: Demands, _ call: RunningCall) async throws {
        do throws(KeychainFailure) {
            guard try device.needsConsent(caller, demands), device.state(for: caller).biometryFailure == nil else { return }
        } catch {
            throw EvaluationFailure.deviceFailure
        }
        guard let usage = caller.faceUsage, !usage.isEmpty else {
            device.log("an app that doesn't say why it wants face recognition was refused it", of: app.client(in: call.number))
            throw EvaluationFailure.biometryNotAvailable
        }
        // The owner's word about it would be their word about every other one that can't be told apart, so it is kept for none.
        guard !caller.own.isEmpty else {
            device.log("an app that can't be told from others was refused face recognition", of: app.client(in: call.number))
            throw EvaluationFailure.biometryNotAvailable
        }
        var hasFailed = false
        do {
            let words = PromptWords(ours: "use face recognition; it says why: \(SafeText.quoted(usage, limit: 100))")
            _ = try await call.ask(
                Demands([[.passcode]]), words, isAllowed: asking.permission == .allow, order: order,
                recording: { [app] outcome in
                    guard let verdict = outcome.verdict else { return }
                    do throws(KeychainFailure) {
                        let caller = app.caller
                        try app.device.consents.keep(
                            verdict.word, on: caller.own, .face, named: caller.program.inWords, caller.kind)
                        let isDenied = verdict.word == .denied
                        app.note(
                            .appJudged, failure: isDenied ? .authenticationFailed : nil, factors: isDenied ? [] : [.passcode])
                        app.device.environmentMayHaveChanged()
                    } catch {
                        hasFailed = true
                    }
                })
        } catch EvaluationFailure.userCancel {
            // The owner said no, and that is kept above.
        }
        if hasFailed { throw EvaluationFailure.deviceFailure }
    }

    /// The call's failure if the owner could not be asked, or wasn't recognized.
    private static func undecided(_ failure: EvaluationFailure) -> KeychainFailure {
        switch failure {
        case .passcodeNotSet, .biometryNotAvailable, .biometryNotEnrolled, .biometryLockout, .companionNotAvailable,
            .biometryDisconnected:
            .missingEntitlement
        case .userCancel, .notInteractive, .invalidParameter, .authenticationFailed, .userFallback, .systemCancel, .appCancel,
            .invalidContext, .deviceFailure:
            failure.keychainFailure
        }
    }
}

extension Evaluation.Outcome {
    /// The decision that an answered question stands for; nil if nothing was decided.
    fileprivate var verdict: (word: AppVerdict, factors: Set<Factor>)? {
        switch self {
        case .success(let factors, _): (.allowed, factors)
        case .failure(.userCancel): (.denied, [])
        case .failure: nil
        }
    }
}
