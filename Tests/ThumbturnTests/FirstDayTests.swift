import LocalAuthentication
import Testing
import Thumbturn
import ThumbturnSimulator

extension OnDevice {
    /// What the layer does where Thumbturn was just installed beside a fingerprint reader: in user mode, without a TPM.
    @Suite("On a laptop's first day")
    @MainActor final class FirstDayTests {
        let device = SimulatedDevice(as: .laptopWithReader).install()

        deinit { device.uninstall() }

        @Test(
            "A secret for any enrolled finger is kept and read; one for the present fingers says which command makes it possible")
        func secrets() async throws {
            let vault = Vault("org.example.first", guardedBy: .biometry)
            try await vault.save("token", as: "login")
            device.answer(.match)
            #expect(try await vault.read("login", as: String.self) == "token")
            let bound = Vault("org.example.bound", guardedBy: .currentBiometry)
            await #expect(throws: VaultError.enrolmentUnknown) { try await bound.save("token", as: "login") }
            #expect(
                VaultError.enrolmentUnknown.remedy == "sudo thumbturn system-mode on" && VaultError.notAuthenticated.remedy == nil
            )
            #expect(SignInError.enrolmentUnknown.remedy == VaultError.enrolmentUnknown.remedy)
            #expect(try bound.list().isEmpty)
            device.allow(.weakEnrolment)
            try await bound.save("token", as: "login")
            device.answer(.match)
            #expect(try await bound.read("login", as: String.self) == "token")
        }

        @Test("A guard that isn't met for another reason is no question of the enrolment")
        func otherReasons() async throws {
            device.removeEnrolment("me")
            let bound = Vault("org.example.bound", guardedBy: .currentBiometry)
            await #expect(throws: VaultError.notAuthenticated) { try await bound.save("token", as: "login") }
            device.allow(.softwareKeys)
            #expect(throws: EnclaveKeyError.notAuthenticated) { try EnclaveKey.create("login", guardedBy: .currentBiometry) }
        }

        @Test("A key that never leaves says which command makes it possible, once for each reason")
        func keys() throws {
            #expect(throws: EnclaveKeyError.noEnclave) { try EnclaveKey.create("login", guardedBy: .biometry) }
            #expect(EnclaveKeyError.noEnclave.remedy == "thumbturn allow software-keys")
            device.allow(.softwareKeys)
            #expect(throws: EnclaveKeyError.enrolmentUnknown) { try EnclaveKey.create("login", guardedBy: .currentBiometry) }
            #expect(EnclaveKeyError.enrolmentUnknown.remedy == "sudo thumbturn system-mode on")
            #expect(try EnclaveKey.create("login", guardedBy: .biometry).custodian == .software)
        }

        @Test("A watch can't tell, and saves nothing that a later finger would be compared with")
        func watch() {
            let values = MemoryValues()
            let watch = EnrolmentWatch(values: values)
            #expect(watch.check() == .cannotTell && watch.check() == .cannotTell)
            #expect(BiometrySupport.current() == .available(.touchID))
        }
    }
}
