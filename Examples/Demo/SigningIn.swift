import Foundation
import LocalAuthentication
import Thumbturn
import ThumbturnSimulator

/// An app that signs in with a finger, at the real server with that origin; its account and password are the demo's.
@MainActor func showSigningIn(to server: String) async {
    guard let signIn = try? SignIn(server, account: "anna@bank.example"), let wire = Wire(server) else {
        return stage.step("A server at \(server)") { false }
    }
    stage.title("An app that signs in at \(server): the real thumbturn-server, which believes a signature and nothing else")

    await stage.step("The password, once: the device makes a key and the server registers it") {
        device.answer(.match)
        try await signIn.enable(password: "tulips in spring", deviceName: "this laptop")
        stage.says("the prompt: \(prompt()); state → \(try signIn.state())")
        return try signIn.state() == .enabled
    }

    await stage.step("From then on the finger") {
        device.answer(.match)
        let session = try await signIn.signIn()
        let seen = try await wire.ask("GET", "/v1/session", token: session.token)
        stage.says("the prompt: \(prompt()); the server → session of kind “\(seen.members["kind"] ?? "")”")
        return seen.members["kind"] as? String == "device"
    }

    await stage.step("A stranger at the sensor is refused by the device") {
        device.answer(.noMatch, .noMatch, .noMatch)
        do {
            try await signIn.signIn()
            return false
        } catch let error as SignInError {
            stage.says("three misses → \(error); nothing was signed, and the server heard nothing to believe")
            return error == .notAuthenticated
        }
    }

    await stage.step("A stranger with a key of their own is refused by the server") {
        guard let statement = try await wire.statement(server) else { return false }
        let own = try EnclaveKey.create("a stranger's", guardedBy: .nothing)
        let refused = try await wire.signIn(statement, own.sign(Data(statement.utf8)))
        stage.says("the right words, another key's signature; the server → \(refused)")
        return refused == "401 signature"
    }

    await stage.step("What the server took once it doesn't take again") {
        guard let statement = try await wire.statement(server) else { return false }
        device.answer(.match)
        let signature = try await wire.signature(statement)
        let (first, second) = (try await wire.signIn(statement, signature), try await wire.signIn(statement, signature))
        stage.says("the same statement and signature, twice; the server → \(first), then \(second)")
        return first == "201" && second == "409 challenge-used"
    }

    await stage.step("Somebody enrols another finger: the key is gone, and it is the password again") {
        device.enroll("another one")
        do {
            try await signIn.signIn()
            return false
        } catch let error as SignInError {
            guard error == .needsPassword(.enrolmentChanged) else { return false }
            stage.says("no prompt was shown: a key for other fingers signs nothing any more; the password is needed")
        }
        device.answer(.match, .match)
        try await signIn.enable(password: "tulips in spring", deviceName: "this laptop")
        try await signIn.signIn()
        stage.says("the password, and a finger → another key, registered; signed in with it")
        return try signIn.session() != nil
    }
}

/// What the last prompt said in its own words.
@MainActor private func prompt() -> String {
    guard let shown = device.prompts.last?.signIn else { return "none" }
    let what = shown.registers ? "Register this device with" : "Sign in to"
    return "“\(what) \(shown.origin)”, “\(shown.account)”"
}
