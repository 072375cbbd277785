import Foundation
import LocalAuthentication
import Security
import Testing
import ThumbClient
import ThumbturnSimulator
import thumbturn_test_programs

extension OnDevice {
    /// Groups that one program makes and others want: programs here are bundle identifiers that this process gives itself.
    @Suite("Shared access groups") struct SharedGroupTests {
        private static var shared: Fields { [kSecAttrAccessGroup: "team.shared"] }

        /// Lets the process be another program from its next call on.
        private func become(_ label: String, _ device: SimulatedDevice) {
            // Any context introduces the program as it is; what is said here is said after that.
            _ = LAContext()
            DeviceClient.shared.introduce(as: label)
            device.install()
        }

        /// A device whose owner is asked, with an item that `maker` added to a group it made so.
        private func withShared(
            passcode: String? = "1234", _ body: (SimulatedDevice) async throws -> Void
        ) async rethrows {
            try await withDevice(passcode: passcode) { device in
                defer { DeviceClient.shared.introduce(as: nil) }
                device.asksConsent = true
                become("org.example.maker", device)
                #expect(Item().add(Self.shared) == nil)
                try await body(device)
            }
        }

        @Test("23: a group that nobody made is made by adding to it; before that it isn't in a program's list")
        func made() async {
            await withDevice { device in
                defer { DeviceClient.shared.introduce(as: nil) }
                become("org.example.maker", device)
                #expect(Item().read(Self.shared).failure == errSecMissingEntitlement)
                #expect(Item().update([kSecAttrLabel: "x"], Self.shared) == errSecMissingEntitlement)
                #expect(Item().delete(Self.shared) == errSecMissingEntitlement)
                #expect(Item().add() == nil)
                #expect(Item().update(Self.shared) == errSecMissingEntitlement)
                #expect(Item(account: "two").add(Self.shared) == nil)
                #expect(Item(account: "two").secret(Self.shared) == .ours)
                // What the house notes of it is nobody's item.
                #expect((try? DeviceClient.shared.status().items) == 2)
                device.restart()
                become("org.example.maker", device)
                #expect(device.unlock(with: .passcode("1234")))
                #expect(Item(account: "two").secret(Self.shared) == .ours)
                #expect(Item().update(Self.shared) == nil)
            }
        }

        @Test("24: what a program made is searched when a query names no group")
        func searched() async {
            await withShared { _ in
                #expect(Item().secret() == .ours)
                #expect(Item(account: "own").add() == nil)
                #expect(Item(account: "own").secret(Self.shared) == .refused(errSecItemNotFound))
            }
        }

        @Test("23: another program's group is the owner's to open: asked once, in our words, and kept")
        func allowed() async {
            await withShared { device in
                become("org.example.other", device)
                #expect(Item().secret() == .refused(errSecItemNotFound))
                device.answer(.passcode("1234"))
                #expect(Item().secret(Self.shared) == .ours)
                let reason = device.prompts.last?.reason ?? ""
                // The whole path of either: nobody is called by a name that he gave himself.
                #expect(reason.hasPrefix("let ‘/") && reason.contains("/thumbturnPackageTests.xctest’ use what ‘/"))
                #expect(!reason.contains("org.example") && reason.hasSuffix("in the group ‘team.shared’"))
                #expect(Item().secret() == .ours)
                #expect(Item(account: "two").add(Self.shared) == nil)
                #expect(Item(account: "two").delete(Self.shared) == nil)
                device.restart()
                become("org.example.other", device)
                #expect(device.unlock(with: .passcode("1234")))
                #expect(Item().secret(Self.shared) == .ours)
                #expect(device.prompts.count == 1)
            }
        }

        @Test("23: a refusal is kept too: -34018 for every call, and nobody is asked again")
        func refused() async {
            await withShared { device in
                become("org.example.other", device)
                device.answer(.cancel)
                #expect(Item().add(Self.shared) == errSecMissingEntitlement)
                #expect(Item().read(Self.shared).failure == errSecMissingEntitlement)
                #expect(Item().update([kSecAttrLabel: "x"], Self.shared) == errSecMissingEntitlement)
                #expect(Item().delete(Self.shared) == errSecMissingEntitlement)
                #expect(Item().secret() == .refused(errSecItemNotFound))
                #expect(device.prompts.count == 1)
                become("org.example.maker", device)
                #expect(Item().secret(Self.shared) == .ours)
            }
        }

        @Test("23: where nobody may be asked nothing is decided")
        func silent() async {
            await withShared { device in
                become("org.example.other", device)
                let failing = Self.shared.merging([kSecUseAuthenticationContext: LAContext.silent()]) { $1 }
                #expect(Item().read(failing).failure == errSecInteractionNotAllowed)
                let skipping = Self.shared.merging([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]) { $1 }
                #expect(Item().read(skipping).failure == errSecItemNotFound)
                device.answer(.systemCancel)
                #expect(Item().read(Self.shared).failure == errSecAuthFailed)
                device.answer(.passcode("1234"))
                #expect(Item().secret(Self.shared) == .ours)
            }
        }

        @Test("23: without a passcode and a sensor there is no owner to ask")
        func nobody() async throws {
            try await withDevice(.none, passcode: nil) { device in
                defer { DeviceClient.shared.introduce(as: nil) }
                device.asksConsent = true
                become("org.example.maker", device)
                #expect(Item().add(Self.shared) == nil)
                become("org.example.other", device)
                #expect(Item().read(Self.shared).failure == errSecMissingEntitlement)
                let words = try DeviceClient.shared.apps()
                #expect(words.allSatisfy { $0.verdict == .noted })
                device.setPasscode("1234")
                device.answer(.passcode("1234"))
                #expect(Item().secret(Self.shared) == .ours)
            }
        }

        @Test("23: many calls at once are one question")
        func crowd() async {
            await withShared { device in
                become("org.example.other", device)
                device.answer(.passcode("1234"))
                let found = await withTaskGroup(of: Release.self) { group in
                    for _ in 0..<8 { group.addTask { await onThread { Item().secret(Self.shared) } } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(found == Array(repeating: .ours, count: 8))
                #expect(device.prompts.count == 1)
            }
        }

        @Test("23: an update that moves an item asks about where it goes, and about where it comes from")
        func moved() async {
            await withShared { device in
                become("org.example.other", device)
                #expect(Item(account: "two").add() == nil)
                device.answer(.passcode("1234"))
                #expect(Item(account: "two").update(Self.shared) == nil)
                #expect(Item(account: "two").secret(Self.shared) == .ours)
                #expect(Item().update([kSecAttrAccessGroup: "org.example.other"], Self.shared) == nil)
                become("org.example.maker", device)
                #expect(Item(account: "two").secret() == .ours)
                #expect(Item().secret() == .refused(errSecItemNotFound))
            }
        }

        @Test("23: what a program is called is its group, whoever adds to it first; who was there before is let out")
        func squatted() async {
            await withDevice { device in
                defer { DeviceClient.shared.introduce(as: nil) }
                device.asksConsent = true
                become("org.example.squatter", device)
                let named: Fields = [kSecAttrAccessGroup: "org.example.bank"]
                #expect(Item(account: "bait").add(named) == nil)
                become("org.example.bank", device)
                #expect(Item().add() == nil)
                become("org.example.squatter", device)
                device.answer(.cancel)
                #expect(Item().read(named).failure == errSecMissingEntitlement)
                #expect(Item().secret() == .refused(errSecItemNotFound))
            }
        }

        @Test("23: a program has its own group back with a key too, also with one that it keeps itself")
        func squattedByKey() async {
            await withDevice { device in
                defer { DeviceClient.shared.introduce(as: nil) }
                device.asksConsent = true
                become("org.example.squatter", device)
                let named: Fields = [kSecAttrAccessGroup: "org.example.bank"]
                #expect(Item(account: "bait").add(named) == nil)
                become("org.example.bank", device)
                // Its sealed form opens for whoever has the group.
                let key: Fields = [
                    kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
                    kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs: [kSecAttrIsPermanent: false] as Fields,
                ]
                #expect(SecKeyCreateRandomKey(key as CFDictionary, nil) != nil)
                become("org.example.squatter", device)
                device.answer(.cancel)
                #expect(Item(account: "bait").read(named).failure == errSecMissingEntitlement)
            }
        }

        @Test("23: whom the owner let in while another program had the name isn't let in once its own program has it")
        func guests() async throws {
            try await withDevice { device in
                defer { DeviceClient.shared.introduce(as: nil) }
                device.asksConsent = true
                become("org.example.squatter", device)
                let named: Fields = [kSecAttrAccessGroup: "org.example.bank"]
                #expect(Item(account: "bait").add(named) == nil)
                become("org.example.guest", device)
                device.answer(.passcode("1234"))
                #expect(Item(account: "bait").secret(named) == .ours)
                become("org.example.bank", device)
                #expect(Item().add() == nil)
                become("org.example.guest", device)
                try #require(Item().secret() == .refused(errSecItemNotFound))
                device.answer(.cancel)
                #expect(Item().read(named).failure == errSecMissingEntitlement)
            }
        }

        @Test(
            "23: a program's path is its own, whether it stored anything or not; a protected program's group is never asked about"
        )
        func reserved() async {
            await withDevice { device in
                defer { DeviceClient.shared.introduce(as: nil) }
                device.asksConsent = true
                become("org.example.other", device)
                device.answer(.cancel)
                #expect(Item().add([kSecAttrAccessGroup: "/usr/bin/somebody"]) == errSecMissingEntitlement)
                #expect(device.prompts.last?.reason.contains("somebody") == true)
                device.answer(.cancel)
                #expect(Item().add([kSecAttrAccessGroup: "flatpak:org.example.Vault"]) == errSecMissingEntitlement)
                for name in ["protected:vault", "\u{1}consents", "\u{1}groups", "a\nb", ""] {
                    let group: Fields = [kSecAttrAccessGroup: name]
                    #expect(Item().add(group) == errSecMissingEntitlement, "\(name)")
                    #expect(Item().read(group).failure == errSecMissingEntitlement, "\(name)")
                }
                #expect(device.prompts.count == 2)
            }
        }

        @Test("a bundle identifier that says more than one may is none: the path counts")
        func labels() async {
            await withDevice { device in
                defer { DeviceClient.shared.introduce(as: nil) }
                for label in ["/usr/bin/somebody", "protected:vault", "snap:vault"] {
                    become(label, device)
                    #expect(Item(account: label).add() == nil)
                    let found = Item(account: label).read([kSecReturnData: false, kSecReturnAttributes: true]).result
                    let group = (found as? [String: Any])?[kSecAttrAccessGroup as String] as? String
                    #expect(group?.hasSuffix(".xctest") == true, "\(label)")
                }
            }
        }

        @Test(
            "what is forged: a program that gives itself another's bundle identifier has that one's items, as the threat model says"
        )
        func forged() async {
            await withDevice { device in
                defer { DeviceClient.shared.introduce(as: nil) }
                become("org.example.bank", device)
                #expect(Item().add() == nil)
                become("org.example.other", device)
                #expect(Item().secret() == .refused(errSecItemNotFound))
                become("org.example.bank", device)
                #expect(Item().secret() == .ours)
            }
        }

        @Test("a program makes 64 groups, and no more")
        func many() async {
            await withDevice { device in
                defer { DeviceClient.shared.introduce(as: nil) }
                become("org.example.maker", device)
                for number in 1...64 { #expect(Item().add([kSecAttrAccessGroup: "group.\(number)"]) == nil) }
                #expect(Item().add([kSecAttrAccessGroup: "group.65"]) != nil)
                #expect(Item(account: "two").add([kSecAttrAccessGroup: "group.64"]) == nil)
            }
        }

        @Test("names that look alike are different groups")
        func lookalikes() async {
            await withShared { device in
                #expect(Item(account: "composed").add([kSecAttrAccessGroup: "caf\u{e9}"]) == nil)
                become("org.example.other", device)
                #expect(Item(account: "decomposed").add([kSecAttrAccessGroup: "cafe\u{301}"]) == nil)
                #expect(Item(account: "composed").secret() == .refused(errSecItemNotFound))
                device.answer(.cancel)
                #expect(Item(account: "composed").read([kSecAttrAccessGroup: "caf\u{e9}"]).failure == errSecMissingEntitlement)
            }
        }

        @Test("the owner's word on a group can be listed, changed after the passcode, and forgotten")
        func judged() async throws {
            try await withShared { device in
                become("org.example.other", device)
                device.answer(.cancel)
                #expect(Item().read(Self.shared).failure == errSecMissingEntitlement)
                let words = try DeviceClient.shared.apps().filter { $0.verdict != .noted }
                #expect(words.map(\.wish) == [.group("team.shared")] && words.map(\.verdict) == [.denied])
                device.answer(.passcode("1234"))
                try DeviceClient.shared.judge("org.example.other", .allowed, on: .group("team.shared"))
                #expect(device.prompts.last?.reason == "change which apps may use the group ‘team.shared’")
                #expect(Item().secret() == .ours)
                device.answer(.passcode("1234"))
                try DeviceClient.shared.judge("org.example.other", nil, on: .group("team.shared"))
                #expect(Item().secret() == .refused(errSecItemNotFound))
                device.answer(.passcode("1234"))
                #expect(Item().secret(Self.shared) == .ours)
            }
        }
    }
}
