import LocalAuthentication
import Testing
import ThumbClient
import ThumbturnSimulator

extension DeviceTests {
    /// Misses: what they end, what they lock, and what makes them good again.
    @Suite struct LockoutTests {
        @Test("46: the third miss of a finger ends its call as failed")
        func thirdMiss() async {
            await withDevice { device in
                device.answer(.noMatch, .noMatch, .noMatch)
                #expect(await LAContext().ask() == .authenticationFailed)
                #expect(device.prompts.first?.misses == 3)
            }
        }

        @Test("47: after two misses of a face the owner picks the fallback or cancel, and the camera looks no more")
        func faceMisses() async {
            for (choice, code) in [(SimulatedDevice.Answer.fallback, Code.userFallback), (.cancel, .userCancel)] {
                await withDevice(.faceID) { device in
                    device.answer(.noMatch, .noMatch, choice)
                    #expect(await LAContext().ask() == code)
                    #expect(device.prompts.first?.misses == 2)
                }
            }
        }

        @Test("48: five misses in a row lock biometry: three in one call and two in another, whatever app they are in")
        func fiveMisses() async {
            await withDevice { device in
                device.answer(.noMatch, .noMatch, .noMatch)
                #expect(await LAContext().ask() == .authenticationFailed)
                #expect(LAContext().preflight() == nil)
                // To the device a new connection is another program.
                device.install()
                device.answer(.noMatch, .noMatch)
                #expect(await LAContext().ask() == .biometryLockout)
                #expect(LAContext().preflight() == .biometryLockout)
                #expect(LAContext().biometryType == .touchID)
            }
        }

        @Test("48: a lockout outlives a restart, and no time ends it")
        func lockoutStays() async throws {
            try await withDevice { device in
                await device.lockBiometry()
                device.advance(by: 365 * 86_400)
                #expect(LAContext().preflight() == .biometryLockout)
                device.restart()
                // After a restart biometry waits for the passcode anyway: the count is what tells.
                let isLocked = try DeviceClient.shared.status().isBiometryLocked
                #expect(isLocked)
                #expect(LAContext().preflight() == .biometryLockout)
            }
        }

        @Test("49: the fifth miss is a lockout at once for a finger; a face's second of its call still leaves the choice")
        func fifthMiss() async {
            await withDevice { device in
                device.answer(.noMatch, .noMatch, .noMatch)
                _ = await LAContext().ask()
                device.answer(.noMatch, .noMatch)
                #expect(await LAContext().ask() == .biometryLockout)
            }
            await withDevice(.faceID) { device in
                device.answer(.noMatch, .cancel)
                _ = await LAContext().ask()
                device.answer(.noMatch, .noMatch, .cancel)
                _ = await LAContext().ask()
                device.answer(.noMatch, .noMatch, .fallback)
                #expect(await LAContext().ask() == .userFallback)
                #expect(LAContext().preflight() == .biometryLockout)
            }
        }

        @Test("50: while locked, biometrics only is refused in preflight and evaluation, and shows nothing")
        func whileLocked() async {
            await withDevice { device in
                await device.lockBiometry()
                let before = device.prompts.count
                #expect(LAContext().preflight() == .biometryLockout)
                #expect(await LAContext().ask() == .biometryLockout)
                #expect(device.prompts.count == before)
            }
        }

        @Test("51: while locked, the owner's policy goes straight to the passcode, and its success ends the lockout")
        func ownerWhileLocked() async {
            await withDevice { device in
                await device.lockBiometry()
                #expect(LAContext().preflight(.deviceOwnerAuthentication) == nil)
                device.answer(.passcode("1234"), .match)
                #expect(await LAContext().ask(.deviceOwnerAuthentication) == nil)
                #expect(
                    device.prompts.last?.sensor == SimulatedDevice.Biometry.none && device.prompts.last?.acceptsPasscode == true)
                #expect(LAContext().preflight() == nil)
                #expect(await LAContext().ask() == nil)
            }
        }

        @Test("52: the passcode at the lock screen ends a lockout; a wrong one, biometry and a new finger don't")
        func onlyPasscode() async {
            await withDevice { device in
                await device.lockBiometry()
                device.lock()
                #expect(!device.unlock(with: .biometry))
                #expect(!device.unlock(with: .passcode("0000")))
                device.enroll("another")
                #expect(LAContext().preflight() == .biometryLockout)
                #expect(device.unlock(with: .passcode("1234")))
                #expect(LAContext().preflight() == nil)
            }
        }

        @Test("53: a match begins the count anew")
        func matchResets() async {
            await withDevice { device in
                for _ in 1...3 {
                    device.answer(.noMatch, .noMatch, .match)
                    #expect(await LAContext().ask() == nil)
                }
                device.answer(.noMatch, .noMatch, .noMatch)
                #expect(await LAContext().ask() == .authenticationFailed)
                #expect(LAContext().preflight() == nil)
            }
        }

        @Test("54: a prompt that is cancelled, by whomever, is no miss")
        func cancelIsNoMiss() async {
            await withDevice { device in
                for _ in 1...3 {
                    device.answer(.cancel, .systemCancel)
                    #expect(await LAContext().ask() == .userCancel)
                    #expect(await LAContext().ask() == .systemCancel)
                }
                #expect(LAContext().preflight() == nil)
                device.answer(.noMatch, .noMatch, .match)
                #expect(await LAContext().ask() == nil)
            }
        }

        @available(*, deprecated, message: "It tests what is deprecated.")
        @Test("55: the old limit of failures is kept and changes nothing: three a call, five in all")
        func deadLimit() async {
            await withDevice { device in
                let context = LAContext()
                #expect(context.maxBiometryFailures == nil)
                context.maxBiometryFailures = 1
                #expect(context.maxBiometryFailures == 1)
                device.answer(.noMatch, .noMatch, .noMatch)
                #expect(await context.ask() == .authenticationFailed)
                device.answer(.noMatch, .noMatch)
                #expect(await context.ask() == .biometryLockout)
            }
        }

        @Test(
            "56: the app hears nothing of wrong passcodes: the call waits, its delays grow, and it can still be won or cancelled")
        func wrongPasscodes() async {
            await withDevice(enrolled: []) { device in
                for _ in 1...4 { device.answer(.passcode("0000")) }
                device.answer(.passcode("1234"))
                let context = LAContext()
                let pending = Pending(context, .deviceOwnerAuthentication)
                var seconds = 0
                while pending.count == 0 {
                    settle()
                    device.advance(by: 1)
                    seconds += 1
                }
                // After the fourth nothing is looked at for ten seconds.
                #expect(seconds >= 10)
                #expect(await pending.code == nil)
                #expect(device.prompts.count == 1)
                device.answer(.passcode("0000"), .cancel)
                #expect(await LAContext().ask(.deviceOwnerAuthentication) == .userCancel)
            }
        }

        @Test("57: after a restart biometry is locked out until the passcode was given once")
        func afterRestart() async {
            await withDevice { device in
                device.restart()
                #expect(LAContext().preflight() == .biometryLockout)
                #expect(await LAContext().ask() == .biometryLockout)
                device.answer(.passcode("1234"), .match)
                #expect(await LAContext().ask(.deviceOwnerAuthentication) == nil)
                #expect(await LAContext().ask() == nil)
            }
        }
    }
}
