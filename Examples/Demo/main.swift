// What `make demo` shows of apps: one written for Apple's API, on a device whose finger is simulated and said to be.

import Foundation
import LocalAuthentication
import ThumbturnSimulator

let device = SimulatedDevice(biometry: .touchID, enrolled: ["right thumb"], passcode: "2580").install()
let stage = Stage()

stage.title("An app, and a fingerprint reader that is simulated: everything behind it is the real service and store")

stage.step("The app asks what this device has") {
    let context = LAContext()
    var error: NSError?
    let ready = context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error)
    stage.says("canEvaluatePolicy → \(ready), biometryType → \(context.biometryType == .touchID ? "touchID" : "another")")
    return ready && context.biometryType == .touchID
}

stage.step("The app stores a secret that only the fingers enrolled now release") {
    let status = VaultItem.add("the formula: 7 parts rain, 1 part thunder")
    stage.says("SecItemAdd → \(stage.name(status))")
    return status == errSecSuccess
}

stage.step("A stranger tries, three times") {
    device.answer(.noMatch, .noMatch, .noMatch)
    let (status, secret) = VaultItem.read(reason: "Show the formula")
    stage.says("three misses at the sensor; SecItemCopyMatching → \(stage.name(status)), secret → \(secret ?? "none")")
    return status == errSecAuthFailed && secret == nil
}

stage.step("The owner's finger") {
    device.answer(.match)
    let (status, secret) = VaultItem.read(reason: "Show the formula")
    stage.says("SecItemCopyMatching → \(stage.name(status)), secret → “\(secret ?? "none")”")
    return status == errSecSuccess && secret == "the formula: 7 parts rain, 1 part thunder"
}

stage.step("Somebody enrols another finger, and uses it") {
    device.enroll("somebody's finger")
    let (status, secret) = VaultItem.read(reason: "Show the formula")
    stage.says(
        "SecItemCopyMatching → \(stage.name(status)), secret → \(secret ?? "none"): sealed for good, and no prompt was shown")
    return status == errSecItemNotFound && secret == nil
}

if let server = CommandLine.arguments.dropFirst().first { await showSigningIn(to: server) }

stage.end()
