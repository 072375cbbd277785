import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbKeychain
import ThumbLoop

// Items. A call that needs no owner is answered in the turn in which it came.
extension App {
    func add(_ asked: AddItem, _ call: UInt32) throws(Refusal) {
        let keychain = device.keychain
        try keep(asked.item, asked, call) { (new, authority) throws(KeychainFailure) in try keychain.add(new, authority) }
    }

    func put(_ asked: PutItem, _ call: UInt32) throws(Refusal) {
        let keychain = device.keychain
        try keep(asked.item, asked, call) { (new, authority) throws(KeychainFailure) in try keychain.put(new, authority) }
    }

    private func keep<Asked: Call>(
        _ item: NewItem, _ asked: Asked, _ call: UInt32,
        _ body: @escaping (NewItem, Authority) throws(KeychainFailure) -> FoundItem
    ) throws(Refusal) where Asked.Reply == ItemPage, Asked.Failure == KeychainFailure {
        let inquiry = Inquiry(self, item.asking, groups: [item.attributes[.group]])
        try answer(asked, call, inquiry, item.asking.context) { (authority) throws(KeychainFailure) in
            .done(ItemPage([try body(item, authority)]))
        }
    }

    func find(_ asked: FindItems, _ call: UInt32) throws(Refusal) {
        let query = asked.query
        let inquiry = Inquiry(self, query.asking, groups: [query.attributes[.group]], tellsEvaluation: true)
        let keychain = device.keychain
        guard keychain.isList(query) else {
            return try answer(asked, call, inquiry, query.asking.context) { [self] (authority) throws(KeychainFailure) in
                try keychain.find(query, authority).map { Pages.all($0, to: self, call) }
            }
        }
        let listing = Listing(self, call) { (caller, place, body) throws(KeychainFailure) in
            try keychain.list(query, caller, after: place, body)
        }
        do throws(KeychainFailure) {
            if case .done(let last?) = try inquiry.next(listing.advance) { return send(last, call) }
        } catch {
            return send(error, call)
        }
        try run(asked, call, context: query.asking.context) { [self] running in
            while true {
                if let last = try await inquiry.settle(running, listing.advance) { return last }
                await session?.isRead()
                try Task.checkCancellation()
            }
        }
    }

    func update(_ asked: UpdateItems, _ call: UInt32) throws(Refusal) {
        let (query, change) = (asked.query, asked.change)
        let inquiry = Inquiry(
            self, query.asking, groups: [query.attributes[.group], change.attributes[.group]], tellsEvaluation: true)
        try answer(asked, call, inquiry, query.asking.context) { [device] (authority) throws(KeychainFailure) in
            try device.keychain.update(query, change, authority).map { Done() }
        }
    }

    func remove(_ asked: RemoveItems, _ call: UInt32) throws(Refusal) {
        let inquiry = Inquiry(self, asked.query.asking, groups: [asked.query.attributes[.group]])
        try answer(asked, call, inquiry, asked.query.asking.context) { [device] (authority) throws(KeychainFailure) in
            try device.keychain.remove(asked.query, authority)
            return .done(Done())
        }
    }

    /// Answers in this turn of the loop if there is nothing to ask. Otherwise the call goes on with the first question.
    func answer<Asked: Call>(
        _ asked: Asked, _ number: UInt32, _ inquiry: Inquiry, _ context: UInt64?,
        _ attempt: @escaping @OnLoop (Authority) throws(KeychainFailure) -> KeychainStep<Asked.Reply>
    ) throws(Refusal) {
        let question: Question
        do throws(KeychainFailure) {
            switch try inquiry.next(attempt) {
            case .done(let reply): return send(reply, number)
            case .ask(let first): question = first
            }
        } catch {
            return send(error, number)
        }
        try run(asked, number, context: context) { call in
            try await inquiry.ask(question, call)
            return try await inquiry.settle(call, attempt)
        }
    }
}
