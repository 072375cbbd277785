import Testing
import ThumbAccess
import ThumbKeychain

@testable import ThumbStorage

@Suite struct ClassKeyTests {
    @Test("until the passcode is given, items are found and listed, but only device-class secrets open")
    func locked() throws {
        let scratch = try Scratch()
        let rules: [(String, Accessibility)] = [
            ("device", .always), ("first", .whenUnlocked), ("passcode", .whenPasscodeSetThisDeviceOnly),
        ]
        do {
            let store = try scratch.open()
            let stretch = try Stretch(cost: .least)
            try store.keybag.setPasscode(key: stretch.stretch(secret("1234")), PasscodeWay(stretch))
            for (account, accessibility) in rules {
                try store.items.insert(item(account, rule: AccessRule(accessibility)), secret: secret(account))
            }
        }
        let store = try scratch.open()
        let items = store.items
        #expect(items.isOpen(.device) && !items.isOpen(.firstUnlock) && !items.isOpen(.passcode))
        #expect(try store.accounts == ["device", "first", "passcode"])
        #expect(try items.text(of: try #require(try items.find(account: "device"))) == "device")
        for account in ["first", "passcode"] {
            let found = try #require(try items.find(account: account))
            #expect(throws: KeychainFailure.interactionNotAllowed) { try items.secret(of: found) }
        }
        #expect(throws: KeychainFailure.interactionNotAllowed) { try items.insert(item("new"), secret: secret("s")) }
        #expect(try items.verify().untried == 2)
        let stretch = try #require(store.keybag.passcodeWay?.stretch)
        #expect(try store.keybag.openPasscodeSlot(key: stretch.stretch(secret("1234"))))
        for (account, _) in rules {
            #expect(try items.text(of: try #require(try items.find(account: account))) == account)
        }
        store.keybag.dropKeys()
        let first = try #require(try items.find(account: "first"))
        #expect(throws: KeychainFailure.interactionNotAllowed) { try items.secret(of: first) }
    }

    @Test("without a passcode nothing can be put under the passcode class")
    func noPasscode() throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        let rule = AccessRule(.whenPasscodeSetThisDeviceOnly)
        for value in [try secret("s"), nil] {
            let made = try item("a", rule: rule)
            #expect(throws: KeychainFailure.interactionNotAllowed) { try store.items.insert(made, secret: value) }
        }
        #expect(try store.accounts == [])
    }
}
