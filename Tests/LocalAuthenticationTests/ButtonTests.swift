import LocalAuthentication
import Testing
import ThumbturnSimulator

extension DeviceTests {
    /// The buttons of a prompt: which stand there, when, and what they do.
    @Suite struct ButtonTests {
        @Test("40: a fallback title of nil is the default, of nothing hides the button, any other is shown")
        func fallbackTitle() async {
            await withDevice { device in
                for title in [nil, "", "Use the vault's password"] {
                    device.answer(.noMatch, .cancel)
                    let context = LAContext()
                    context.localizedFallbackTitle = title
                    #expect(await context.ask() == .userCancel)
                }
                #expect(device.prompts.map(\.fallbackTitle) == [nil, "", "Use the vault's password"])
                #expect(device.prompts.map(\.offeredFallback) == [true, false, true])
            }
        }

        @Test("41: cancel is there under any title, and always ends the call as the owner's cancel", arguments: [nil, "", "No"])
        func cancelTitle(_ title: String?) async {
            await withDevice { device in
                device.answer(.cancel, .cancel)
                let context = LAContext()
                context.localizedCancelTitle = title
                #expect(await context.ask() == .userCancel)
                #expect(await context.ask(.deviceOwnerAuthentication) == .userCancel)
                #expect(device.prompts.map(\.cancelTitle) == [title, title])
            }
        }

        @Test("42: a finger's fallback button comes with the first miss, a face's with the second")
        func fallbackAfterMiss() async {
            for (sensor, misses) in [(SimulatedDevice.Biometry.touchID, 1), (.faceID, 2)] {
                for missed in 0...misses {
                    await withDevice(sensor) { device in
                        for _ in 0..<missed { device.answer(.noMatch) }
                        device.answer(.cancel)
                        #expect(await LAContext().ask() == .userCancel)
                        #expect(device.prompts.first?.offeredFallback == (missed == misses))
                        #expect(device.prompts.first?.misses == missed)
                    }
                }
            }
        }

        @Test("43: fallback ends biometrics only, and is the passcode within the same call under the owner's policy")
        func fallback() async {
            await withDevice { device in
                device.answer(.noMatch, .fallback)
                #expect(await LAContext().ask() == .userFallback)
                device.answer(.noMatch, .fallback, .passcode("1234"))
                #expect(await LAContext().ask(.deviceOwnerAuthentication) == nil)
                #expect(device.prompts.count == 2)
            }
        }

        @Test("44: with the fallback hidden the owner's passcode still comes when the sensor is done")
        func hiddenUnderOwner() async {
            await withDevice { device in
                device.answer(.noMatch, .noMatch, .noMatch, .passcode("1234"))
                let context = LAContext()
                context.localizedFallbackTitle = ""
                #expect(await context.ask(.deviceOwnerAuthentication) == nil)
                #expect(device.prompts.first?.acceptsPasscode == false && device.prompts.first?.offeredFallback == false)
            }
        }

        @Test("44: a face that missed twice where the fallback is hidden has failed")
        func hiddenForFace() async {
            await withDevice(.faceID) { device in
                device.answer(.noMatch, .noMatch)
                let context = LAContext()
                context.localizedFallbackTitle = ""
                #expect(await context.ask() == .authenticationFailed)
            }
        }

        @Test("45: a face's prompt can be cancelled from the beginning: a terminal has no prompt without a way out")
        func cancelFace() async {
            await withDevice(.faceID) { device in
                device.answer(.cancel)
                #expect(await LAContext().ask() == .userCancel)
                #expect(device.prompts.first?.misses == 0)
            }
        }
    }
}
