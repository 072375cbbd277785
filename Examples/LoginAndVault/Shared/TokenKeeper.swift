import Foundation
import LocalAuthentication

/// The account's token in the keychain, released to nobody but the fingers or the face enrolled when it was kept.
///
/// This is what protects the vault. The screens only show it: somebody who talked them into the second one would find it empty.
enum TokenKeeper {
    private static var query: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "org.example.login-and-vault",
            kSecAttrAccount as String: "token",
        ]
    }

    /// Keeps the token under the enrolment of this moment; false where there is no sensor or nobody is enrolled.
    @discardableResult
    static func keep(_ token: String) -> Bool {
        SecItemDelete(query as CFDictionary)
        guard
            let rule = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .biometryCurrentSet, nil)
        else { return false }
        var item = query
        item[kSecAttrAccessControl as String] = rule
        item[kSecValueData as String] = Data(token.utf8)
        return SecItemAdd(item as CFDictionary, nil) == errSecSuccess
    }

    /// Whether one is kept; shows nothing.
    static var isKept: Bool { SecItemCopyMatching(query as CFDictionary, nil) == errSecSuccess }

    /// The token, by what `context` has shown already; shows nothing itself.
    static func token(_ context: LAContext) -> String? {
        context.interactionNotAllowed = true
        var search = query
        search[kSecReturnData as String] = true
        search[kSecUseAuthenticationContext as String] = context
        var result: AnyObject?
        guard SecItemCopyMatching(search as CFDictionary, &result) == errSecSuccess else { return nil }
        return (result as? Data).map { String(decoding: $0, as: UTF8.self) }
    }
}
