import ThumbAccess
import ThumbAuthentication
import ThumbSecrets

// Whether an item's secret is released, and what that requires.

extension Keychain {
    enum Release {
        case secret(SecretBytes)
        /// Dead or erased for good: to the caller it doesn't exist.
        case gone
        case skipped
        case ask(Demands)
    }

    func release(
        _ item: StoredItem, _ permission: PromptPermission, _ authority: Authority,
        _ open: (() throws(KeychainFailure) -> SecretBytes)? = nil
    ) throws(KeychainFailure) -> Release {
        do {
            return try opened(item, permission, authority, open)
        } catch {
            noteRefusal(of: item, error, authority)
            throw error
        }
    }

    private func opened(
        _ item: StoredItem, _ permission: PromptPermission, _ authority: Authority,
        _ open: (() throws(KeychainFailure) -> SecretBytes)?
    ) throws(KeychainFailure) -> Release {
        guard let demands = try demands(of: item, authority) else { return .gone }
        if authority.isLocked && item.rule.accessibility.needsUnlocked { throw .interactionNotAllowed }
        // Asking the owner would be in vain, because there is no prompt for an app's own password.
        if item.rule.constraints.contains(.applicationPassword) && authority.applicationKey == nil {
            if permission == .skip { return .skipped }
            throw .authenticationFailed
        }
        if !demands.areMet(by: authority.given, on: authority.device) {
            switch permission {
            case .allow: return .ask(demands)
            case .skip: return .skipped
            case .fail:
                // If asking couldn't succeed, say so, whether or not the owner may be asked.
                if demands.failure(on: authority.device) != nil { throw .authenticationFailed }
                throw .interactionNotAllowed
            }
        }
        do {
            if let open { return .secret(try open()) }
            return .secret(try store.secret(of: item, applicationKey: authority.applicationKey))
        } catch .itemNotFound {
            return .gone
        }
    }

    /// What an item's rule demands now; nil if the item can never be opened again.
    func demands(of item: StoredItem, _ authority: Authority) throws(KeychainFailure) -> Demands? {
        if item.isDead { return nil }
        let demands = Demands(item.rule)
        guard item.rule.isBoundToEnrolment else { return demands }
        return switch try standing(of: item, authority) {
        case .same: demands
        case .changed: nil
        case .sensorVoid: demands.withoutBiometry
        }
    }

    enum Standing { case same, changed, sensorVoid }

    /// Whether the enrolment is the one that an item was made under. If it isn't, the item dies, or keeps only what needs no sensor.
    func standing(of item: StoredItem, _ authority: Authority) throws(KeychainFailure) -> Standing {
        switch authority.enrolment {
        case .known(let digest) where digest == item.enrolment: return .same
        case _ where !item.rule.diesWithEnrolment: return .sensorVoid
        // A key that isn't in the store can't be marked there, so this is determined each time.
        case .known where item.generation == 0: return .changed
        case .known:
            try audit.noting([note(.died, item, authority)]) { () throws(KeychainFailure) in
                try store.markDead(item)
            }
            return .changed
        // Nobody is enrolled, or the reader can't be read. The call is refused, but nothing is concluded from it.
        case .empty, .unknown: throw .authenticationFailed
        }
    }
}
