public import ThumbAccess
public import ThumbAuthentication
import ThumbSecrets

/// One call in which a reader wants items, and what the owner has said to it so far.
public struct Reading: Sendable {
    public let reader: Reader
    public let references: [[UInt8]]
    public let permission: PromptPermission
    /// Items that the owner lets the reader have in this call.
    fileprivate var given: Set<ItemID> = []

    public init(_ reader: Reader, _ references: [[UInt8]], _ permission: PromptPermission) {
        (self.reader, self.references, self.permission) = (reader, references, permission)
    }

    /// The owner has agreed to what a question was about.
    public mutating func agreed(to question: ReaderQuestion) { given.formUnion(question.wanted.map(\.id)) }

    /// How the audit knows the reader: as the provider found it, on the provider's own connection.
    public func caller(of provider: Caller) -> Caller {
        let name = reader.program.shortName
        return Caller(
            uid: provider.uid, pid: provider.pid, kind: reader.program.kind,
            name: SafeText(name.isEmpty ? "process" : name, limit: 60).description, groups: [reader.identity],
            place: provider.place, program: reader.program)
    }
}

/// What the owner has to be asked before a reader gets what it wants: one question about all items that need it.
public struct ReaderQuestion: Sendable {
    /// Every item that waits for the answer, in the order of the call.
    public var items: [StoredItem] = []
    /// Those of them that the owner has to let the reader have. For the others only their own rule asks.
    public var wanted: [StoredItem] = []
    /// What has to be shown: what one of the items' rules demands, else that the owner is there.
    public var demands: Demands
    /// The rule that demands it; nil: none.
    public var rule: AccessRule?
}

/// How far a reader's call has come.
public enum ReadingStep {
    case done([FoundItem])
    case ask(ReaderQuestion)
}

extension Keychain {
    /// What any question about a reader demands: that the owner is there, and either way of showing it will do.
    static let presence = Demands([[.biometry], [.passcode]])

    /// The items that a reader wants, with their secrets. Items that aren't there and items that the owner refused the reader are left out.
    /// Once the secrets are more than one call releases, the other items come without theirs: another call can ask for them.
    ///
    /// Fails with `.missingEntitlement` if the caller isn't the provider or if all was refused, with `.itemNotFound` if nothing is there.
    public func release(_ reading: Reading, _ authority: Authority) throws(KeychainFailure) -> ReadingStep {
        try checkProvider(authority.caller)
        let weighed = try weigh(reading, authority)
        let asReader = authority.by(reading.caller(of: authority.caller))
        for item in weighed.refused { noteRefusal(of: item, .missingEntitlement, asReader) }
        if let question = weighed.question { return .ask(question) }
        var found: [FoundItem] = []
        var bytes = 0
        var given: Set<[UInt8]> = []
        for item in weighed.ready {
            var result = shown(item)
            if bytes < QueryLimit.releasedBytes {
                guard case .secret(let secret) = try release(item, reading.permission, asReader) else { continue }
                bytes += secret.count
                if bytes <= QueryLimit.releasedBytes {
                    result.secret = secret
                    given.insert(result.persistentRef)
                }
            }
            found.append(result)
        }
        guard !found.isEmpty else { throw weighed.refused.isEmpty ? .itemNotFound : .missingEntitlement }
        let released = weighed.ready.filter { given.contains(PersistentRef.make($0)) }
        for note in notes(.released, released, asReader) { audit.note(note) }
        return .done(found)
    }

    /// The question that a call still has for the owner; nil if it has none by now.
    public func question(of reading: Reading, _ authority: Authority) throws(KeychainFailure) -> ReaderQuestion? {
        try checkProvider(authority.caller)
        return try weigh(reading, authority).question
    }

    /// Whether a reader would get items. Asks nobody, and changes nothing.
    public func readability(
        of references: some Sequence<[UInt8]>, by reader: Reader, _ authority: Authority
    ) throws(KeychainFailure) -> [Readability] {
        try checkProvider(authority.caller)
        let answers = try consents.answers(to: reader.identity)
        var readable: [Readability] = []
        for reference in references {
            guard let item = try keptItem(reference), item.hasSecret else {
                readable.append(.missing)
                continue
            }
            // Before the owner has opened the store, its maker is asked about it too.
            let isHeld =
                item.rule.asksForOwner || authority.isLocked && item.rule.accessibility.needsUnlocked
                || !store.isOpen(item.rule.accessibility.keyClass)
            switch standing(of: item, for: reader, answers[item.keptName]) {
            case .open: readable.append(isHeld ? .asks : .free)
            case .asks: readable.append(.asks)
            case .refused: readable.append(.refused)
            }
        }
        return readable
    }

    /// Whether what is free can be read now.
    public var isOpenToReaders: Bool { store.isOpen(AccessRule(.afterFirstUnlock).accessibility.keyClass) }

    /// Keeps that the reader may have these items from now on.
    public func keep(_ reading: Reading, _ question: ReaderQuestion) throws(KeychainFailure) {
        let reader = reading.reader
        for item in question.wanted {
            try consents.keep(
                .allowed, on: reader.identity, item.wish, named: reader.program.inWords, reader.program.kind)
        }
    }

    /// Notes that a reader got nothing, because the owner refused or could not be asked.
    public func noteRefusal(
        of question: ReaderQuestion, _ reading: Reading, _ failure: KeychainFailure, _ authority: Authority
    ) {
        let asReader = authority.by(reading.caller(of: authority.caller))
        for var note in notes(.released, question.items, asReader) {
            note.failure = failure
            audit.note(note)
        }
    }

    // MARK: What stands between a reader and an item

    private enum ReaderStanding { case open, asks, refused }

    private struct Weighed {
        var ready: [StoredItem] = []
        var refused: [StoredItem] = []
        var question: ReaderQuestion?
    }

    private func standing(of item: StoredItem, for reader: Reader, _ answer: AppVerdict?) -> ReaderStanding {
        switch answer {
        case .allowed: .open
        case .denied: .refused
        // No answer about an item is merely noted.
        case .noted, nil: !item.maker.isEmpty && item.maker == reader.identity ? .open : .asks
        }
    }

    private func weigh(_ reading: Reading, _ authority: Authority) throws(KeychainFailure) -> Weighed {
        var weighed = Weighed()
        var question = ReaderQuestion(demands: Self.presence)
        var seen: Set<ItemID> = []
        var waitsForPasscode = false
        let asReader = authority.by(reading.caller(of: authority.caller))
        for reference in reading.references {
            guard let item = try keptItem(reference), item.hasSecret, seen.insert(item.id).inserted,
                let demands = try demands(of: item, asReader)
            else { continue }
            let answer = try consents.verdict(on: reading.reader.identity, item.wish)
            let standing = standing(of: item, for: reading.reader, answer)
            if standing == .refused {
                weighed.refused.append(item)
                continue
            }
            let isWanted = standing == .asks && !reading.given.contains(item.id)
            let isMet = demands.areMet(by: authority.given, on: authority.device)
            // A passcode opens the store too, so it is worth asking for although the reader may have the item.
            let isShut = !store.isOpen(item.rule.accessibility.keyClass) && !authority.device.passcodeWasGiven
            if isMet && !isWanted && !isShut {
                weighed.ready.append(item)
            } else if reading.permission != .skip {
                try check(item, demands, isMet, reading.permission, authority)
                question.items.append(item)
                if isWanted { question.wanted.append(item) }
                if !isMet, question.rule == nil { (question.demands, question.rule) = (demands, item.rule) }
                waitsForPasscode = waitsForPasscode || isShut && item.rule.accessibility.keyClass == .passcode
            }
        }
        // A login by finger has opened less than that, and another finger would open no more.
        if waitsForPasscode { question.demands.waitsForPasscode = true }
        if !question.items.isEmpty { weighed.question = question }
        return weighed
    }

    /// Whether the owner may and can be asked about an item. Nobody is asked in vain.
    private func check(
        _ item: StoredItem, _ demands: Demands, _ isMet: Bool, _ permission: PromptPermission, _ authority: Authority
    ) throws(KeychainFailure) {
        if authority.isLocked && item.rule.accessibility.needsUnlocked { throw .interactionNotAllowed }
        // There is no prompt for an app's own password.
        if item.rule.constraints.contains(.applicationPassword) { throw .authenticationFailed }
        guard permission == .fail else { return }
        let asked = isMet ? Self.presence : demands
        throw asked.failure(on: authority.device) == nil ? .interactionNotAllowed : .authenticationFailed
    }
}

extension Authority {
    /// The same authority, noted in the audit under another program's name.
    fileprivate func by(_ caller: Caller) -> Authority {
        var other = self
        other.caller = caller
        return other
    }
}
