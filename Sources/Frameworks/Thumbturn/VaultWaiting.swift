public import LocalAuthentication

// The calls that may have to ask for the owner, awaited: a prompt can stand for minutes, and the threads that tasks run on are
// as few as the machine's cores.
extension Vault {
    /// Keeps `value` under `name`, in place of what is there; as the form that blocks.
    ///
    /// Cancelling the task takes the prompt away, unless a context was given: that one may serve others too.
    nonisolated(nonsending) public func save(
        _ value: some Encodable & Sendable, as name: String, reason: String? = nil, context: LAContext? = nil
    ) async throws(VaultError) {
        try await Asking(context).run { (context) throws(VaultError) in
            try save(value, as: name, reason: reason, context: context)
        }
    }

    /// What is kept under `name`; as the form that blocks.
    ///
    /// Cancelling the task takes the prompt away, unless a context was given: that one may serve others too.
    nonisolated(nonsending) public func read<Value: Decodable & Sendable>(
        _ name: String, as type: Value.Type, reason: String? = nil, context: LAContext? = nil
    ) async throws(VaultError) -> Value? {
        try await Asking(context).run { (context) throws(VaultError) in
            try read(name, as: type, reason: reason, context: context)
        }
    }
}
