import Foundation
import LocalAuthentication
import Security
import Testing
import ThumbturnSimulator
import thumbturn_test_programs
import thumbturn_test_support

extension OnDevice {
    @Suite("What outlives what") struct LifetimeTests {
        @Test("104: another enrolled finger makes a current-set item unreachable for good, and no other")
        func enrolment() async {
            await withDevice { device in
                #expect(Item().add(.biometryCurrentSet) == nil)
                #expect(Item(account: "any").add(.biometryAny) == nil)
                device.enroll("stranger")
                #expect(Item().secret() == .refused(errSecItemNotFound))
                device.removeEnrolment("stranger")
                #expect(Item().secret() == .refused(errSecItemNotFound))
                #expect(device.prompts.isEmpty)
                device.answer(.match)
                #expect(Item(account: "any").secret() == .ours)
            }
        }

        @Test("104: without any finger a current-set item is refused, and nothing is concluded from that")
        func noneEnrolled() async {
            await withDevice { device in
                #expect(Item().add(.biometryCurrentSet) == nil)
                device.removeEnrolment("me")
                #expect(Item().secret() == .refused(errSecAuthFailed))
                #expect(device.prompts.isEmpty && Item().exists)
            }
        }

        @Test("101: what only a sensor opens can't be made where none is ready, what a passcode opens can")
        func noSensor() async {
            await withDevice(.touchID, enrolled: []) { _ in
                #expect(Item().add(.biometryAny) == errSecAuthFailed)
                #expect(Item().add(.biometryCurrentSet) == errSecAuthFailed)
                #expect(Item().add([.biometryAny, .and, .devicePasscode]) == errSecAuthFailed)
                #expect(!Item().exists)
                #expect(Item().add(.userPresence) == nil)
                #expect(Item(account: "either").add([.biometryAny, .or, .devicePasscode]) == nil)
            }
        }

        @Test("102, 103: what only the passcode opens can't be made without one, and dies with it")
        func passcodeRemoved() async {
            await withDevice { device in
                #expect(Item().add([kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly]) == nil)
                #expect(Item(account: "other").add() == nil)
                #expect(Item().secret() == .ours)
                device.setPasscode(nil)
                #expect(Item().secret() == .refused(errSecItemNotFound))
                #expect(Item().add([kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly]) == errSecAuthFailed)
                device.setPasscode("5678")
                #expect(Item().secret() == .refused(errSecItemNotFound))
                #expect(Item(account: "other").secret() == .ours)
            }
        }

        @Test("a changed passcode opens what the old one did, and the old one nothing")
        func passcodeChanged() async {
            await withDevice(.none, enrolled: []) { device in
                #expect(Item().add(.devicePasscode, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly) == nil)
                device.setPasscode("5678")
                device.restart()
                #expect(!device.unlock(with: .passcode("1234")))
                #expect(device.unlock(with: .passcode("5678")))
                device.answer(.passcode("5678"))
                #expect(Item().secret() == .ours)
            }
        }

        @Test("everything acknowledged is there after a restart, secret and attributes, and what was removed isn't")
        func restart() async {
            await withDevice { device in
                let accounts = (0..<40).map { "account \($0)" }
                for account in accounts {
                    #expect(Item(account: account).add([kSecValueData: Data(account.utf8), kSecAttrLabel: account]) == nil)
                }
                #expect(Item(account: accounts[0]).delete() == nil)
                #expect(Item(account: accounts[1]).update([kSecValueData: Data("changed".utf8)]) == nil)
                device.restart()
                #expect(device.unlock(with: .passcode("1234")))
                #expect(Item(account: accounts[0]).secret() == .refused(errSecItemNotFound))
                #expect(Item(account: accounts[1]).secret() == .released(Data("changed".utf8)))
                for account in accounts.dropFirst(2) {
                    #expect(Item(account: account).secret([kSecAttrLabel: account]) == .released(Data(account.utf8)))
                }
            }
        }

        @Test("107: before the first unlock after a restart, and while locked, an item is shut as its class says")
        func classes() async {
            await withDevice { device in
                let classes: [(name: String, accessible: CFString)] = [
                    ("unlocked", kSecAttrAccessibleWhenUnlocked), ("first", kSecAttrAccessibleAfterFirstUnlock),
                    ("passcode", kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly),
                ]
                for (name, accessible) in classes {
                    #expect(Item(account: name).add([kSecAttrAccessible: accessible]) == nil)
                }
                device.restart()
                for (name, _) in classes { #expect(Item(account: name).secret() == .refused(errSecInteractionNotAllowed)) }
                #expect(device.unlock(with: .passcode("1234")))
                for (name, _) in classes { #expect(Item(account: name).secret() == .ours) }
                device.lock()
                #expect(Item(account: "unlocked").secret() == .refused(errSecInteractionNotAllowed))
                #expect(Item(account: "passcode").secret() == .refused(errSecInteractionNotAllowed))
                #expect(Item(account: "first").secret() == .ours)
                #expect(Item(account: "new").add() == errSecInteractionNotAllowed)
            }
        }
    }

    @Suite("Many callers at once") struct CrowdTests {
        /// Four for each thread that Swift's own pool has.
        private static let callers = 4 * ProcessInfo.processInfo.activeProcessorCount

        @Test("110: callers that block every thread of the pool are all answered")
        func pool() async {
            await withDevice { device in
                #expect(Item().add(.userPresence) == nil)
                device.approveEverything()
                let released = await withTaskGroup(of: Release.self) { group in
                    for _ in 0..<Self.callers { group.addTask { Item().secret() } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(released == Array(repeating: .ours, count: Self.callers))
                #expect(device.prompts.count == Self.callers)
            }
        }

        @Test("110: callers blocked at one prompt wait their turn, and each is answered by its own")
        func waiting() async {
            await withDevice { device in
                #expect(Item().add(.userPresence) == nil)
                device.answer(.nothing)
                await withTaskGroup(of: Release.self) { group in
                    for _ in 0..<Self.callers { group.addTask { await onThread { Item().secret() } } }
                    // Once the first is up nobody is answered until the owner moves.
                    await eventually("the first prompt is up") { !device.prompts.isEmpty }
                    #expect(device.prompts.first?.outcome == nil)
                    device.answerAlways(.match)
                    for await release in group { #expect(release == .ours) }
                }
                #expect(device.prompts.count == Self.callers)
            }
        }

        @Test("writers at once lose nothing: every added item is there, and of one account only one")
        func writers() async {
            await withDevice { _ in
                let added = await withTaskGroup(of: OSStatus?.self) { group in
                    for number in 0..<60 { group.addTask { Item(account: "\(number % 30)").add() } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(added.count { $0 == nil } == 30 && added.count { $0 == errSecDuplicateItem } == 30)
                for number in 0..<30 { #expect(Item(account: "\(number)").secret() == .ours) }
            }
        }
    }
}
