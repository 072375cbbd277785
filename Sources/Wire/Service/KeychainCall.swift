internal import ThumbAccess
internal import ThumbAuthentication
internal import ThumbConversation
internal import ThumbKeychain
internal import ThumbLoop

/// One keychain call: tried, and tried again after each time the owner had to be asked.
@OnLoop final class KeychainCall {
    enum Product {
        case found([FoundItem])
        /// A list that is on its way.
        case listed
        case done
        /// Somebody else answers, later.
        case begun(() throws(Refusal) -> Void)
    }

    /// Rounds of asking in one call: each item under another rule takes one, and past this the query is a fishing net.
    static let rounds = 20

    private let calls: AppCalls
    private let call: UInt32
    private let asking: AskingTerms
    /// Whether the caller is told how an evaluation ended, rather than what the keychain makes of it.
    private let tellsEvaluation: Bool
    /// What the prompt says in its own words, where the owner signs in. Such a call asks each time: nothing that was shown before
    /// counts for it, and nothing shown for it counts for anything else.
    private let signIn: SignInWords?
    /// What the owner showed during this call, where no context of the app's keeps it.
    private var own = ContextState()

    init(_ calls: AppCalls, _ call: UInt32, _ asking: AskingTerms, tellsEvaluation: Bool = false, signIn: SignInWords? = nil) {
        self.calls = calls
        self.call = call
        self.asking = asking
        self.tellsEvaluation = tellsEvaluation
        self.signIn = signIn
    }

    func run(
        round: Int = 0, _ attempt: @escaping (Authority) throws(KeychainFailure) -> KeychainStep<Product>
    ) throws(Refusal) {
        var context = asking.context == nil ? own : calls.context(asking.context)
        do {
            if context.isInvalidated { throw KeychainFailure.authenticationFailed }
            if signIn != nil {
                context = own
            } else if let unlock = calls.device.reusableUnlock(within: asking.reuseSeconds, for: calls.caller) {
                context.remember(unlock, calls.device.parts.biometry.enrolment)
            }
            let authority = try calls.device.authority(
                for: calls.caller, context: context, applicationKey: calls.applicationKey(asking.context))
            switch try attempt(authority) {
            case .done(.done): calls.send(.done, call)
            case .done(.begun(let begin)): try begin()
            case .done(.found(let items)):
                var pages = Pages(calls, call)
                for item in items { pages.add(item) }
                pages.end()
            case .done(.listed): break
            case .ask(let item, let demands):
                guard round < Self.rounds else { throw KeychainFailure.authenticationFailed }
                try ask(item, demands, authority, round, attempt)
            }
        } catch let failure as KeychainFailure {
            calls.send(.failed(failure), call)
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            calls.send(.failed(.internalFailure), call)
        }
    }

    private func ask(
        _ item: StoredItem, _ demands: Demands, _ authority: Authority, _ round: Int,
        _ attempt: @escaping (Authority) throws(KeychainFailure) -> KeychainStep<Product>
    ) throws(Refusal) {
        let refuse = { [self] (failure: EvaluationFailure) in
            calls.device.keychain.noteRefusal(of: item, failure.keychainFailure, authority)
            guard tellsEvaluation else { return calls.send(.failed(failure.keychainFailure), call) }
            let kind = calls.device.parts.biometry.kind
            calls.send(.evaluated(EvaluationReply(result: .failure(failure), kind: kind)), call)
        }
        let mayAsk = asking.permission == .allow
        try ConsentCall(calls, call, context: asking.context).settle(
            demands, order: .waits, interactionNotAllowed: !mayAsk,
            failed: refuse
        ) { [self] () throws(Refusal) in
            try askOwner(demands, round, refuse, attempt)
        }
    }

    private func askOwner(
        _ demands: Demands, _ round: Int, _ refuse: @escaping (EvaluationFailure) -> Void,
        _ attempt: @escaping (Authority) throws(KeychainFailure) -> KeychainStep<Product>
    ) throws(Refusal) {
        try calls.ask(
            demands, asking.words, signIn: signIn, interactionNotAllowed: asking.permission != .allow, order: .waits, call: call,
            context: asking.context
        ) { [self] outcome in
            do {
                switch outcome {
                case .success(let given, let enrolment):
                    own.remember(given, enrolment)
                    if let number = asking.context, signIn == nil { try calls.change(number) { $0.remember(given, enrolment) } }
                    try run(round: round + 1, attempt)
                case .failure(let failure): refuse(failure)
                }
            } catch let refusal as Refusal {
                calls.refuse(refusal, call)
            } catch {
                calls.send(.failed(.internalFailure), call)
            }
        }
    }

    /// Finds what a query matches; a long list is on its way while it is still being read.
    func find(_ query: Query) throws(Refusal) {
        try run { [calls, call] (authority) throws(KeychainFailure) in
            let keychain = calls.device.keychain
            guard keychain.isList(query) else { return try keychain.find(query, authority).map { .found($0) } }
            try Listing(calls, call, query, authority.caller).begin()
            return .done(.listed)
        }
    }
}

extension KeychainStep {
    func map<Other>(_ body: (Value) -> Other) -> KeychainStep<Other> {
        switch self {
        case .done(let value): .done(body(value))
        case .ask(let item, let demands): .ask(item, demands)
        }
    }
}
