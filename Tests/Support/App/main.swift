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
case "keys" where CommandLine.arguments.count == 4:
    // Uses a key a thousand times and lets it go, then has its bytes again, each when a line comes. They come inverted, so that
    // nothing of them is here but what the key keeps.
    let inverted = [UInt8](Data(base64Encoded: CommandLine.arguments[2]) ?? Data())
    let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: inverted.count)
    func fill() { for index in inverted.indices { room[index] = ~inverted[index] } }
    func say(_ word: String) { FileHandle.standardOutput.write(Data("\(word)\n".utf8)) }
    func use() -> Int {
        func read(_ data: NSData, _ half: CFString) -> SecKey? {
            let fields: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: half]
            return SecKeyCreateWithData(data, fields as CFDictionary, nil)
        }
        fill()
        let own = read(NSData(bytesNoCopy: room.baseAddress!, length: room.count, freeWhenDone: false), kSecAttrKeyClassPrivate)
        room.update(repeating: 0)
        let peer = read(NSData(data: Data(base64Encoded: CommandLine.arguments[3]) ?? Data()), kSecAttrKeyClassPublic)
        guard let own, let peer else { return 0 }
        let ecies = SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM
        guard let sealed = SecKeyCreateEncryptedData(SecKeyCopyPublicKey(own)!, ecies, NSData(data: Data("x".utf8)), nil) else {
            return 0
        }
        let parameters: [CFString: Any] = [SecKeyKeyExchangeParameter.requestedSize.rawValue: 32]
        var uses = 0
        for _ in 1...1000 {
            let signature = SecKeyCreateSignature(own, .ecdsaSignatureMessageX962SHA256, sealed, nil)
            let shared = SecKeyCopyKeyExchangeResult(
                own, .ecdhKeyExchangeStandardX963SHA256, peer, parameters as CFDictionary, nil)
            if signature != nil, shared != nil, SecKeyCreateDecryptedData(own, ecies, sealed, nil) != nil { uses += 1 }
        }
        return uses
    }
    say("ready")
    _ = readLine()
    say("used \(use())")
    _ = readLine()
    fill()
    say("filled")
    _ = readLine()
default:
    print("usage: thumbturn-test-app sign-in | group [GROUP] | hold | keys KEY PEER")
    exit(64)
}
