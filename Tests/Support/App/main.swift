// An app as its author would write it for Apple's systems: it knows nothing of daemons and simulated devices.

import Foundation
import LocalAuthentication

switch CommandLine.arguments.dropFirst().first {
case "sign-in":
    do {
        try await LAContext().evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "sign in")
        print("signed in")
    } catch let error as LAError {
        print("not signed in: \(error.errorCode)")
    }
case "group":
    // Where an item goes that names no access group, or the one that is said.
    var item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "group",
        kSecValueData as String: Data("x".utf8),
        kSecReturnAttributes as String: true,
    ]
    if CommandLine.arguments.count > 2 { item[kSecAttrAccessGroup as String] = CommandLine.arguments[2] }
    var result: AnyObject?
    let status = SecItemAdd(item as CFDictionary, &result)
    print((result as? [String: Any])?[kSecAttrAccessGroup as String] as? String ?? "error \(status)")
case "hold":
    // Takes a secret, keeps it, and lets it go, each when a line comes; says what it did.
    let query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "held", kSecReturnData: true, kSecReturnAttributes: true,
    ]
    var result: AnyObject?
    func say(_ word: String) { FileHandle.standardOutput.write(Data("\(word)\n".utf8)) }
    // Asked for before, so that everything but the secret has been here once.
    say("status \(SecItemCopyMatching([kSecClass: kSecClassGenericPassword, kSecAttrService: "nothing"] as CFDictionary, nil))")
    _ = readLine()
    say("status \(SecItemCopyMatching(query as CFDictionary, &result))")
    _ = readLine()
    result = nil
    say("let go")
    _ = readLine()
default:
    print("usage: thumbturn-test-app sign-in | group [GROUP] | hold")
    exit(64)
}
