import Foundation
import Testing
import ThumbAccess
import ThumbClient
import ThumbSecrets
import ThumbturnSimulator
import thumbturn_test_support

/// A backup as an export of these tests leaves it.
struct Saved: Sendable {
    static let passphrase = "tulips in spring"

    var head: [UInt8]
    /// How many records the daemon said it would look at.
    var items: UInt64
    var chunks: [(box: [UInt8], isLast: Bool)] = []
    var tally = ExportTally()

    /// An export, from its begin to its end.
    init(_ client: DeviceClient = .shared, passphrase: String = passphrase) throws {
        (head, items) = try client.beginExport(secret(passphrase))
        while true {
            let chunk = try client.exportChunk()
            chunks.append((chunk.box, chunk.isLast))
            tally = chunk.tally
            if chunk.isLast { return }
        }
    }

    /// An import of all of it.
    @discardableResult
    func restore(
        _ client: DeviceClient = .shared, passphrase: String = passphrase, replaces: Bool = false, countsOnly: Bool = false
    ) throws -> ImportTally {
        try client.beginImport(head: head, secret(passphrase), replaces: replaces, countsOnly: countsOnly)
        var tally = ImportTally()
        for chunk in chunks { tally = try client.importChunk(chunk.box, isLast: chunk.isLast) }
        return tally
    }
}

func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8)) }

/// Installs a simulated device for the length of `body`, which blocks and so gets a thread of its own. Its owner types the
/// passcode at every prompt, unless `body` says otherwise.
func withDevice<Value: Sendable>(
    passcode: String? = "1234", later: Double = 0, _ body: @escaping @Sendable (SimulatedDevice) throws -> Value
) async throws -> Value {
    let device = SimulatedDevice(passcode: passcode).install()
    defer { device.uninstall() }
    device.accessGroups = ["app.one", "app.two"]
    device.advance(by: later)
    if let passcode { device.answerAlways(.passcode(passcode)) }
    return try await withCheckedThrowingContinuation { (done: CheckedContinuation<Value, any Error>) in
        Thread.detachNewThread { done.resume(with: Result { try body(device) }) }
    }
}

func add(
    _ account: String, _ bytes: [UInt8]? = Array("secret".utf8), _ rule: AccessRule = AccessRule(.whenUnlocked),
    itemClass: ItemClass = .genericPassword, group: String = "app.one", more: Attributes = [:]
) throws {
    var attributes: Attributes = [.label: .text(account), .group: .text(group)]
    if itemClass == .genericPassword || itemClass == .internetPassword { attributes[.account] = .text(account) }
    attributes.merge(more) { $1 }
    _ = try DeviceClient.shared.add(
        NewItem(itemClass: itemClass, attributes: attributes, rule: rule, secret: try bytes.map { try SecretBytes(copying: $0) }))
}

/// Everything about an item but its name in the store.
struct Contents: Hashable, Sendable {
    var attributes: Attributes
    var rule: AccessRule
    var secret: [UInt8]?
}

/// All items there are, of the four stored classes.
func everything() throws -> Set<Contents> {
    var all: Set<Contents> = []
    for itemClass in [ItemClass.genericPassword, .internetPassword, .certificate, .key] {
        let found: [FoundItem]
        do {
            let query = Query(itemClass: itemClass, sync: .any, limit: nil, shape: [.attributes, .persistentRef])
            found = try DeviceClient.shared.find(query)
        } catch KeychainFailure.itemNotFound {
            continue
        }
        for item in found {
            // One by one: a megabyte each, they would fill the locked memory.
            let query = Query(itemClass: itemClass, persistentRef: item.persistentRef, shape: [.data])
            let secret = item.rule.asksForOwner ? nil : try DeviceClient.shared.find(query).first?.secret
            all.insert(
                Contents(
                    attributes: item.attributes, rule: item.rule, secret: secret.map { $0.plainBytes(in: 0..<$0.count) }))
        }
    }
    return all
}
