import Foundation
import ThumbAccess
import ThumbClient
import ThumbSecrets
import ThumbSecurityAPI

/// A daemon with this many items, shaped as in the peer's keyring: one service, an account each, 32 bytes of data.
struct Population {
    static let secretSize = 32
    let count: Int
    let daemon: Daemon

    /// Fills a store and starts a daemon that serves it. Only the filling is done in memory, where a flush costs nothing. What is measured
    /// is on the same disk as the peer's keyring.
    init(of count: Int) throws {
        self.count = count
        let memory = "/dev/shm"
        let isThere = FileManager.default.isWritableFile(atPath: memory)
        let filling = try Daemon(under: isThere ? memory : NSTemporaryDirectory())
        defer { filling.remove() }
        for number in 0..<count { _ = try filling.client.add(Self.item(Self.account(number))) }
        filling.end()
        daemon = try Daemon(state: filling.folder + "/state")
    }

    static func account(_ number: Int) -> String { "account-\(number)" }

    /// An existing account: a different one each time, but the same ones in each run.
    func account(round: Int) -> String { Self.account(round &* 7919 % count) }

    static func item(_ account: String) throws -> NewItem {
        NewItem(
            itemClass: .genericPassword,
            attributes: [.service: .text("bench"), .account: .text(account), .label: .text(account)],
            rule: AccessRule(.whenUnlocked), secret: try SecretBytes(copying: [UInt8](repeating: 9, count: secretSize)))
    }

    /// - Parameter result: which part of the item is wanted.
    static func query(_ account: String, for result: CFString = kSecReturnData) -> CFDictionary {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "bench",
            kSecAttrAccount as String: account, result as String: true,
        ]
        return query as CFDictionary
    }

    /// What `SecItemCopyMatching` does with such a dictionary, on this daemon.
    func lookUp(_ query: CFDictionary) throws {
        let found = try ItemCalls(daemon.client).copyMatching(query, isWanted: true)
        guard (found as? NSData)?.length == Self.secretSize else { throw BenchError("a lookup found something else") }
    }

    /// What `SecItemAdd` does.
    func add(_ account: String) throws {
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "bench",
            kSecAttrAccount as String: account, kSecAttrLabel as String: account,
            kSecValueData as String: Data(repeating: 9, count: Self.secretSize),
        ]
        _ = try ItemCalls(daemon.client).add(item as CFDictionary)
    }
}
