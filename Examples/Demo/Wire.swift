import Foundation
import FoundationNetworking
import LocalAuthentication

/// The server's routes by hand, to say to it what `SignIn` never would.
struct Wire {
    struct Answer: @unchecked Sendable {
        // @unchecked: values of JSON, which nobody changes.
        var status: Int
        var members: [String: Any]
    }

    private let server: URL

    init?(_ origin: String) {
        guard let server = URL(string: origin) else { return nil }
        self.server = server
    }

    func ask(_ method: String, _ path: String, token: String? = nil, _ body: [String: String]? = nil) async throws -> Answer {
        var request = URLRequest(url: server.appending(path: path))
        request.httpMethod = method
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        request.httpBody = try body.map { try JSONEncoder().encode($0) }
        let (data, response) = try await URLSession.shared.data(for: request)
        let members = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        return Answer(status: (response as? HTTPURLResponse)?.statusCode ?? 0, members: members ?? [:])
    }

    /// Six lines over a challenge that the server has just given.
    func statement(_ origin: String) async throws -> String? {
        let given = try await ask("POST", "/v1/challenges", ["account": "anna@bank.example", "purpose": "sign-in"])
        guard let challenge = given.members["challenge"] as? String, let key = key(),
            let name = (SecKeyCopyAttributes(key) as? [String: Any])?[kThumbturnKeyDevice as String] as? String
        else { return nil }
        return """
            thumbturn sign-in 1
            origin \(origin)
            account anna@bank.example
            purpose sign-in
            challenge \(challenge)
            device \(name)

            """
    }

    /// The sign-in key's, once its owner was asked.
    func signature(_ statement: String) async throws -> Data {
        guard let key = key() else { throw CocoaError(.fileNoSuchFile) }
        // A person takes their time, and the threads that tasks run on are few.
        return try await withCheckedThrowingContinuation { done in
            Thread.detachNewThread {
                var error: Unmanaged<CFError>?
                if let made = SecKeyCreateSignature(key, .signInStatement, Data(statement.utf8) as CFData, &error) {
                    done.resume(returning: made as Data)
                } else {
                    done.resume(throwing: error?.takeRetainedValue() ?? CocoaError(.userCancelled) as NSError)
                }
            }
        }
    }

    /// The status, and the server's word for why not.
    func signIn(_ statement: String, _ signature: Data) async throws -> String {
        let text = signature.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        let answer = try await ask("POST", "/v1/sign-ins", ["statement": statement, "signature": text])
        return [String(answer.status), answer.members["error"] as? String].compactMap { $0 }.joined(separator: " ")
    }

    private func key() -> SecKey? {
        var result: AnyObject?
        let query: [String: Any] = [
            kSecClass as String: kSecClassKey, kSecAttrKeyClass as String: kSecAttrKeyClassPrivate,
            kSecReturnRef as String: true,
        ]
        _ = SecItemCopyMatching(query as CFDictionary, &result)
        return result as? SecKey
    }
}
