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

    /// The middle of the text that Apple's newer systems print. The first two are published dumps of such systems.
    static let descriptions: [(SecAccessControlCreateFlags, String)] = [
        (.userPresence, "od(cpo(DeviceOwnerAuthentication));odel(true);oe(true)"),
        (.privateKeyUsage, "ock(true);odel(true);osgn(true);oa(true);okd(true)"),
        ([], "dacl(true)"),
        (.biometryAny, "od(cbio(pbioc()));odel(true);oe(true)"),
        (.biometryCurrentSet, "od(cbio(pbioc()pbioh()));odel(true);oe(true)"),
        (.devicePasscode, "od(cup(true));odel(true);oe(true)"),
        (.companion, "od(cwtch(true));odel(true);oe(true)"),
        (.applicationPassword, "dacl(true);prp(true)"),
        ([.userPresence, .applicationPassword], "od(cpo(DeviceOwnerAuthentication));odel(true);oe(true);prp(true)"),
        ([.biometryCurrentSet, .or, .devicePasscode], "od(cup(true)pkofn(1)cbio(pbioc()pbioh()));odel(true);oe(true)"),
        ([.biometryAny, .devicePasscode], "od(cup(true)pkofn(2)cbio(pbioc()));odel(true);oe(true)"),
        ([.biometryAny, .and], "od(cbio(pbioc()));odel(true);oe(true)"),
        (
            [.privateKeyUsage, .userPresence],
            "ock(cpo(DeviceOwnerAuthentication));odel(true);osgn(cpo(DeviceOwnerAuthentication));oa(true);"
                + "okd(cpo(DeviceOwnerAuthentication))"
        ),
        ([.userPresence, .strongBiometry], "od(cpo(DeviceOwnerAuthentication));odel(true);oe(true);strongBiometry(true)"),
    ]

    @Test("86: as text it says what each operation needs, in the form of Apple's newer systems", arguments: descriptions)
    func text(_ flags: SecAccessControlCreateFlags, _ middle: String) throws {
        let control = try #require(make(flags, kSecAttrAccessibleWhenUnlockedThisDeviceOnly))
        #expect(String(describing: control) == "<SecAccessControlRef: aku;\(middle)>")
        // This is what programs do.
        let asksForOwner = "\(control)".contains("DeviceOwnerAuthentication")
        #expect(asksForOwner == flags.contains(.userPresence))
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
