public import LocalAuthentication

// The calls that may have to ask the owner, in a form that you await. A prompt can be up for minutes, and tasks run on as few
// threads as the machine has cores.
extension Vault {
    /// Keeps `value` under `name`, in place of an older one, as the form that blocks does.
    ///
    /// Cancelling the task takes the prompt away, unless you gave a context, which may serve other calls too.
    nonisolated(nonsending) public func save(
        _ value: some Encodable & Sendable, as name: String, reason: String? = nil, context: LAContext? = nil
    ) async throws(VaultError) {
        try await Asking(context).run { (context) throws(VaultError) in
            try save(value, as: name, reason: reason, context: context)
        }
    }

    /// The value under `name`, as the form that blocks returns it.
    ///
    /// Cancelling the task takes the prompt away, unless you gave a context, which may serve other calls too.
    nonisolated(nonsending) public func read<Value: Decodable & Sendable>(
        _ name: String, as type: Value.Type, reason: String? = nil, context: LAContext? = nil
    ) async throws(VaultError) -> Value? {
        try await Asking(context).run { (context) throws(VaultError) in
            try read(name, as: type, reason: reason, context: context)
        }
    }
}
