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

        @Test("89: an item's data and a change of it ask; its attributes, its references and its removal don't", arguments: cases)
        func unasked(rule: Case) async {
            await withDevice { device in
                let silent: Fields = [kSecUseAuthenticationUI: "u_AuthUIF"]
                #expect(Item().add(rule.flags) == nil)
                #expect(Item().exists)
                for way in [[:], silent] {
                    #expect(Item().attributes(way)?[kSecAttrAccount as String] as? String == "one")
                    let reference = Item().read(way.merging([kSecReturnData: false, kSecReturnPersistentRef: true]) { $1 })
                    #expect(reference.failure == nil && reference.result is Data)
                    // A password has no ref that could be opened.
                    #expect(Item().read(way.merging([kSecReturnData: false, kSecReturnRef: true]) { $1 }).failure == nil)
                }
                #expect(device.prompts.isEmpty)

                let change: Fields = [kSecAttrLabel: "changed"]
                #expect(Item().secret(silent) == .refused(errSecInteractionNotAllowed))
                #expect(Item().update(change, silent) == errSecInteractionNotAllowed)
                #expect(device.prompts.isEmpty)
                for _ in 1...2 { device.answer(rule.takesFinger ? .match : .passcode("1234")) }
                #expect(Item().secret() == .ours && device.prompts.count == 1)
                #expect(Item().update(change) == nil && device.prompts.count == 2)

                #expect(Item().delete(silent) == nil)
                #expect(!Item().exists && device.prompts.count == 2)
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

        @Test("92: with skip, what would have to ask is left out, after the rows were chosen; only a search may skip")
        func skip() async {
            await withDevice { device in
                let skip: Fields = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]
                let open = ["first", "second"]
                #expect(Item(account: "guarded").add(.userPresence) == nil)
                for account in open { #expect(Item(account: account).add([kSecValueData: Data(account.utf8)]) == nil) }

                func data(_ limit: Any) -> (status: OSStatus, result: AnyObject?) {
                    let query: Fields = [
                        kSecClass: kSecClassGenericPassword, kSecAttrService: "tests", kSecReturnData: true,
                        kSecMatchLimit: limit,
                    ]
                    var result: AnyObject?
                    return (SecItemCopyMatching(query.merging(skip) { $1 } as CFDictionary, &result), result)
                }
                #expect(data(kSecMatchLimitAll).result as? [Data] == open.map { Data($0.utf8) })
                #expect(data(2).result as? [Data] == [Data("first".utf8)])
                // One row was chosen, and nothing is left of it, though others could have been read.
                #expect(data(kSecMatchLimitOne).status == errSecItemNotFound)
                #expect(Item(account: "guarded").secret(skip) == .refused(errSecItemNotFound))
                // What needn't be opened isn't left out.
                #expect(Item.search(skip) == .accounts(["guarded"] + open))

                #expect(Item(account: "new").add(skip) == errSecParam)
                #expect(Item(account: "first").update([kSecAttrLabel: "x"], skip) == errSecParam)
                #expect(Item(account: "first").delete(skip) == errSecParam)
                #expect(Item.search() == .accounts(["guarded"] + open))
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

        @Test("93: matches come together or not at all: one that can't be opened keeps the others back; each rule asks once")
        func several() async {
            await withDevice { device in
                let rules: [(account: String, flags: SecAccessControlCreateFlags)] = [
                    ("open", []), ("finger", .biometryAny), ("another finger", .biometryAny), ("passcode", .devicePasscode),
                ]
                for (account, flags) in rules {
                    let fields: Fields = [kSecAttrAccessControl: Item.control(flags), kSecValueData: Data(account.utf8)]
                    #expect(Item(account: account).add(fields) == nil)
                }
                func data(_ way: Fields = [:]) -> (status: OSStatus, result: AnyObject?) {
                    let all: Fields = [
                        kSecClass: kSecClassGenericPassword, kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll,
                    ]
                    var result: AnyObject? = NSString(string: Item.untouched)
                    return (SecItemCopyMatching(all.merging(way) { $1 } as CFDictionary, &result), result)
                }
                func isKeptBack(_ found: (status: OSStatus, result: AnyObject?), _ status: OSStatus) -> Bool {
                    found.status == status && found.result as? String == Item.untouched
                }
                #expect(isKeptBack(data([kSecUseAuthenticationUI: "u_AuthUIF"]), errSecInteractionNotAllowed))
                #expect(device.prompts.isEmpty)
                device.answer(.match, .cancel)
                #expect(isKeptBack(data(), errSecUserCanceled))
                device.answer(.noMatch, .noMatch, .noMatch)
                #expect(isKeptBack(data(), errSecAuthFailed))
                #expect(device.prompts.map(\.outcome) == [.success, .cancelled, .failure])

                device.answer(.match, .passcode("1234"))
                #expect(data().result as? [Data] == rules.map { Data($0.account.utf8) })
                #expect(device.prompts.dropFirst(3).map(\.outcome) == [.success, .success])
                #expect(device.prompts.dropFirst(3).map(\.acceptsPasscode) == [false, true])
            }
        }

        @Test("97: the words of the older prompt key are the prompt's, unless the context has words of its own")
        func prompt() async {
            await withDevice { device in
                #expect(Item().add(.userPresence) == nil)
                let key: CFString = "u_OpPrompt"
                let older: Fields = [key: "older words"]
                let (silent, speaking) = (LAContext(), LAContext())
                speaking.localizedReason = "newer words"
                speaking.localizedCancelTitle = "Not now"
                for way in [older, [kSecUseAuthenticationContext: silent], [kSecUseAuthenticationContext: speaking]] {
                    device.answer(.cancel)
                    #expect(Item().secret(older.merging(way) { $1 }) == .refused(errSecUserCanceled))
                }
                device.answer(.cancel)
                #expect(Item().update([kSecAttrLabel: "x"], older) == errSecUserCanceled)
                #expect(device.prompts.map(\.reason) == ["older words", "older words", "newer words", "older words"])
                #expect(device.prompts.map(\.cancelTitle) == [nil, nil, "Not now", nil])
                // Words that aren't a text are a mistake, and nobody is asked.
                #expect(Item().secret([key: 1]) == .refused(errSecParam))
                #expect(device.prompts.count == 4)
            }
        }
    }
}
