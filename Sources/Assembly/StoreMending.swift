import ThumbCustody
public import ThumbSecrets
import ThumbStorage

/// Repairs a store that doesn't open any more, while nobody serves it.
public enum StoreMending {
    /// Opens the store with its recovery code, for the machine's present TPM or for none. Returns false if the code is wrong.
    ///
    /// Fails as opening does; the files are then left as they are.
    public static func recover(state: String, tpm: TPMSetting, code: SecretBytes) throws(AssemblyError) -> Bool {
        do throws(StorageError) {
            return try Store.recover(in: StateFolder(path: state), code: code, chip: tpm.chip) != nil
        } catch {
            throw AssemblyError(error)
        }
    }

    /// Goes on with what is left, because its owner said so: without what is missing, or with an old copy.
    ///
    /// Fails as opening does for every other reason.
    public static func acceptLosses(state: String, tpm: TPMSetting) throws(AssemblyError) {
        do throws(StorageError) {
            _ = try Store(in: StateFolder(path: state), chip: tpm.chip, acceptingLosses: true)
        } catch {
            throw AssemblyError(error)
        }
    }
}
