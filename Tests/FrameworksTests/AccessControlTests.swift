import Foundation
import Security
import Testing
import ThumbAccess

/// Which access controls can be made and what they mean (behaviours 77 to 88).
struct AccessControlTests {
    func make(_ flags: SecAccessControlCreateFlags, _ protection: CFTypeRef = kSecAttrAccessibleWhenUnlocked) -> SecAccessControl?
    {
        SecAccessControlCreateWithFlags(kCFAllocatorDefault, protection, flags, nil)
    }

    @Test("77: the protection is one of seven strings", arguments: ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"])
    func protections(_ code: String) { #expect(make([], code as CFString)?.rule.accessibility.code == code) }

    @Test("77: any other protection is nil and -50")
    func wrongProtection() {
        for wrong in ["" as CFString, "zz" as CFString, NSNumber(value: 1), NSData()] as [CFTypeRef] {
            var error: Unmanaged<CFError>?
            #expect(SecAccessControlCreateWithFlags(nil, wrong, .userPresence, &error) == nil)
            #expect(error?.takeRetainedValue().code == Int(errSecParam))
        }
    }

    static let excluded: [SecAccessControlCreateFlags] = [
        [.or, .and], [.biometryAny, .biometryCurrentSet], [.userPresence, .biometryAny], [.userPresence, .biometryCurrentSet],
        [.userPresence, .devicePasscode], [.userPresence, .companion], [.userPresence, .or], [.userPresence, .and],
        SecAccessControlCreateFlags(rawValue: 1 << 2), SecAccessControlCreateFlags(rawValue: 1 << 40),
    ]

    @Test("78: flags that exclude each other, or aren't known, are nil and -50", arguments: excluded)
    func exclusions(_ flags: SecAccessControlCreateFlags) { #expect(make(flags) == nil) }

    static let allowed: [SecAccessControlCreateFlags] = [
        [], .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .privateKeyUsage, .applicationPassword,
        [.userPresence, .applicationPassword], [.userPresence, .privateKeyUsage], [.biometryAny, .devicePasscode],
        [.biometryAny, .or, .devicePasscode], [.biometryCurrentSet, .and, .devicePasscode], [.biometryAny, .or],
        [.privateKeyUsage, .biometryCurrentSet],
    ]

    @Test("78, 80: the rest can be made, an operator without two constraints too", arguments: allowed)
    func combinations(_ flags: SecAccessControlCreateFlags) {
        #expect(make(flags)?.rule.constraints.rawValue == UInt64(flags.rawValue))
    }

    @Test("79: several constraints are all needed, with `or` one")
    func operators() {
        #expect(make([.biometryAny, .devicePasscode])?.rule.demands == [[.biometry, .passcode]])
        #expect(make([.biometryAny, .and, .devicePasscode])?.rule.demands == [[.biometry, .passcode]])
        #expect(Set(make([.biometryAny, .or, .devicePasscode])?.rule.demands ?? []) == [[.biometry], [.passcode]])
        #expect(Set(make(.userPresence)?.rule.demands ?? []) == [[.biometry], [.passcode]])
    }

    @Test("86: access controls with the same meaning are equal, and hash so")
    func equality() throws {
        let one = try #require(make([.biometryAny, .or, .devicePasscode]))
        let same = try #require(make([.devicePasscode, .biometryAny, .or]))
        let other = try #require(make(.biometryAny))
        #expect(one == same && one.hash == same.hash && one != other)
        #expect(Set([one, same, other]).count == 2)
        #expect(make([], kSecAttrAccessibleAfterFirstUnlock) != make([]))
        let dictionary: [String: AnyHashable] = ["accc": one]
        #expect(dictionary["accc"] == AnyHashable(same))
    }

    @Test("87: an application password asks nobody")
    func applicationPassword() { #expect(make(.applicationPassword)?.rule.asksForOwner == false) }

    @Test("88: no flags are a plain accessibility")
    func empty() { #expect(make([])?.rule == AccessRule(.whenUnlocked)) }

    @Test("the older names are the same bits")
    @available(*, deprecated)
    func olderNames() {
        #expect(SecAccessControlCreateFlags.touchIDAny == .biometryAny)
        #expect(SecAccessControlCreateFlags.touchIDCurrentSet == .biometryCurrentSet)
        #expect(SecAccessControlCreateFlags.watch == .companion)
    }
}
