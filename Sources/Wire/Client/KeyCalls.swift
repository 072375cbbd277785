public import ThumbAccess
import ThumbConversation

// Private keys: blocking, on the caller's thread.
extension DeviceClient {
    /// Has the device make a key in the part that will hold it. The private half never comes here.
    ///
    /// Fails with `.custodianAbsent` for an enclave key if nothing can hold it, with `.parameter` for a kind that can't be held so, and
    /// otherwise as `add` does.
    public func makeKey(_ new: NewKey) throws(KeychainFailure) -> KeyRecord { try call(MakeKey(new)) }

    /// Puts a key into the keychain that the app has kept in its sealed form. Fails with `.parameter` unless this device sealed it.
    public func keepKey(detached: [UInt8], _ attributes: Attributes) throws(KeychainFailure) -> KeyRecord {
        try call(KeepKey(detached, attributes))
    }

    /// The public part of a key in its sealed form. Fails with `.parameter` unless this device sealed it.
    public func readKey(detached: [UInt8]) throws(KeychainFailure) -> KeyRecord { try call(ReadKey(detached)) }

    /// Uses a private key once. Blocks while the owner is asked, if the key's rule demands it.
    public func use(_ use: KeyUse) throws(KeychainFailure) -> KeyProduct {
        do throws(KeyUseFailure) {
            return try perform(use)
        } catch {
            throw error.keychainFailure
        }
    }

    /// Uses a private key once, as `use` does, but also reports how asking the owner ended.
    public func perform(_ use: KeyUse) throws(KeyUseFailure) -> KeyProduct { try call(UseKey(use)) }

    /// Signs a statement with a sign-in key. It blocks while the owner is asked, which happens every time.
    ///
    /// Fails with `.parameter` for words that can't stand in a statement, and with `.unsupported` for a key that isn't for signing in.
    public func sign(_ statement: StatementUse) throws(KeyUseFailure) -> KeyProduct { try call(SignStatement(statement)) }
}
