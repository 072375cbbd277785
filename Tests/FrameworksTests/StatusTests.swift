import Foundation
import Security
import Testing
import ThumbAccess

struct StatusTests {
    @Test("every failure has a status that isn't success, and reads back", arguments: KeychainFailure.allCases)
    func roundTrip(_ failure: KeychainFailure) {
        #expect(failure.status != errSecSuccess)
        // Three share a number with another: to an app a keychain that can't be reached can't be written either, what no part here
        // does isn't done, and Apple has one number for bytes that don't open and keys that don't agree.
        let expected: KeychainFailure =
            switch failure {
            case .deviceUnreachable: .storeUnavailable
            case .custodianAbsent: .unsupported
            case .agreementFailed: .damaged
            default: failure
            }
        #expect(KeychainFailure(status: failure.status) == expected)
        #expect(failure.errorObject.code == Int(failure.status))
    }

    @Test("184: a code with a name has words, another is named by its number; never nil")
    func texts() {
        #expect(SecCopyErrorMessageString(errSecItemNotFound, nil) as String? == "No matching item is in the keychain.")
        #expect(SecCopyErrorMessageString(errSecSuccess, nil) != nil)
        #expect(SecCopyErrorMessageString(-67899, nil) as String? == "Certificate policy not allowed.")
        #expect(SecCopyErrorMessageString(12345, nil) as String? == "OSStatus 12345")
        for failure in KeychainFailure.allCases {
            #expect(SecCopyErrorMessageString(failure.status, nil)?.hasPrefix("OSStatus") == false)
        }
    }

    @Test("185: random bytes: 0 on success, no bytes are enough, a negative count isn't")
    func random() {
        var first = [UInt8](repeating: 0, count: 32)
        var second = first
        #expect(SecRandomCopyBytes(kSecRandomDefault, first.count, &first) == errSecSuccess)
        #expect(SecRandomCopyBytes(nil, second.count, &second) == 0)
        #expect(first != second)
        #expect(first.contains { $0 != 0 })
        #expect(SecRandomCopyBytes(kSecRandomDefault, 0, &first) == errSecSuccess)
        #expect(SecRandomCopyBytes(kSecRandomDefault, -1, &first) == errSecParam)
    }

    @Test("186: what the store says has a status of its own: a name that is taken, no writing, no room, and the rest")
    func store() {
        let statuses: [(KeychainFailure, OSStatus)] = [
            (.duplicateItem, -25299), (.readOnly, -25292), (.storeUnavailable, -25291), (.deviceUnreachable, -25291),
            (.damaged, -26275), (.internalFailure, -26276),
        ]
        for (failure, status) in statuses { #expect(failure.status == status) }
    }

    @Test("numbers and strings are Apple's")
    func values() {
        #expect(errSecDuplicateItem == -25299)
        #expect(errSecMissingEntitlement == -34018)
        #expect(errSecUserCanceled == -128)
        #expect(noErr == 0)
        #expect(kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly == "akpu")
        #expect(kSecUseDataProtectionKeychain == "nleg")
        #expect(kSecAttrProtocolHTTPS == "htps")
        #expect(kSecAttrKeyTypeECSECPrimeRandom == "73")
        #expect(kSecAttrTokenIDSecureEnclave == "com.apple.setoken")
    }
}
