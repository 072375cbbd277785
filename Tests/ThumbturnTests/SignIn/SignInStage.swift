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

    deinit {
        stub.stop()
        device.uninstall()
    }
}
