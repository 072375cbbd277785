public import ThumbAccess
internal import ThumbConversation

// Private keys: blocking, on the caller's thread.
extension DeviceClient {
    /// Has a key made where it is to be held; its private half never comes here.
    ///
    /// `.custodianAbsent` for an enclave key where nothing can hold it, `.parameter` for a kind that isn't held so, and else as `add`.
    public func makeKey(_ new: NewKey) throws(KeychainFailure) -> KeyRecord { try record(.makeKey(new)) }

    /// Puts a key into the keychain that its maker has had in its sealed form; `.parameter` unless this device sealed it.
    public func keepKey(detached: [UInt8], _ attributes: Attributes) throws(KeychainFailure) -> KeyRecord {
        try record(.keepKey(detached: detached, attributes))
    }

    /// What is public of a key in its sealed form; `.parameter` unless this device sealed it.
    public func readKey(detached: [UInt8]) throws(KeychainFailure) -> KeyRecord { try record(.readKey(detached: detached)) }

    /// Uses a private key once; blocks while the owner is asked, where its rule demands it.
    public func use(_ use: KeyUse) throws(KeychainFailure) -> KeyProduct {
        do throws(KeyUseFailure) {
            return try perform(use)
        } catch {
            throw error.keychainFailure
        }
    }

    /// Uses a private key once, as `use` does, and tells how asking the owner ended.
    public func perform(_ use: KeyUse) throws(KeyUseFailure) -> KeyProduct { try product(.useKey(use)) }

    /// Signs a statement with a sign-in key; blocks while the owner is asked, which is each time.
    ///
    /// `.parameter` for words that can't stand in a statement, `.unsupported` for a key that isn't for signing in.
    public func sign(_ statement: StatementUse) throws(KeyUseFailure) -> KeyProduct { try product(.signStatement(statement)) }

    private func product(_ request: Request) throws(KeyUseFailure) -> KeyProduct {
        let result: Result<KeyProduct, KeyUseFailure>
        do {
            result = try ask(request) {
                switch $0 {
                case .keyUsed(let product): .success(product)
                case .failed(let failure): .failure(.keychain(failure))
                case .evaluated(let reply):
                    // Only an ending without the key is told so.
                    if case .failure(let failure) = reply.result { .failure(.owner(failure)) } else { nil }
                default: nil
                }
            }
        } catch {
            throw .keychain(error.keychainFailure)
        }
        return try result.get()
    }

    /// Lets the device do something that protects less, or no longer; after the owner's passcode.
    public func allow(_ allowance: Allowance, _ isAllowed: Bool) throws(KeychainFailure) {
        try settle { () throws(ClientError) in
            try ask(.allow(allowance, isAllowed)) {
                switch $0 {
                case .done: Result<Void, KeychainFailure>.success(())
                case .failed(let failure): .failure(failure)
                default: nil
                }
            }
        }
    }

    private func record(_ request: Request) throws(KeychainFailure) -> KeyRecord {
        try settle { () throws(ClientError) in
            try ask(request) {
                switch $0 {
                case .key(let record): Result<KeyRecord, KeychainFailure>.success(record)
                case .failed(let failure): .failure(failure)
                default: nil
                }
            }
        }
    }
}
