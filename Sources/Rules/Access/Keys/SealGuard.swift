/// What a secret in a TPM is guarded by, besides the TPM itself.
public enum SealGuard: UInt8, Sendable, Hashable, CaseIterable {
    /// An authorization that is in the same file: whoever has the file and the TPM has the secret.
    case file = 0
    /// An authorization that somebody could guess: the TPM counts wrong ones, and after some of them it waits.
    case guesses = 1
    /// How this machine was started: firmware that trusts other keys than now gets nothing. On a machine that doesn't measure its start,
    /// this guards as `file` does.
    case start = 2
}
