import Foundation
import LocalAuthentication

/// One secret, as an iOS app keeps it.
enum VaultItem {
    private static var query: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "org.example.vault",
            kSecAttrAccount as String: "formula",
        ]
    }

    static func add(_ text: String) -> OSStatus {
        guard
            let rule = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .biometryCurrentSet, nil)
        else { return errSecParam }
        var item = query
        item[kSecValueData as String] = Data(text.utf8)
        item[kSecAttrAccessControl as String] = rule
        return SecItemAdd(item as CFDictionary, nil)
    }

    static func read(reason: String) -> (OSStatus, String?) {
        let context = LAContext()
        context.localizedReason = reason
        var search = query
        search[kSecReturnData as String] = true
        search[kSecUseAuthenticationContext as String] = context
        var result: AnyObject?
        let status = SecItemCopyMatching(search as CFDictionary, &result)
        return (status, (result as? Data).map { String(decoding: $0, as: UTF8.self) })
    }
}
