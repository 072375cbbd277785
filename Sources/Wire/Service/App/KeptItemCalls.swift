import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbKeychain
import ThumbLoop

// What a provider keeps for the programs that call it.
extension App {
    // MARK: The provider

    func release(_ asked: ReleaseForReader, _ call: UInt32) throws(Refusal) {
        let inquiry = ReaderInquiry(self, asked)
        let step: ReaderInquiry.Step
        do throws(KeychainFailure) {
            step = try inquiry.next()
        } catch {
            return send(error, call)
        }
        if case .done(let items) = step { return send(Pages.all(items, to: self, call), call) }
        try run(asked, call, context: asked.asking.context) { [self] running in
            Pages.all(try await inquiry.settle(step, running), to: self, call)
        }
    }

    /// How many items are weighed in one turn of the loop, so that other clients are served between two turns.
    private static let weighedAtOnce = 256

    func weigh(_ asked: GetReadable, _ call: UInt32) throws(Refusal) {
        if asked.references.count <= Self.weighedAtOnce {
            return answer(asked, call) { () throws(KeychainFailure) in
                Readable(isOpen: device.keychain.isOpenToReaders, try readability(asked, asked.references[...]))
            }
        }
        try run(asked, call) { [self] running in
            var items: [Readability] = []
            while items.count < asked.references.count {
                items += try readability(asked, asked.references[items.count...].prefix(Self.weighedAtOnce))
                try await running.wait { done in EventLoop.shared.post { done(()) } }
            }
            return Readable(isOpen: device.keychain.isOpenToReaders, items)
        }
    }

    private func readability(
        _ asked: GetReadable, _ references: ArraySlice<[UInt8]>
    ) throws(KeychainFailure) -> [Readability] {
        try device.keychain.checkProvider(caller)
        guard device.isWhatItClaims(caller) else { throw .missingEntitlement }
        return try device.keychain.readability(of: references, by: asked.reader, try authority())
    }

    /// Asks each time: nothing that was shown before counts for a reader, and nothing that is shown for this one is remembered.
    func evaluate(_ asked: EvaluateForReader, _ call: RunningCall) async throws -> Done {
        let asking = asked.asking
        let inquiry = Inquiry(self, asking)
        while true {
            if contexts[asking.context].isInvalidated { throw EvaluationFailure.invalidContext }
            try device.keychain.checkProvider(caller)
            guard let question = try inquiry.claim() else { break }
            try await inquiry.ask(question, call)
        }
        let reader = Reading(asked.reader, [], asking.permission).caller(of: caller)
        do {
            let demands = try Demands(.policy(.deviceOwner))
            await inquiry.knowSensor(isCasual: false)
            try Task.checkCancellation()
            try await inquiry.settleConsent(demands, call)
            let given = try await call.ask(
                demands, asking.words, for: asked.reader, subject: .policy(.deviceOwner),
                isAllowed: asking.permission == .allow)
            device.note(.evaluated, by: reader, factors: given.factors)
            return Done()
        } catch let failure as EvaluationFailure {
            device.note(.evaluated, by: reader, failure: failure.keychainFailure, factors: [])
            throw failure
        }
    }

    // MARK: The owner's tools

    func listKept(_ asked: ListKeptItems, _ call: UInt32) throws(Refusal) {
        let listing = Listing(self, call) { [device] (caller, place, body) throws(KeychainFailure) in
            try device.keychain.listKept(caller, after: place, body)
        }
        do throws(KeychainFailure) {
            if let last = try listing.advance(for: caller) { return send(last, call) }
        } catch {
            return send(error, call)
        }
        try run(asked, call) { [self] _ in
            while true {
                await session?.isRead()
                try Task.checkCancellation()
                if let last = try listing.advance(for: caller) { return last }
            }
        }
    }

    func protect(_ asked: ProtectKeptItem, _ call: RunningCall) async throws -> Done {
        let item = try device.keychain.kept(asked.reference, for: caller)
        let reason = ReaderWords.protecting(item)
        try await call.askForPasscode(to: reason)
        // What the item's present rule demands is asked besides, in words of ours, and nothing that a context has shown counts for it.
        let inquiry = Inquiry(self, AskingTerms(words: PromptWords(ours: reason)))
        inquiry.passcodeWasGiven()
        return try await inquiry.settle(call) { [device] (authority) throws(KeychainFailure) in
            try device.keychain.protect(asked.reference, asked.rule, authority).map { Done() }
        }
    }

    func allow(_ asked: AllowReader, _ call: RunningCall) async throws -> Done {
        // An item that isn't there is refused first, so that the owner isn't asked in vain.
        let item = try device.keychain.kept(asked.reference, for: caller)
        try await call.askForPasscode(to: ReaderWords.allowing(asked.identity, item))
        try device.keychain.allow(asked.identity, named: asked.name, asked.reference, by: caller)
        note(.appJudged, factors: [.passcode])
        return Done()
    }
}
