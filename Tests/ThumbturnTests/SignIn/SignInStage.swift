import LocalAuthentication
import Testing
import Thumbturn
import ThumbturnSimulator

/// A device, a server in this process, and an account there: what tests of signing in begin with.
@MainActor class SignInStage {
    let device = SimulatedDevice(biometry: .touchID, passcode: "1234").install()
    let stub: StubServer
    let signIn: SignIn

    init() throws {
        stub = try StubServer()
        signIn = try SignIn(stub.origin, account: "anna")
    }

    /// Enables this device; its owner shows a finger.
    func enable(_ guardedBy: Vault.Guard = .currentBiometry) async throws {
        device.answer(.match)
        try await signIn.enable(password: "tulips in spring", deviceName: "laptop", guardedBy: guardedBy)
    }

    deinit {
        stub.stop()
        device.uninstall()
    }
}
