import LocalAuthentication
import Testing
import ThumbturnSimulator

extension DeviceTests {
    /// Finger and passcode at once, under the owner's policy.
    @Suite struct SideBySideTests {
        @Test(
            "the sensor listens while a passcode may be typed, and either wins",
            arguments: [
                SimulatedDevice.Biometry.touchID, .faceID,
            ])
        func either(_ sensor: SimulatedDevice.Biometry) async {
            await withDevice(sensor) { device in
                device.answer(.match, .passcode("1234"))
                let finger = LAContext(), passcode = LAContext()
                #expect(await finger.ask(.deviceOwnerAuthentication) == nil && finger.evaluatedPolicyDomainState != nil)
                #expect(await passcode.ask(.deviceOwnerAuthentication) == nil && passcode.evaluatedPolicyDomainState == nil)
                #expect(device.prompts.allSatisfy { $0.sensor == sensor && $0.acceptsPasscode && $0.outcome == .success })
            }
        }

        @Test("neither a miss nor a wrong passcode takes the other way away")
        func mixed() async {
            await withDevice { device in
                device.answer(.passcode("0000"), .noMatch, .passcode("0001"), .match)
                #expect(await LAContext().ask(.deviceOwnerAuthentication) == nil)
                device.answer(.noMatch, .passcode("0000"), .noMatch, .passcode("1234"))
                #expect(await LAContext().ask(.deviceOwnerAuthentication) == nil)
                #expect(device.prompts.map(\.outcome) == [.success, .success])
            }
        }

        @Test("while wrong passcodes must wait, the sensor still listens")
        func fingerDuringDelay() async {
            await withDevice { device in
                for _ in 1...4 { device.answer(.passcode("0000")) }
                device.answer(.match)
                #expect(await LAContext().ask(.deviceOwnerAuthentication) == nil)
                #expect(device.prompts.count == 1)
            }
        }

        @Test("an app that withdraws while a passcode is being looked at doesn't wait for what comes of it")
        func withdrawnWhileChecked() async {
            await withDevice { device in
                device.answer(.nothing)
                let context = LAContext()
                let pending = Pending(context, .deviceOwnerAuthentication)
                settle()
                device.answer(.passcode("1234"))
                context.invalidate()
                let code = await pending.code
                #expect(code == .appCancel || code == nil)
                #expect(pending.count == 1)
                #expect(await context.ask(.deviceOwnerAuthentication) == .invalidContext)
            }
        }

        @Test("cancel, by the owner or by the app, waits for no time to pass: call and prompt end while the clock stands")
        func cancel() async {
            await withDevice { device in
                for _ in 1...10 {
                    device.answer(.nothing)
                    let owners = LAContext()
                    let first = Pending(owners, .deviceOwnerAuthentication)
                    settle()
                    device.answer(.cancel)
                    #expect(await first.code == .userCancel)
                    #expect(device.prompts.last?.outcome == .cancelled)
                    device.answer(.nothing)
                    let apps = LAContext()
                    let second = Pending(apps, .deviceOwnerAuthentication)
                    settle()
                    apps.invalidate()
                    #expect(await second.code == .appCancel)
                    #expect(device.prompts.last?.outcome == .cancelled)
                }
            }
        }
    }
}
