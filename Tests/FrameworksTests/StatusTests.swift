import Foundation
import Security
import Testing
import ThumbAccess
import ThumbSecurityAPI

struct StatusTests {
    @Test("every failure has a status that isn't success, and is an error of that code", arguments: KeychainFailure.allCases)
    func status(_ failure: KeychainFailure) {
        #expect(failure.status != errSecSuccess)
        #expect(failure.errorObject.code == Int(failure.status))
    }

    @Test("120: a status as an error says its number and what it means, in Apple's form, and its bare text stands beside it")
    func described() {
        let error = KeychainFailure.parameter.errorObject
        let meaning = "A parameter is missing, has the wrong type, or doesn't go with the others"
        #expect(error.localizedDescription == "The operation couldn’t be completed. (OSStatus error -50 - \(meaning))")
        #expect(CFErrorCopyDescription(error) as String == error.localizedDescription)
        #expect(error.userInfo[kCFErrorDescriptionKey as String] as? String == meaning)
        // A number without words.
        let unnamed = statusError(12345)
        #expect(unnamed.localizedDescription == "The operation couldn’t be completed. (OSStatus error 12345.)")
        #expect(unnamed.userInfo[kCFErrorDescriptionKey as String] == nil)
        for failure in KeychainFailure.allCases {
            let text = failure.errorObject.localizedDescription
            #expect(text.hasPrefix("The operation couldn’t be completed. (OSStatus error \(failure.status) - "), "\(failure)")
            #expect(text.hasSuffix(")") && !text.hasSuffix(".)"), "\(failure)")
        }
    }

    @Test("three failures share a number with another, and no others do")
    func shared() {
        // To an app a keychain that can't be reached can't be written either, what no part here does isn't done, and Apple has one
        // number for bytes that don't open and keys that don't agree.
        let pairs: [Set<KeychainFailure>] = [
            [.storeUnavailable, .deviceUnreachable], [.unsupported, .custodianAbsent], [.damaged, .agreementFailed],
        ]
        let byStatus = Dictionary(grouping: KeychainFailure.allCases, by: \.status)
        #expect(Set(byStatus.values.filter { $0.count > 1 }.map { Set($0) }) == Set(pairs))
    }

    @Test("184: a code with a name has words, another is named by its number; never nil")
    func texts() {
        #expect(SecCopyErrorMessageString(errSecItemNotFound, nil) as String? == "No matching item is in the keychain.")
        #expect(SecCopyErrorMessageString(errSecSuccess, nil) != nil)
        #expect(SecCopyErrorMessageString(-67899, nil) as String? == "The issuer may not issue certificates under this policy.")
        #expect(SecCopyErrorMessageString(12345, nil) as String? == "OSStatus 12345")
        for failure in KeychainFailure.allCases {
            #expect(SecCopyErrorMessageString(failure.status, nil)?.hasPrefix("OSStatus") == false)
        }
    }

    @Test("Every text is a sentence of its own words: it isn't empty, and isn't the name of the code once more")
    func sentences() throws {
        let status = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/Frameworks/SecurityAPI/Status/StatusCodes.tsv")
        let lines = try String(contentsOf: status, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines.count == 386)
        for line in lines {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            let name = fields[0]
            let number = try #require(OSStatus(fields[1]), "\(line)")
            let text = try #require(SecCopyErrorMessageString(number, nil) as String?)
            #expect(text == fields[2])
            #expect(text.contains(" ") && text.hasSuffix(".") && text.first?.isUppercase == true, "\(name): \(text)")
            #expect(Self.letters(text) != Self.letters(name.dropFirst("errSec".count)), "\(text) is only its name")
        }
        #expect(statusTexts.count == Set(lines.map { $0.split(separator: "\t")[1] }).count)
    }

    private static func letters(_ text: some StringProtocol) -> String { text.lowercased().filter(\.isLetter) }

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

    @Test("what the store says has a status of its own: a name that is taken, no writing, no room, and the rest")
    func store() {
        let statuses: [(KeychainFailure, OSStatus)] = [
            (.duplicateItem, -25299), (.readOnly, -25292), (.storeUnavailable, -25291), (.deviceUnreachable, -25291),
            (.damaged, -26275), (.internalFailure, -26276),
        ]
        for (failure, status) in statuses { #expect(failure.status == status) }
    }

    @Test("what else an app hears has Apple's numbers too, and what only its text tells apart has the right text")
    func others() {
        let statuses: [(KeychainFailure, OSStatus)] = [
            (.itemNotFound, -25300), (.parameter, -50), (.noSuchAttribute, -25303), (.noSuchClass, -25306),
            (.authenticationFailed, -25293), (.interactionNotAllowed, -25308), (.userCanceled, -128),
            (.missingEntitlement, -34018), (.unsupported, -4), (.dataTooLarge, -25302), (.outOfMemory, -108),
            (.custodianAbsent, -4), (.custodianLost, -67588), (.custodianLocked, -67727), (.custodianForeign, -67712),
            (.agreementFailed, -26275), (.quotaReached, -67596),
        ]
        for (failure, status) in statuses { #expect(failure.status == status, "\(failure)") }
        let words: [(KeychainFailure, String)] = [
            (.custodianAbsent, "thumbturn allow software-keys"), (.custodianLost, "went away"),
            (.custodianLocked, "refuses for a while"), (.custodianForeign, "another TPM"), (.quotaReached, "make room"),
            (.agreementFailed, "share nothing"),
        ]
        for (failure, text) in words { #expect(failure.errorObject.localizedDescription.contains(text), "\(failure)") }
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
