import ThumbCustody
public import ThumbSecrets
import ThumbStorage

/// What is done to a store that doesn't open any more, while nobody serves it.
public enum StoreMending {
    /// Opens the store with its recovery code, for the TPM that there is now or for none; false if it is another code.
    ///
    /// Fails as opening does; the files are then left as they are.
    public static func recover(state: String, tpm: TPMSetting, code: SecretBytes) throws(AssemblyError) -> Bool {
        do throws(StorageError) {
            return try Store.recover(in: StateFolder(path: state), code: code, chip: tpm.chip) != nil
        } catch {
            throw AssemblyError(error)
        }
    }

    /// Goes on with what there is, by its owner's word: without what is missing, or with an old copy.
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
