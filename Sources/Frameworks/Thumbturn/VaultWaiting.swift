public import LocalAuthentication

// The calls that may have to ask the owner, in a form that you await. A prompt can be up for minutes, and there are only as many threads
// for tasks as the machine has cores.
extension Vault {
    /// Keeps `value` under `name`, replacing an older one, as the blocking form does.
    ///
    /// Cancelling the task closes the prompt, unless you gave a context, which may serve other calls too.
    nonisolated(nonsending) public func save(
        _ value: some Encodable & Sendable, as name: String, reason: String? = nil, context: LAContext? = nil
    ) async throws(VaultError) {
        try await Asking(context).run { (context) throws(VaultError) in
            try save(value, as: name, reason: reason, context: context)
        }
    }

    /// Reads the value under `name`, as the blocking form does.
    ///
    /// Cancelling the task closes the prompt, unless you gave a context, which may serve other calls too.
    nonisolated(nonsending) public func read<Value: Decodable & Sendable>(
        _ name: String, as type: Value.Type, reason: String? = nil, context: LAContext? = nil
    ) async throws(VaultError) -> Value? {
        try await Asking(context).run { (context) throws(VaultError) in
            try read(name, as: type, reason: reason, context: context)
        }
    }
}
