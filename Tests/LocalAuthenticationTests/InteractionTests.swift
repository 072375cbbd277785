import LocalAuthentication
import Testing
import ThumbturnSimulator

extension DeviceTests {
    /// Contexts that may not ask, and what contexts carry to other calls.
    @Suite struct InteractionTests {
        @Test("30, 63: what would have to ask and may not is refused through the reply, and in the keychain by a status")
        func notAllowed() async {
            await withDevice { device in
                #expect(Item.add(.userPresence) == errSecSuccess)
                let context = LAContext()
                context.interactionNotAllowed = true
                for policy in [LAPolicy.deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthentication] {
                    #expect(await context.ask(policy) == .notInteractive)
                }
                #expect(Item.read(context).status == errSecInteractionNotAllowed)
                #expect(device.prompts.isEmpty)
            }
        }

        @Test("64: a context that succeeded and may no longer ask still succeeds, in the keychain too")
        func afterSuccess() async {
            await withDevice { device in
                #expect(Item.add(.biometryAny) == errSecSuccess)
                device.answer(.match)
                let context = LAContext()
                #expect(await context.ask() == nil)
                context.interactionNotAllowed = true
                #expect(Item.read(context).secret == Item.secret)
                #expect(await context.ask() == nil)
                #expect(device.prompts.count == 1)
            }
        }

        @Test("65: a preflight doesn't mind that asking isn't allowed")
        func preflight() async {
            await withDevice { _ in
                let context = LAContext()
                context.interactionNotAllowed = true
                #expect(context.preflight() == nil && context.preflight(.deviceOwnerAuthentication) == nil)
            }
        }

        @Test(
            "66, 67, 68: a credential is kept, seen and taken back, each type by itself; taking back what isn't there is true",
            arguments: [LACredentialType.applicationPassword, .smartCardPIN])
        func credentials(_ type: LACredentialType) async {
            await withDevice { _ in
                let context = LAContext()
                #expect(!context.isCredentialSet(type))
                #expect(context.setCredential(nil, type: type))
                #expect(context.setCredential(Data("secret".utf8), type: type))
                let other: LACredentialType = type == .smartCardPIN ? .applicationPassword : .smartCardPIN
                #expect(context.isCredentialSet(type) && !context.isCredentialSet(other))
                #expect(!LAContext().isCredentialSet(type))
                #expect(context.setCredential(nil, type: type) && !context.isCredentialSet(type))
            }
        }

        @Test("67: an application password must be there when the item is added and when it is read; nobody is asked for it")
        func applicationPassword() async {
            await withDevice { device in
                #expect(Item.add(.applicationPassword) == errSecAuthFailed)
                let right = LAContext(), wrong = LAContext()
                right.setCredential(Data("right".utf8), type: .applicationPassword)
                wrong.setCredential(Data("wrong".utf8), type: .applicationPassword)
                #expect(Item.add(.applicationPassword, right) == errSecSuccess)
                #expect(Item.read().status == errSecAuthFailed && Item.read(wrong).status == errSecAuthFailed)
                #expect(Item.read(right).secret == Item.secret)
                #expect(device.prompts.isEmpty)
            }
        }

        @Test("66: a credential is gone with its context's validity")
        func credentialsEnd() async {
            await withDevice { _ in
                let context = LAContext()
                #expect(context.setCredential(Data("secret".utf8), type: .applicationPassword))
                context.invalidate()
                #expect(!context.isCredentialSet(.applicationPassword))
            }
        }

        static let operations: [LAAccessControlOperation] = [
            .createItem, .useItem, .createKey, .useKeySign, .useKeyDecrypt, .useKeyKeyExchange,
        ]

        @Test("69: an access control is evaluated for every operation, by what its flags demand", arguments: operations)
        func accessControl(_ operation: LAAccessControlOperation) async throws {
            try await withDevice { device in
                device.answer(.match, .passcode("1234"), .match, .passcode("1234"), .match)
                try await LAContext().evaluateAccessControl(
                    Item.control(.biometryCurrentSet), operation: operation, localizedReason: "r")
                try await LAContext().evaluateAccessControl(
                    Item.control(.devicePasscode), operation: operation, localizedReason: "r")
                try await LAContext().evaluateAccessControl(
                    Item.control([.biometryAny, .and, .devicePasscode]), operation: operation, localizedReason: "r")
                try await LAContext().evaluateAccessControl(
                    Item.control(.userPresence), operation: operation, localizedReason: "r")
                try await LAContext().evaluateAccessControl(Item.control([]), operation: operation, localizedReason: "r")
                #expect(device.prompts.map(\.sensor) == [.touchID, .none, .touchID, .touchID])
            }
        }

        @Test("69: what an evaluated access control has shown is good for the item, for any operation, without a prompt")
        func accessControlThenItem() async throws {
            try await withDevice { device in
                #expect(Item.add(.biometryCurrentSet) == errSecSuccess)
                device.answer(.match)
                let context = LAContext()
                try await context.evaluateAccessControl(
                    Item.control(.biometryCurrentSet), operation: .useKeySign, localizedReason: "r")
                context.interactionNotAllowed = true
                #expect(Item.read(context).secret == Item.secret)
                #expect(device.prompts.count == 1)
            }
        }

        @Test("69: an access control that can't be satisfied fails as a policy does, and shows nothing")
        func accessControlFails() async {
            await withDevice(enrolled: []) { device in
                do {
                    try await LAContext().evaluateAccessControl(
                        Item.control(.biometryAny), operation: .useItem, localizedReason: "r")
                    Issue.record("nothing is enrolled")
                } catch {
                    #expect((error as? LAError)?.code == .biometryNotEnrolled)
                }
                #expect(device.prompts.isEmpty)
            }
        }

        @Test("70: the keychain answers with a status, never with an LAError's number")
        func statuses() async {
            await withDevice { device in
                #expect(Item.add(.biometryAny) == errSecSuccess)
                device.answer(.cancel, .noMatch, .noMatch, .noMatch)
                #expect(Item.read().status == errSecUserCanceled)
                #expect(Item.read().status == errSecAuthFailed)
            }
        }
    }
}
