import ThumbAccess
import ThumbClient
import ThumbLoop
import ThumbSecretService
import ThumbSecrets

/// The provider's way to the daemon.
///
/// Reading asks nobody and is answered in the same turn of the loop. A daemon that says nothing for too long isn't asked again before it has
/// answered a thread that waits for it. Changes wait for a disk, so they are made on a thread of their own,
/// one after the other. Questions to the owner have threads and connections of their own (`Questions`).
@OnLoop final class DaemonDoor {
    /// What the provider calls itself to the daemon, and in user mode its group.
    nonisolated static let label = "org.thumbturn.secrets"
    /// Changes that wait for the one before them: as many as one busy client may have under way, four times.
    private nonisolated static let waitingChanges = 4096

    private let reading = DaemonDoor.client(patience: SecretServiceLimit.patienceSeconds)
    /// Whether the daemon said nothing for too long. Calls fail at once then.
    private var isSilent = false
    private let changing = DaemonDoor.client()
    private let lane = Worker(limit: waitingChanges)

    /// A connection of its own to the daemon, which knows the provider by it.
    nonisolated static func client(patience: Double? = nil) -> DeviceClient {
        let client = DeviceClient.ofThisMachine(patience: patience)
        // On a machine with a camera a question may be answered by a face, once its owner allowed that.
        client.introduce(as: label, faceUsage: "to let you hand a password to another program")
        return client
    }

    /// Calls back, on the loop, when the daemon may have been replaced by another. What else it reports changes no item.
    func watch(_ changed: @escaping @OnLoop @Sendable () -> Void) {
        // Watching may have to connect, and starting a daemon takes its time.
        let reading = reading
        _ = lane.run {
            reading.watchLoss { EventLoop.shared.post { changed() } }
        } then: {
        }
    }

    // MARK: In the same turn

    /// Whether a reader gets these items, and whether the store is open.
    func readable(
        _ references: [[UInt8]], by reader: Reader
    ) throws(ServiceFailure) -> (isOpen: Bool, items: [Readability]) {
        var all: [Readability] = []
        all.reserveCapacity(references.count)
        var rest = references[...]
        var isOpen = false
        repeat {
            let some = Array(rest.prefix(SecretServiceLimit.readable))
            rest = rest.dropFirst(some.count)
            let answer = try twice { () throws(KeychainFailure) in try reading.readable(some, by: reader) }
            isOpen = answer.isOpen
            all += answer.items
        } while !rest.isEmpty
        return (isOpen, all)
    }

    /// The secrets of those items that a reader gets without anybody being asked, by their references. Once they are more than one answer
    /// may have, the rest is left out.
    func release(_ references: [[UInt8]], for reader: Reader) throws(ServiceFailure) -> [[UInt8]: SecretBytes] {
        var secrets: [[UInt8]: SecretBytes] = [:]
        var size = 0
        var rest = references[...]
        var most = SecretServiceLimit.questionItems
        while !rest.isEmpty, size <= SecretServiceLimit.answerBytes {
            let some = Array(rest.prefix(most))
            let found: [FoundItem]
            do throws(ServiceFailure) {
                found = try twice { () throws(KeychainFailure) in try releaseOnce(some, for: reader) }
            } catch {
                switch error {
                // Together they are too much for one call.
                case .invalid where some.count > 1, .tooMuch where some.count > 1:
                    most = some.count / 2
                    continue
                // There is no locked memory for more at once. The client gets the others one by one.
                case .tooMuch where !secrets.isEmpty: return secrets
                case .isLocked, .noSuchObject, .denied: found = []
                case .noSession, .invalid, .notSupported, .tooMuch, .failed: throw error
                }
            }
            rest = rest.dropFirst(some.count)
            for item in found {
                guard let secret = item.secret else { continue }
                secrets[item.persistentRef] = secret
                size += secret.count
            }
        }
        return secrets
    }

    private func releaseOnce(_ references: [[UInt8]], for reader: Reader) throws(KeychainFailure) -> [FoundItem] {
        do throws(ReleaseFailure) {
            return try reading.release(references, for: reader, AskingTerms(permission: .skip))
        } catch {
            throw error.keychainFailure
        }
    }

    /// Asking twice does no harm: nothing is changed. The daemon may have ended between two calls.
    private func twice<Value>(_ body: () throws(KeychainFailure) -> Value) throws(ServiceFailure) -> Value {
        for isLast in [false, true] {
            if isSilent { throw .failed }
            do throws(KeychainFailure) {
                return try body()
            } catch {
                if error == .deviceUnreachable, reading.foundSilence { waitForAnswer() }
                if error != .deviceUnreachable || isLast { throw ServiceFailure(error) }
            }
        }
        throw .failed
    }

    /// Asks a daemon that says nothing until it answers or is gone, on a thread of its own.
    private func waitForAnswer() {
        isSilent = true
        let client = Self.client()
        NamedThread("silence") { [weak self] in
            // Whatever it says, the next call can be made: it finds another daemon if this one has ended.
            _ = try? client.mode()
            EventLoop.shared.post { self?.isSilent = false }
        }.detach()
    }

    // MARK: On the lane

    /// Everything that is kept, without secrets.
    func load() async throws(ServiceFailure) -> [FoundItem] {
        let client = changing
        return try await onLane { () throws(KeychainFailure) in
            do throws(KeychainFailure) {
                return try client.find(
                    Query(itemClass: .genericPassword, limit: nil, shape: [.attributes, .persistentRef], asking: .nobody))
            } catch {
                guard error == .itemNotFound else { throw error }
                return []
            }
        }
    }

    /// Adds an item, once the daemon has it on its disk.
    ///
    /// Its service and account are nobody else's. So if the daemon ended in between, adding it again tells whether it was added.
    func add(_ attributes: Attributes, _ secret: SecretBytes?) async throws(ServiceFailure) -> FoundItem {
        let client = changing
        return try await onLane { () throws(KeychainFailure) in
            let item = NewItem(
                itemClass: .genericPassword, attributes: attributes, rule: KeptForm.rule, secret: secret,
                shape: [.attributes, .persistentRef], asking: .nobody)
            do throws(KeychainFailure) {
                return try client.add(item)
            } catch {
                guard error == .deviceUnreachable else { throw error }
            }
            do throws(KeychainFailure) {
                return try client.add(item)
            } catch {
                guard error == .duplicateItem else { throw error }
            }
            let names: [AttributeName] = [.service, .account]
            let found = try client.find(
                Query(
                    itemClass: .genericPassword, attributes: attributes.filter { names.contains($0.key) },
                    shape: [.attributes, .persistentRef], asking: .nobody))
            guard let item = found.first else { throw .internalFailure }
            return item
        }
    }

    /// Changes an item. Doing it twice comes to the same.
    func update(_ reference: [UInt8], _ attributes: Attributes, _ secret: SecretBytes? = nil) async throws(ServiceFailure) {
        let client = changing
        try await onLane { () throws(KeychainFailure) in
            let query = Query(itemClass: nil, persistentRef: reference, asking: .nobody)
            let change = ItemChange(attributes: attributes, secret: secret)
            do throws(KeychainFailure) {
                try client.update(query, with: change)
            } catch {
                guard error == .deviceUnreachable else { throw error }
                try client.update(query, with: change)
            }
        }
    }

    /// Removes an item. One that is gone already is removed.
    func remove(_ reference: [UInt8]) async throws(ServiceFailure) {
        let client = changing
        try await onLane { () throws(KeychainFailure) in
            let query = Query(itemClass: nil, persistentRef: reference, asking: .nobody)
            for isLast in [false, true] {
                do throws(KeychainFailure) {
                    return try client.remove(query)
                } catch {
                    if error == .itemNotFound { return }
                    if error != .deviceUnreachable || isLast { throw error }
                }
            }
        }
    }

    private func onLane<Value: Sendable>(
        _ work: @escaping @Sendable () throws(KeychainFailure) -> Value
    ) async throws(ServiceFailure) -> Value {
        let result = await lane.result { Result { () throws(KeychainFailure) in try work() } }
        guard let result else { throw .tooMuch }
        do throws(KeychainFailure) { return try result.get() } catch { throw ServiceFailure(error) }
    }
}

extension AskingTerms {
    /// The owner isn't asked.
    fileprivate static var nobody: AskingTerms { AskingTerms(permission: .fail) }
}

extension ServiceFailure {
    /// What a failure of the daemon's is at the bus.
    init(_ failure: KeychainFailure) {
        switch failure {
        case .interactionNotAllowed, .authenticationFailed, .userCanceled: self = .isLocked
        case .itemNotFound: self = .noSuchObject
        case .missingEntitlement: self = .denied
        case .dataTooLarge, .parameter, .noSuchAttribute, .noSuchClass: self = .invalid
        case .quotaReached, .outOfMemory: self = .tooMuch
        case .unsupported: self = .notSupported
        case .duplicateItem, .storeUnavailable, .readOnly, .damaged, .deviceUnreachable, .internalFailure, .custodianAbsent,
            .custodianLost, .custodianLocked, .custodianForeign, .agreementFailed:
            self = .failed
        }
    }
}
