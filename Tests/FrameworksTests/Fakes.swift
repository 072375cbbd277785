import Foundation
import Testing
import ThumbAccess
import ThumbLocalAuthenticationAPI
import ThumbSecrets
import ThumbSecurityAPI

/// A keychain of one answer, which keeps what it was asked.
final class FakeKeychain: KeychainDevice {
    struct Seen {
        var query: Query?
        var item: NewItem?
        var change: ItemChange?
    }

    let answer: [FoundItem]
    private let log = Locked(Seen())

    init(_ answer: [FoundItem] = []) { self.answer = answer }

    var seen: Seen { log.withLock { $0 } }

    func add(_ item: NewItem) throws(KeychainFailure) -> FoundItem {
        log.withLock { $0.item = item }
        return FoundItem(
            itemClass: item.itemClass, attributes: item.attributes, rule: item.rule, persistentRef: Array("genp0".utf8),
            secret: item.shape.contains(.data) ? item.secret : nil)
    }

    func find(_ query: Query) throws(KeychainFailure) -> [FoundItem] {
        log.withLock { $0.query = query }
        if answer.isEmpty { throw .itemNotFound }
        return answer
    }

    func update(_ query: Query, with change: ItemChange) throws(KeychainFailure) {
        log.withLock {
            $0.query = query
            $0.change = change
        }
        if answer.isEmpty { throw .itemNotFound }
    }

    func remove(_ query: Query) throws(KeychainFailure) {
        log.withLock { $0.query = query }
        if answer.isEmpty { throw .itemNotFound }
    }
}

extension FakeKeychain {
    func keepKey(detached: [UInt8], _ attributes: Attributes) throws(KeychainFailure) -> KeyRecord { throw .unsupported }
}

/// A device whose answers are scripted and whose evaluations stay pending until the test lets them go.
final class FakeDevice: AuthenticationDevice {
    struct State {
        var capability = Capability(failure: nil, kind: .touchID, domainState: [1, 2, 3])
        var contexts: UInt64 = 0
        var pending: [(request: EvaluationRequest, reply: @Sendable (EvaluationReply) -> Void)] = []
        var requests: [EvaluationRequest] = []
        var credentials: Set<UInt8> = []
        var released: [UInt64] = []
        var invalidated: [UInt64] = []
        /// Called with the number of each question what the device can do, once it has its answer and before it gives it.
        var isAsked: (@Sendable (Int) -> Void)?
        var questions = 0
    }

    private let state = Locked(State())

    var now: State { state.withLock { $0 } }
    func set(_ capability: Capability) { state.withLock { $0.capability = capability } }

    func onQuestion(_ isAsked: @escaping @Sendable (Int) -> Void) { state.withLock { $0.isAsked = isAsked } }

    func capability(of policy: Policy, context: UInt64) -> Capability {
        let now = state.withLock { state in
            state.questions += 1
            return state
        }
        now.isAsked?(now.questions)
        return now.capability
    }

    func makeContext() -> UInt64 {
        state.withLock {
            $0.contexts += 1
            return $0.contexts
        }
    }

    func evaluate(_ request: EvaluationRequest, reply: @escaping @Sendable (EvaluationReply) -> Void) {
        state.withLock {
            $0.requests.append(request)
            $0.pending.append((request, reply))
        }
    }

    /// Answers everything pending; `times` shows what a client that answers twice would do.
    func answer(_ reply: EvaluationReply, times: Int = 1) {
        let pending = state.withLock { state in
            defer { state.pending = [] }
            return state.pending
        }
        for evaluation in pending { for _ in 0..<times { evaluation.reply(reply) } }
    }

    func invalidate(context: UInt64) {
        state.withLock { $0.invalidated.append(context) }
        answer(EvaluationReply(result: .failure(.appCancel), kind: .none))
    }

    func release(context: UInt64) {
        state.withLock { $0.released.append(context) }
        answer(EvaluationReply(result: .failure(.appCancel), kind: .none))
    }

    func setCredential(_ secret: SecretBytes?, kind: UInt8, context: UInt64) -> Bool {
        state.withLock {
            if secret == nil { $0.credentials.remove(kind) } else { $0.credentials.insert(kind) }
            return true
        }
    }

    func isCredentialSet(kind: UInt8, context: UInt64) -> Bool { now.credentials.contains(kind) }
    func watchEnvironment(_ changed: @escaping @Sendable () -> Void) {}
}

func failure<Value>(_ body: () throws(KeychainFailure) -> Value) -> KeychainFailure? {
    do throws(KeychainFailure) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}

func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8)) }
