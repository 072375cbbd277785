import LocalAuthentication
import Testing
import ThumbturnSimulator

extension DeviceTests {
    /// Where the owner is, and whether they see what a touch is for.
    @Suite struct SeatTests {
        @Test(
            "where nobody is seated, preflight and evaluation have no sensor, its kind stays, and the passcode is taken",
            arguments: CapabilityTests.sensors.prefix(2))
        func notSeated(_ sensor: SimulatedDevice.Biometry, _ type: LABiometryType) async {
            await withDevice(sensor) { device in
                #expect(device.isSeated && LAContext().preflight() == nil)
                device.isSeated = false
                let context = LAContext()
                #expect(context.preflight() == .biometryNotAvailable && context.biometryType == type)
                #expect(await context.ask() == .biometryNotAvailable)
                #expect(device.prompts.isEmpty)
                #expect(context.preflight(.deviceOwnerAuthentication) == nil && context.biometryType == type)
                device.answer(.passcode("1234"))
                #expect(await context.ask(.deviceOwnerAuthentication) == nil)
                #expect(device.prompts.count == 1)
                // Back at the machine there is the sensor again, on the same context.
                device.isSeated = true
                device.answer(.match)
                #expect(LAContext().preflight() == nil)
                #expect(await LAContext().ask() == nil)
            }
        }

        @Test("where nobody is seated and no passcode is set, the owner's policy lacks the passcode")
        func nothingLeft() async {
            await withDevice(passcode: nil) { device in
                device.isSeated = false
                #expect(LAContext().preflight(.deviceOwnerAuthentication) == .passcodeNotSet)
                #expect(await LAContext().ask(.deviceOwnerAuthentication) == .passcodeNotSet)
                #expect(await LAContext().ask() == .biometryNotAvailable)
            }
        }

        @Test("a seat is kept over a restart of the device")
        func restart() async {
            await withDevice { device in
                device.isSeated = false
                device.restart()
                #expect(!device.isSeated && LAContext().preflight() == .biometryNotAvailable)
            }
        }

        @Test("a person who leaves while the sensor listens is noticed within a second, and no touch counts from then on")
        func getsUp() async {
            await withDevice { device in
                device.answer(.nothing)
                let context = LAContext()
                let left = Pending(context)
                settle()
                device.isSeated = false
                device.advance(by: 1)
                #expect(await left.code == .systemCancel)

                device.isSeated = true
                device.answer(.nothing)
                let touched = Pending(context)
                settle()
                device.isSeated = false
                device.answer(.match)
                #expect(await touched.code == .systemCancel)
            }
        }

        @Test("a touch under a prompt that nobody sees says nothing, and one under the same prompt on the screen does")
        func unseen() async {
            await withDevice { device in
                #expect(device.promptsAreVisible)
                device.promptsAreVisible = false
                device.answer(.noMatch, .match)
                let context = LAContext()
                let pending = Pending(context)
                while device.unusedAnswers > 0, pending.count == 0 { settle() }
                #expect(pending.count == 0 && device.prompts.map(\.outcome) == [nil])
                device.promptsAreVisible = true
                settle()
                #expect(pending.count == 0 && device.prompts.map(\.outcome) == [nil])
                device.answer(.match)
                #expect(await pending.code == nil)
                #expect(device.prompts.map(\.outcome) == [.success])
            }
        }

        @Test("what is typed waits until the prompt is on the screen; a system cancel doesn't")
        func unseenPasscode() async {
            await withDevice { device in
                device.promptsAreVisible = false
                device.answer(.passcode("1234"))
                let context = LAContext()
                let pending = Pending(context, .deviceOwnerAuthentication)
                settle()
                settle()
                #expect(pending.count == 0 && device.unusedAnswers == 1)
                device.promptsAreVisible = true
                #expect(await pending.code == nil)

                device.promptsAreVisible = false
                device.answer(.systemCancel)
                #expect(await LAContext().ask() == .systemCancel)
            }
        }

        @Test("a prompt that never comes to the screen ends by itself, as every other does")
        func neverSeen() async {
            await withDevice { device in
                device.promptsAreVisible = false
                let context = LAContext()
                let pending = Pending(context)
                settle()
                device.advance(by: 30)
                #expect(await pending.code == .systemCancel)
            }
        }
    }
}
