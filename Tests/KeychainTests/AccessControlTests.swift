import Foundation
import LocalAuthentication
import Security
import Testing
import ThumbturnSimulator

extension OnDevice {
    @Suite("Secrets under an access control") struct AccessControlTests {
        struct Case: Sendable, CustomTestStringConvertible {
            let flags: SecAccessControlCreateFlags
            let testDescription: String
            /// What the owner can show for it.
            let takesFinger: Bool
            let takesPasscode: Bool
        }

        static let cases = [
            Case(flags: .biometryCurrentSet, testDescription: "biometryCurrentSet", takesFinger: true, takesPasscode: false),
            Case(flags: .biometryAny, testDescription: "biometryAny", takesFinger: true, takesPasscode: false),
            Case(flags: .userPresence, testDescription: "userPresence", takesFinger: true, takesPasscode: true),
            Case(flags: .devicePasscode, testDescription: "devicePasscode", takesFinger: false, takesPasscode: true),
        ]

        @Test("the owner's finger or passcode releases the secret, each where the rule takes it", arguments: cases)
        func owner(rule: Case) async {
            await withDevice { device in
                #expect(Item().add(rule.flags) == nil)
                if rule.takesFinger {
                    device.answer(.match)
                    #expect(Item().secret() == .ours)
                }
                if rule.takesPasscode {
                    if rule.takesFinger { device.answer(.noMatch, .fallback) }
                    device.answer(.passcode("1234"))
                    #expect(Item().secret() == .ours)
                }
                #expect(device.prompts.allSatisfy { $0.outcome == .success })
            }
        }

        @Test(
            "109: a stranger's finger releases nothing, and after some tries the call fails",
            arguments: cases.filter(\.takesFinger))
        func stranger(rule: Case) async {
            await withDevice { device in
                #expect(Item().add(rule.flags) == nil)
                device.answer(.noMatch, .noMatch, .noMatch)
                if rule.takesPasscode { device.answer(.cancel) }
                #expect(Item().secret() == .refused(rule.takesPasscode ? errSecUserCanceled : errSecAuthFailed))
                #expect(Item().exists)
                device.answer(.match)
                #expect(Item().secret() == .ours)
            }
        }

        @Test("a wrong passcode releases nothing, and the right one after it does", arguments: cases.filter(\.takesPasscode))
        func wrongPasscode(rule: Case) async {
            await withDevice(.none, enrolled: []) { device in
                #expect(Item().add(rule.flags) == nil)
                device.answer(.passcode("9999"), .passcode("1234"))
                #expect(Item().secret() == .ours)
                device.answer(.passcode("9999"), .cancel)
                #expect(Item().secret() == .refused(errSecUserCanceled))
            }
        }

        @Test("109: cancelling is told apart from failing", arguments: cases)
        func cancelled(rule: Case) async {
            await withDevice { device in
                #expect(Item().add(rule.flags) == nil)
                device.answer(.cancel)
                #expect(Item().secret() == .refused(errSecUserCanceled))
                device.answer(.systemCancel)
                #expect(Item().secret() == .refused(errSecAuthFailed))
            }
        }

        @Test("58, 86: a found item's access control says as text what the owner must show, and of a plain item only its class")
        func text() async throws {
            try await withDevice { _ in
                func shown(_ account: String) throws -> String {
                    let found = Item(account: account).read([kSecReturnData: false, kSecReturnAttributes: true])
                    let attributes = try #require(found.result as? [String: Any])
                    return String(describing: try #require(attributes[kSecAttrAccessControl as String]))
                }
                #expect(Item(account: "guarded").add(.userPresence, kSecAttrAccessibleWhenUnlockedThisDeviceOnly) == nil)
                #expect(Item(account: "plain").add([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]) == nil)
                let (guarded, plain) = (try shown("guarded"), try shown("plain"))
                #expect(guarded == "<SecAccessControlRef: aku;od(cpo(DeviceOwnerAuthentication));odel(true);oe(true)>")
                #expect(plain == "<SecAccessControlRef: ck>")
            }
        }

        @Test("89: attributes, references and existence are found without asking", arguments: cases)
        func unasked(rule: Case) async {
            await withDevice { device in
                #expect(Item().add(rule.flags) == nil)
                #expect(Item().exists)
                #expect(Item().read([kSecReturnData: false, kSecReturnAttributes: true]).failure == nil)
                #expect(Item().read([kSecReturnData: false, kSecReturnPersistentRef: true]).failure == nil)
                #expect(device.prompts.isEmpty)
            }
        }

        @Test("91: where nobody may be asked the call says so, in each of the three ways", arguments: cases)
        func interactionNotAllowed(rule: Case) async {
            await withDevice { device in
                #expect(Item().add(rule.flags) == nil)
                let ways: [Fields] = [
                    [kSecUseAuthenticationContext: LAContext.silent()], [kSecUseAuthenticationUI: "u_AuthUIF"],
                    ["u_NoAuthUI" as CFString: true],
                ]
                for way in ways { #expect(Item().secret(way) == .refused(errSecInteractionNotAllowed)) }
                #expect(device.prompts.isEmpty)
            }
        }

        @Test("92: with skip, what would have to ask is left out")
        func skip() async {
            await withDevice { device in
                #expect(Item().add(.userPresence) == nil)
                #expect(Item(account: "open").add() == nil)
                let all: Fields = [
                    kSecClass: kSecClassGenericPassword, kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll,
                    kSecUseAuthenticationUI: kSecUseAuthenticationUISkip,
                ]
                var result: AnyObject?
                #expect(SecItemCopyMatching(all as CFDictionary, &result) == errSecSuccess)
                #expect((result as? [Data])?.count == 1)
                #expect(Item().secret([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]) == .refused(errSecItemNotFound))
                #expect(device.prompts.isEmpty)
            }
        }

        @Test("94: an evaluated context releases without a second question, for as many calls as use it")
        func context() async {
            await withDevice { device in
                #expect(Item().add(.biometryAny) == nil)
                #expect(Item(account: "two").add(.userPresence) == nil)
                let context = LAContext()
                context.localizedReason = "open both"
                device.answer(.match)
                #expect(Item().secret([kSecUseAuthenticationContext: context]) == .ours)
                #expect(Item(account: "two").secret([kSecUseAuthenticationContext: context]) == .ours)
                #expect(device.prompts.map(\.reason) == ["open both"])
                // Another context has earned nothing.
                device.answer(.cancel)
                #expect(Item().secret([kSecUseAuthenticationContext: LAContext()]) == .refused(errSecUserCanceled))
            }
        }

        @Test("95: an evaluated policy counts for the items it covers, and for no others")
        func policy() async throws {
            try await withDevice { device in
                #expect(Item().add(.biometryCurrentSet) == nil)
                #expect(Item(account: "passcode").add(.devicePasscode) == nil)
                let context = LAContext()
                device.answer(.match)
                try await context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "r")
                #expect(Item().secret([kSecUseAuthenticationContext: context]) == .ours)
                context.interactionNotAllowed = true
                #expect(
                    Item(account: "passcode").secret([kSecUseAuthenticationContext: context])
                        == .refused(errSecInteractionNotAllowed))
                #expect(device.prompts.count == 1)
            }
        }

        @Test("96: an invalidated context opens nothing, not even what needs no owner")
        func invalidated() async {
            await withDevice { device in
                #expect(Item().add(.userPresence) == nil)
                #expect(Item(account: "open").add() == nil)
                let context = LAContext()
                context.invalidate()
                #expect(Item().secret([kSecUseAuthenticationContext: context]) == .refused(errSecAuthFailed))
                #expect(Item(account: "open").secret([kSecUseAuthenticationContext: context]) == .refused(errSecAuthFailed))
                #expect(device.prompts.isEmpty)
            }
        }

        @Test("66: an update of a protected item asks, and a refusal changes nothing")
        func update() async {
            await withDevice { device in
                #expect(Item().add(.userPresence) == nil)
                device.answer(.cancel)
                #expect(Item().update([kSecValueData: Data("new".utf8)]) == errSecUserCanceled)
                device.answer(.match, .match)
                #expect(Item().update([kSecAttrLabel: "renamed"]) == nil)
                #expect(Item().secret() == .ours)
            }
        }

        @Test("93: items under several rules are authorised one after the other, and come together")
        func several() async {
            await withDevice { device in
                #expect(Item().add(.biometryAny) == nil)
                #expect(Item(account: "two").add(.devicePasscode) == nil)
                let all: Fields = [
                    kSecClass: kSecClassGenericPassword, kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll,
                ]
                device.answer(.match, .passcode("1234"))
                var result: AnyObject?
                #expect(SecItemCopyMatching(all as CFDictionary, &result) == errSecSuccess)
                #expect(result as? [Data] == [Item.secret, Item.secret])
            }
        }
    }
}
