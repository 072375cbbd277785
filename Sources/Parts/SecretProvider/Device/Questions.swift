import ThumbAccess
import ThumbLoop
import ThumbSecretService
import ThumbSecrets

/// What readers want to ask the owner, from the wish to its outcome. `QuestionLine` decides what is one question and whose turn it is.
@OnLoop final class Questions {
    /// What became of a wish for one item.
    enum Outcome: Sendable {
        case released(SecretBytes)
        /// The owner said no.
        case refused
        /// Nobody said anything: there is no prompt, or the daemon is gone.
        case unanswered
    }

    private final class Wish {
        let client: String
        var missing: Set<ItemPlace>
        var outcomes: [ItemPlace: Outcome] = [:]
        let done: ([ItemPlace: Outcome]) -> Void

        init(_ client: String, _ places: [ItemPlace], _ done: @escaping ([ItemPlace: Outcome]) -> Void) {
            (self.client, missing, self.done) = (client, Set(places), done)
        }
    }

    private var line = QuestionLine()
    private var wishes: [UInt64: Wish] = [:]
    private var readers: [ExactName: Reader] = [:]
    private var running: [ExactName: OwnersYes] = [:]
    private var lastWish: UInt64 = 0
    private var timer: LoopTimer?
    /// The daemon's name for an item; nil if it is gone.
    private let reference: (ItemPlace) -> [UInt8]?

    init(reference: @escaping (ItemPlace) -> [UInt8]?) { self.reference = reference }

    /// A client wishes for items. `done` is called once for all of them, unless the wish is taken back. Returns the wish's number.
    func ask(
        _ places: [ItemPlace], of reader: Reader, for client: String, _ done: @escaping ([ItemPlace: Outcome]) -> Void
    ) throws(ServiceFailure) -> UInt64 {
        lastWish += 1
        try line.ask(places, by: lastWish, of: reader.identity, at: EventLoop.now)
        wishes[lastWish] = Wish(client, places, done)
        readers[reader.identity] = reader
        arm()
        return lastWish
    }

    /// A wish is taken back. Nobody hears of it any more.
    func withdraw(_ wish: UInt64) {
        guard wishes.removeValue(forKey: wish) != nil else { return }
        for reader in line.withdraw(wish) { running[reader]?.withdraw() }
    }

    private func arm() {
        timer?.cancel()
        timer = nil
        guard let next = line.nextTime() else { return }
        timer = EventLoop.shared.after(max(0, next - EventLoop.now)) { [weak self] in self?.put() }
    }

    private func put() {
        for question in line.due(at: EventLoop.now) {
            guard let reader = readers[question.reader] else { continue }
            var places: [[UInt8]: ItemPlace] = [:]
            for place in question.places { if let reference = reference(place) { places[reference] = place } }
            let known = places
            let yes = OwnersYes()
            running[question.reader] = yes
            if known.isEmpty {
                EventLoop.shared.post { [weak self] in self?.answered(question.reader, .failure(.keychain(.itemNotFound)), known)
                }
                continue
            }
            yes.release(Array(known.keys), for: reader) { [weak self] in self?.answered(question.reader, $0, known) }
        }
        arm()
    }

    private func answered(
        _ reader: ExactName, _ result: Result<[FoundItem], ReleaseFailure>, _ places: [[UInt8]: ItemPlace]
    ) {
        running[reader] = nil
        var outcomes: [ItemPlace: Outcome] = [:]
        // What the daemon leaves out, the owner has refused or somebody has removed.
        var others = Outcome.refused
        switch result {
        case .success(let items):
            for item in items {
                guard let place = places[item.persistentRef] else { continue }
                // One without its secret didn't fit into the answer. It can be asked for again.
                outcomes[place] = item.secret.map { .released($0) } ?? .unanswered
            }
        case .failure(.owner(.userCancel)), .failure(.keychain(.missingEntitlement)), .failure(.keychain(.userCanceled)): break
        case .failure: others = .unanswered
        }
        for (asker, place) in line.end(reader) {
            guard let wish = wishes[asker] else { continue }
            wish.outcomes[place] = outcomes[place] ?? others
            wish.missing.remove(place)
            guard wish.missing.isEmpty else { continue }
            wishes[asker] = nil
            wish.done(wish.outcomes)
        }
        if line.isEmpty { readers = [:] }
        arm()
    }
}
