import LocalAuthentication
import Testing
import ThumbturnSimulator

extension DeviceTests {
    /// A fingerprint reader that somebody unplugs.
    @Suite struct DisconnectionTests {
        @Test("11: a reader that was unplugged is disconnected, not missing: its kind stays, and the passcode counts")
        func unplugged() async {
            await withDevice { device in
                #expect(device.readerIsConnected && state() != nil)
                device.readerIsConnected = false
                let context = LAContext()
                #expect(context.preflight() == .biometryDisconnected && context.biometryType == .touchID)
                #expect(context.evaluatedPolicyDomainState == nil)
                #expect(await context.ask() == .biometryDisconnected && device.prompts.isEmpty)
                #expect(context.preflight(.deviceOwnerAuthentication) == nil)
                device.answer(.passcode("1234"))
                #expect(await context.ask(.deviceOwnerAuthentication) == nil)
            }
        }

        @Test("11: a reader that is unplugged while it listens ends the evaluation, and takes nothing from the owner's policy")
        func midTouch() async {
            await withDevice { device in
                device.answer(.nothing)
                let touched = Pending(LAContext())
                settle()
                device.readerIsConnected = false
                #expect(await touched.code == .biometryDisconnected)
                #expect(device.prompts.map(\.outcome) == [.failure])

                device.readerIsConnected = true
                device.answer(.nothing)
                let owner = Pending(LAContext(), .deviceOwnerAuthentication)
                settle()
                device.readerIsConnected = false
                device.answer(.passcode("1234"))
                #expect(await owner.code == nil)
            }
        }

        @Test("11: an unplugged reader costs no try and no item: plugged in again it knows the same fingers")
        func again() async {
            await withDevice { device in
                let before = state()
                #expect(Item.add(.biometryCurrentSet) == errSecSuccess)
                device.readerIsConnected = false
                #expect(Item.read().status == errSecAuthFailed)
                device.restart()
                #expect(device.unlock(with: .passcode("1234")))
                #expect(LAContext().preflight() == .biometryDisconnected)
                device.readerIsConnected = true
                #expect(state() == before)
                device.answer(.match)
                let read = Item.read()
                #expect(read.status == errSecSuccess && read.secret == Item.secret)
            }
        }

        @Test("11: a device without a reader, and a camera, are never disconnected")
        func others() async {
            await withDevice(.none) { device in
                device.readerIsConnected = false
                #expect(LAContext().preflight() == .biometryNotAvailable)
            }
            await withDevice(.faceID) { device in
                device.readerIsConnected = false
                #expect(LAContext().preflight() == nil)
            }
        }

        /// The enrolment as this process sees it.
        private func state() -> Data? {
            let context = LAContext()
            #expect(context.preflight() == nil)
            return context.evaluatedPolicyDomainState
        }
    }
}
