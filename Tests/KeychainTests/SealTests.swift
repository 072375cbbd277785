import Foundation
import LocalAuthentication
import Security
import Testing
import ThumbturnSimulator

extension OnDevice {
    /// What the device's own state opens and shuts, and how a refusal is called.
    @Suite("Classes and endings") struct SealTests {
        @Test(
            "107: each class is open when it says so, and items can be made and changed then",
            arguments: ["ak", "aku", "akpu", "ck", "cku", "dk", "dku"])
        func classes(name: String) async {
            let whileLocked = !["ak", "aku", "akpu"].contains(name)
            let beforeFirstUnlock = ["dk", "dku"].contains(name)
            await withDevice { device in
                let rule: Fields = [kSecAttrAccessible: name]
                func check(_ isOpen: Bool, _ state: String) {
                    let shut = Release.refused(errSecInteractionNotAllowed)
                    let place: Comment = "\(name) while \(state)"
                    #expect(Item().secret() == (isOpen ? .ours : shut), place)
                    #expect(Item().update([kSecAttrLabel: state]) == (isOpen ? nil : errSecInteractionNotAllowed), place)
                    let added = Item(account: state).add(rule)
                    #expect(added == (isOpen ? nil : errSecInteractionNotAllowed), place)
                }
                #expect(Item().add(rule) == nil)
                check(true, "unlocked")
                device.lock()
                check(whileLocked, "locked")
                #expect(device.unlock(with: .passcode("1234")))
                check(true, "unlocked again")
                device.restart()
                check(beforeFirstUnlock, "restarted")
            }
        }

        @Test(
            "90: attributes are sealed apart from the secret: they are read while the secret's key is away",
            arguments: ["ak", "ck", "akpu"])
        func apart(name: String) async throws {
            try await withDevice { device in
                #expect(Item().add([kSecAttrAccessible: name, kSecAttrLabel: "label"]) == nil)
                #expect(Item(account: "guarded").add(.biometryCurrentSet, name as CFString, [kSecAttrLabel: "label"]) == nil)
                device.restart()
                for item in [Item(), Item(account: "guarded")] {
                    let wanted: Fields = [kSecReturnData: false, kSecReturnAttributes: true]
                    let found = try #require(item.read(wanted).result as? [String: Any])
                    #expect(found[kSecAttrLabel as String] as? String == "label")
                    #expect(item.secret() != .ours)
                }
                #expect(device.prompts.isEmpty)
            }
        }

        @Test("108: attributes are read while locked, though the secret isn't")
        func whileLocked() async {
            await withDevice { device in
                #expect(Item().add([kSecAttrLabel: "label"]) == nil)
                device.lock()
                #expect(Item().read([kSecReturnData: false, kSecReturnAttributes: true]).failure == nil)
                #expect(Item().secret() == .refused(errSecInteractionNotAllowed))
            }
        }

        @Test("82: an item under a private key's rule could never be read, so it is refused")
        func privateKeyUsage() async {
            await withDevice { _ in
                #expect(Item().add(.privateKeyUsage) == errSecAuthFailed)
                #expect(Item().add([.privateKeyUsage, .biometryAny]) == errSecAuthFailed)
                let key: Fields = [kSecClass: kSecClassKey, kSecAttrService: "tests"]
                #expect(Item().add(key) == errSecNoSuchAttr)
                #expect(!Item().exists)
            }
        }

        @Test("98: of all endings only a cancel, a wrong parameter and silence have a status of their own")
        func endings() async {
            await withDevice { device in
                #expect(Item().add(.biometryAny) == nil)
                device.answer(.cancel)
                #expect(Item().secret() == .refused(errSecUserCanceled))
                #expect(
                    Item().secret([kSecUseAuthenticationContext: LAContext.silent()]) == .refused(errSecInteractionNotAllowed))
                #expect(Item().secret([kSecUseAuthenticationContext: "me"]) == .refused(errSecParam))
                // All others: the system's cancel, the fallback, misses, a lockout, nothing enrolled, no passcode.
                device.answer(.systemCancel)
                #expect(Item().secret() == .refused(errSecAuthFailed))
                device.answer(.noMatch, .fallback)
                #expect(Item().secret() == .refused(errSecAuthFailed))
                device.answer(.noMatch, .noMatch, .noMatch)
                #expect(Item().secret() == .refused(errSecAuthFailed))
                device.answer(.noMatch)
                #expect(Item().secret() == .refused(errSecAuthFailed), "the fifth miss")
                #expect(Item().secret() == .refused(errSecAuthFailed), "a lockout")
                #expect(device.unlock(with: .passcode("1234")))
                device.removeEnrolment("me")
                #expect(Item().secret() == .refused(errSecAuthFailed))
                device.enroll("me")
                device.setPasscode(nil)
                #expect(Item().secret() == .refused(errSecAuthFailed))
                device.setPasscode("1234")
                device.answer(.match)
                #expect(Item().secret() == .ours)
            }
        }
    }
}
