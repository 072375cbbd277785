import Foundation
package import ThumbAccess

// The only place where our failures become Apple's numbers.

/// What Apple's calls return for an internal failure. Its headers have no name for it.
private let unnamedFailure: OSStatus = -26276

extension KeychainFailure {
    /// The status that a C-shaped call returns for this failure.
    package var status: OSStatus {
        switch self {
        case .duplicateItem: errSecDuplicateItem
        case .itemNotFound: errSecItemNotFound
        case .parameter: errSecParam
        case .noSuchAttribute: errSecNoSuchAttr
        case .noSuchClass: errSecNoSuchClass
        case .authenticationFailed: errSecAuthFailed
        case .interactionNotAllowed: errSecInteractionNotAllowed
        case .userCanceled: errSecUserCanceled
        case .missingEntitlement: errSecMissingEntitlement
        case .unsupported: errSecUnimplemented
        case .storeUnavailable, .deviceUnreachable: errSecNotAvailable
        case .readOnly: errSecReadOnly
        case .dataTooLarge: errSecDataTooLarge
        case .damaged: errSecDecode
        case .internalFailure: unnamedFailure
        case .outOfMemory: errSecAllocate
        case .custodianAbsent: errSecUnimplemented
        case .custodianLost: errSecDeviceFailed
        case .custodianLocked: errSecDeviceError
        case .custodianForeign: errSecInvalidKeyRef
        case .agreementFailed: errSecDecode
        case .quotaReached: errSecQuotaExceeded
        }
    }

    /// What the failure means, if its status also stands for something else; nil if the status says enough.
    var text: String? {
        switch self {
        case .custodianAbsent:
            "There is no TPM here that could hold the key. `thumbturn allow software-keys` lets software hold such keys."
        case .custodianLost: "The TPM went away in the middle. The key is still what it was: try again."
        case .custodianLocked: "The TPM refuses for a while, after too many wrong passcodes. Try again later."
        case .custodianForeign: "This key was made by another TPM, and only that one can use it."
        case .quotaReached:
            "This user's keychain holds as many items, or bytes, as it may. What is there stays; remove something to make room."
        case .agreementFailed: "The two keys share nothing."
        default: nil
        }
    }

    /// The failure as an error object, for calls that return a `CFError`.
    package var errorObject: CFError { statusError(status, text) }
}
