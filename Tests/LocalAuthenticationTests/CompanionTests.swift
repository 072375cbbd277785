import Foundation
import LocalAuthentication
import Testing
import ThumbSecrets
import ThumbturnSimulator

extension DeviceTests {
    /// What an app sees of a paired companion: policies, items, keys, states.
    @Suite struct CompanionTests {
        @Test("7: the companion policy succeeds by the owner's yes at a companion that is near, and by nothing else")
        func policy() async {
            await withDevice { device in
                device.pairCompanion("laptop")
                #expect(LAContext().preflight(.deviceOwnerAuthenticationWithCompanion) == nil)
                device.answer(.companion(true))
                let context = LAContext()
                #expect(await context.ask(.deviceOwnerAuthenticationWithCompanion) == nil)
                #expect(context.evaluatedPolicyDomainState == nil)
                #expect(device.prompts.map(\.sensor) == [.none] && device.prompts.map(\.acceptsPasscode) == [false])
                #expect(device.companionQuestions == ["a test asks"])
                device.answer(.companion(false))
                #expect(await LAContext().ask(.deviceOwnerAuthenticationWithCompanion) == .userCancel)
                device.answer(.cancel)
                #expect(await LAContext().ask(.deviceOwnerAuthenticationWithCompanion) == .userCancel)
            }
        }

        @Test("7: one that is paired and away is missed; it is found again where it comes back")
        func away() async {
            await withDevice { device in
                device.pairCompanion("laptop")
                device.companionsAreNear = false
                #expect(LAContext().preflight(.deviceOwnerAuthenticationWithCompanion) == .companionNotAvailable)
                #expect(await LAContext().ask(.deviceOwnerAuthenticationWithCompanion) == .companionNotAvailable)
                #expect(device.prompts.isEmpty)
                device.companionsAreNear = true
                #expect(LAContext().preflight(.deviceOwnerAuthenticationWithCompanion) == nil)
            }
        }

        @Test("7: one that goes away, or is removed, while it is asked ends the evaluation, and takes nothing from the sensor")
        func goesAway() async {
            await withDevice { device in
                device.pairCompanion("laptop")
                device.answer(.nothing)
                let alone = Pending(LAContext(), .deviceOwnerAuthenticationWithCompanion)
                settle()
                device.companionsAreNear = false
                #expect(await alone.code == .companionNotAvailable)

                device.companionsAreNear = true
                device.answer(.nothing)
                let either = Pending(LAContext(), .deviceOwnerAuthenticationWithBiometricsOrCompanion)
                settle()
                #expect(device.removeCompanion("laptop"))
                device.answer(.match)
                #expect(await either.code == nil)
            }
        }

        @Test("13: biometry or companion takes either, and one that is missing leaves the other")
        func either() async {
            let policy = LAPolicy.deviceOwnerAuthenticationWithBiometricsOrCompanion
            await withDevice { device in
                device.pairCompanion("laptop")
                device.answer(.match)
                #expect(await LAContext().ask(policy) == nil)
                device.answer(.companion(true))
                #expect(await LAContext().ask(policy) == nil)
                // A no there leaves the finger here.
                device.answer(.companion(false), .match)
                #expect(await LAContext().ask(policy) == nil)
                // Misses here leave the companion.
                device.answer(.noMatch, .noMatch, .noMatch, .companion(true))
                #expect(await LAContext().ask(policy) == nil)
                device.companionsAreNear = false
                device.answer(.match)
                #expect(await LAContext().ask(policy) == nil)
            }
            await withDevice(.none) { device in
                device.pairCompanion("laptop")
                #expect(LAContext().preflight(policy) == nil)
                device.answer(.companion(true))
                #expect(await LAContext().ask(policy) == nil)
            }
        }

        @Test("after a restart a companion counts for nothing until the passcode was given, as the sensor")
        func restart() async {
            await withDevice { device in
                device.pairCompanion("laptop")
                device.restart()
                #expect(LAContext().preflight(.deviceOwnerAuthenticationWithCompanion) == .companionNotAvailable)
                device.answer(.passcode("1234"))
                #expect(await LAContext().ask(.deviceOwnerAuthentication) == nil)
                #expect(LAContext().preflight(.deviceOwnerAuthenticationWithCompanion) == nil)
            }
        }

        @Test("an item under .companion is released by its yes, one with .or by either, one with .and by both")
        func items() async {
            await withDevice { device in
                device.pairCompanion("laptop")
                #expect(Item.add(.companion) == errSecSuccess)
                device.answer(.companion(true))
                #expect(Item.read().secret == Item.secret)
                device.answer(.companion(false))
                #expect(Item.read().status == errSecUserCanceled)
                device.companionsAreNear = false
                #expect(Item.read().status == errSecAuthFailed)
            }
            await withDevice { device in
                device.pairCompanion("laptop")
                #expect(Item.add([.biometryAny, .or, .companion]) == errSecSuccess)
                device.answer(.match)
                #expect(Item.read().secret == Item.secret)
                device.answer(.companion(true))
                #expect(Item.read().secret == Item.secret)
            }
            await withDevice { device in
                device.pairCompanion("laptop")
                #expect(Item.add([.devicePasscode, .and, .companion]) == errSecSuccess)
                device.answer(.passcode("1234"), .companion(true))
                #expect(Item.read().secret == Item.secret)
                // The passcode alone does nothing.
                device.answer(.passcode("1234"), .companion(false))
                #expect(Item.read().status == errSecUserCanceled)
            }
        }

        @Test("a yes that a context has earned counts until the session is locked, and no longer than the pairing")
        func context() async {
            await withDevice { device in
                device.pairCompanion("laptop")
                device.pairCompanion("phone")
                #expect(Item.add(.companion) == errSecSuccess)
                let context = LAContext()
                device.answer(.companion(true))
                #expect(await context.ask(.deviceOwnerAuthenticationWithCompanion) == nil)
                #expect(Item.read(context).secret == Item.secret)
                #expect(device.prompts.count == 1)
                // Whichever of them said it.
                #expect(device.removeCompanion("phone"))
                context.interactionNotAllowed = true
                #expect(Item.read(context).status == errSecInteractionNotAllowed)
                context.interactionNotAllowed = false
                device.answer(.companion(true))
                #expect(Item.read(context).secret == Item.secret)
                device.lock()
                device.unlock(with: .passcode("1234"))
                device.answer(.companion(true))
                #expect(Item.read(context).secret == Item.secret)
                #expect(device.prompts.count == 3)
            }
        }

        @Test("62, 87: pairings have a hash that changes with them; a companion is a computer, listed near or not")
        func states() async {
            await withDevice { device in
                let none = LAContext().domainState
                #expect(none.companion.stateHash == nil && LAEnvironment.currentUser.state.companions.isEmpty)
                device.pairCompanion("laptop")
                let one = LAContext().domainState
                let hash = one.companion.stateHash
                #expect(hash != nil && one.companion.availableCompanionTypes == [.mac])
                #expect(one.companion.stateHash(for: .mac) == hash && one.companion.stateHash(for: .watch) == nil)
                #expect(one.stateHash != one.biometry.stateHash && one.stateHash != hash && one.biometry.stateHash != nil)
                let listed = LAEnvironment.currentUser.state
                #expect(listed.companions.map(\.type) == [.mac] && listed.companions[0].isUsable)
                #expect(listed.companions[0].stateHash == hash && listed.allMechanisms.count == 3)
                device.companionsAreNear = false
                let away = LAEnvironment.currentUser.state
                #expect(away.companions.map(\.isUsable) == [false] && away != listed)
                #expect(LAContext().domainState.companion.stateHash == hash)
                device.removeCompanion("laptop")
                device.pairCompanion("laptop")
                #expect(LAContext().domainState.companion.stateHash != hash)
                device.setPasscode(nil)
                #expect(LAContext().domainState.companion.stateHash == nil)
            }
        }

        @Test("62, 87: two apps see two hashes of one pairing, and each sees its own again")
        func perApp() async {
            await withDevice { device in
                device.pairCompanion("laptop")
                var seen: [String: [Data?]] = [:]
                for app in ["one", "other", "one", "other"] {
                    device.accessGroups = [app]
                    device.install()
                    let hash = LAContext().domainState.companion.stateHash
                    seen[app, default: []].append(hash)
                    #expect(LAEnvironment.currentUser.state.companions.map(\.stateHash) == [hash])
                }
                for (app, hashes) in seen {
                    #expect(hashes.count == 2 && Set(hashes).count == 1 && !hashes.contains(nil), "\(app)")
                }
                #expect(Set(seen.values.joined()).count == 2)
            }
        }
    }
}
