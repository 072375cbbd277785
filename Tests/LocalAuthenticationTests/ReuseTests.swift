import LocalAuthentication
import Testing
import ThumbturnSimulator

extension DeviceTests {
    /// What a success is good for afterwards.
    @Suite struct ReuseTests {
        @Test("31: a context that has succeeded succeeds again without a prompt; a new one asks")
        func sameInstance() async {
            await withDevice { device in
                device.answer(.match)
                let context = LAContext()
                for _ in 1...3 { #expect(await context.ask() == nil) }
                #expect(device.prompts.count == 1)
                device.answer(.cancel)
                #expect(await LAContext().ask() == .userCancel)
            }
        }

        @Test("31: a failure isn't remembered: the context asks again")
        func failureIsForgotten() async {
            await withDevice { device in
                let context = LAContext()
                device.answer(.cancel, .match)
                #expect(await context.ask() == .userCancel)
                #expect(await context.ask() == nil)
            }
        }

        @Test("32: an authenticated context opens keychain items without a prompt; another is authenticated by the prompt")
        func keychain() async {
            await withDevice { device in
                #expect(Item.add(.biometryAny) == errSecSuccess)
                device.answer(.match)
                let context = LAContext()
                #expect(await context.ask() == nil)
                #expect(Item.read(context).secret == Item.secret)
                #expect(device.prompts.count == 1)
                device.answer(.match)
                let other = LAContext()
                #expect(Item.read(other).secret == Item.secret)
                #expect(Item.read(other).secret == Item.secret)
                #expect(await other.ask() == nil)
                #expect(device.prompts.count == 2)
            }
        }

        @Test("33: a success doesn't grow old; locking the session ends it, and the context can be asked again")
        func untilLock() async {
            await withDevice { device in
                device.answer(.match)
                let context = LAContext()
                #expect(await context.ask() == nil)
                device.advance(by: 86_400)
                #expect(await context.ask() == nil)
                device.lock()
                device.unlock(with: .biometry)
                device.answer(.cancel)
                #expect(await context.ask() == .userCancel)
            }
        }

        @Test("33: a success by biometry ends with the enrolment it was made under")
        func untilEnrolment() async {
            await withDevice { device in
                device.answer(.match)
                let context = LAContext()
                #expect(await context.ask() == nil)
                device.enroll("another")
                device.answer(.cancel)
                #expect(await context.ask() == .userCancel)
            }
        }

        @Test("34: biometry satisfies the owner's policy; a passcode doesn't satisfy biometrics only")
        func acrossPolicies() async {
            await withDevice { device in
                device.answer(.match)
                let finger = LAContext()
                #expect(await finger.ask() == nil)
                #expect(await finger.ask(.deviceOwnerAuthentication) == nil)
                device.answer(.passcode("1234"), .cancel)
                let passcode = LAContext()
                #expect(await passcode.ask(.deviceOwnerAuthentication) == nil)
                #expect(await passcode.ask(.deviceOwnerAuthentication) == nil)
                #expect(await passcode.ask() == .userCancel)
                #expect(device.prompts.count == 3)
            }
        }

        @Test("35: by default an unlock counts for nothing, and neither does what another context has shown")
        func noReuse() async {
            await withDevice { device in
                #expect(LAContext().touchIDAuthenticationAllowableReuseDuration == 0)
                device.answer(.match)
                #expect(await LAContext().ask() == nil)
                device.lock()
                #expect(device.unlock(with: .biometry))
                device.answer(.cancel)
                #expect(await LAContext().ask() == .userCancel)
            }
        }

        @Test("35: with a reuse time, an unlock by passcode and an app's own success still count for nothing")
        func notReused() async {
            await withDevice { device in
                device.answer(.match, .cancel)
                #expect(await LAContext().ask() == nil)
                let context = LAContext()
                context.touchIDAuthenticationAllowableReuseDuration = 300
                #expect(await context.ask() == .userCancel)
                device.lock()
                #expect(device.unlock(with: .passcode("1234")))
                device.answer(.cancel)
                #expect(await context.ask() == .userCancel)
            }
        }

        @Test("36: a reuse time is kept as it was set, though no more than five minutes count")
        func reuseTime() {
            let context = LAContext()
            context.touchIDAuthenticationAllowableReuseDuration = 10_000
            #expect(context.touchIDAuthenticationAllowableReuseDuration == 10_000)
            #expect(LATouchIDAuthenticationMaximumAllowableReuseDuration == 300)
        }

        @Test("39: a program that was started anew shares nothing, whatever its reuse time")
        func acrossRuns() async {
            await withDevice { device in
                func run() async -> Code? {
                    let context = LAContext()
                    context.touchIDAuthenticationAllowableReuseDuration = 300
                    return await context.ask()
                }
                device.answer(.match, .match)
                #expect(await run() == nil)
                // To the device a new run is a new connection with new contexts, which is what a reinstalled device gets.
                device.install()
                #expect(await run() == nil)
                #expect(device.prompts.count == 2)
            }
        }

        @Test(
            "37, 39: an unlock by face or finger counts for apps that allow it, for so long and no longer",
            arguments: [
                SimulatedDevice.Biometry.touchID, .faceID,
            ])
        func unlockCounts(_ sensor: SimulatedDevice.Biometry) async {
            await withDevice(sensor) { device in
                let patient = LAContext(), hasty = LAContext()
                patient.touchIDAuthenticationAllowableReuseDuration = 10_000
                hasty.touchIDAuthenticationAllowableReuseDuration = 60
                device.lock()
                #expect(device.unlock(with: .biometry))
                device.advance(by: 60)
                #expect(await hasty.ask() == nil)
                device.advance(by: 240)
                #expect(await patient.ask() == nil && patient.evaluatedPolicyDomainState != nil)
                #expect(device.prompts.isEmpty)
                device.advance(by: 1)
                device.answer(.cancel, .cancel)
                #expect(await hasty.ask() == .userCancel)
                #expect(await patient.ask() == .userCancel)
            }
        }

        @Test("38: an unlock counts in the keychain whatever context the item was added with")
        func unlockOpensItem() async {
            await withDevice { device in
                #expect(Item.add(.biometryAny) == errSecSuccess)
                device.lock()
                #expect(device.unlock(with: .biometry))
                let context = LAContext()
                context.touchIDAuthenticationAllowableReuseDuration = 60
                #expect(Item.read(context).secret == Item.secret)
                #expect(device.prompts.isEmpty)
            }
        }
    }
}
