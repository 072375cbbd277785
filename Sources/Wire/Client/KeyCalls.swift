public import ThumbAccess
import ThumbConversation

// Private keys: blocking, on the caller's thread.
extension DeviceClient {
    /// Has a key made where it is to be held; its private half never comes here.
    ///
    /// `.custodianAbsent` for an enclave key where nothing can hold it, `.parameter` for a kind that isn't held so, and else as `add`.
    public func makeKey(_ new: NewKey) throws(KeychainFailure) -> KeyRecord { try call(MakeKey(new)) }

    /// Puts a key into the keychain that its maker has had in its sealed form; `.parameter` unless this device sealed it.
    public func keepKey(detached: [UInt8], _ attributes: Attributes) throws(KeychainFailure) -> KeyRecord {
        try call(KeepKey(detached, attributes))
    }

    /// What is public of a key in its sealed form; `.parameter` unless this device sealed it.
    public func readKey(detached: [UInt8]) throws(KeychainFailure) -> KeyRecord { try call(ReadKey(detached)) }

    /// Uses a private key once; blocks while the owner is asked, where its rule demands it.
    public func use(_ use: KeyUse) throws(KeychainFailure) -> KeyProduct {
        do throws(KeyUseFailure) {
            return try perform(use)
        } catch {
            throw error.keychainFailure
        }
    }

    /// Uses a private key once, as `use` does, and tells how asking the owner ended.
    public func perform(_ use: KeyUse) throws(KeyUseFailure) -> KeyProduct { try call(UseKey(use)) }

    /// Signs a statement with a sign-in key; blocks while the owner is asked, which is each time.
    ///
    /// `.parameter` for words that can't stand in a statement, `.unsupported` for a key that isn't for signing in.
    public func sign(_ statement: StatementUse) throws(KeyUseFailure) -> KeyProduct { try call(SignStatement(statement)) }
}
