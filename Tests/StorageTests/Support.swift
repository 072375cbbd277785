import CThumbSQLite
import Foundation
import Testing
import ThumbAccess
import ThumbKeychain
import ThumbSecrets

@testable import ThumbStorage

/// A folder that goes with the test.
final class Scratch {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "store-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func url(_ name: String) -> URL { URL(fileURLWithPath: path + "/" + name) }
    func bytes(_ name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: url(name))) }
    func write(_ bytes: [UInt8], _ name: String) throws { try Data(bytes).write(to: url(name)) }
    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path + "/" + name) }
    func remove(_ name: String) throws { try FileManager.default.removeItem(at: url(name)) }

    /// The files as a crash at this moment would leave them.
    func crashed() throws -> Scratch {
        let copy = try Scratch()
        for name in try FileManager.default.contentsOfDirectory(atPath: path) { try copy.write(bytes(name), name) }
        return copy
    }

    func open(acceptingLosses: Bool = false) throws -> Store {
        try Store(in: StateFolder(path: path), acceptingLosses: acceptingLosses)
    }

    /// Runs SQL in the closed database, as whoever tampers with it would; answers the first column.
    @discardableResult
    func sql(_ statement: String) throws -> [String] {
        var connection: OpaquePointer?
        #expect(sqlite3_open(path + "/items.db", &connection) == SQLITE_OK)
        defer { sqlite3_close(connection) }
        var prepared: OpaquePointer?
        try #require(sqlite3_prepare_v2(connection, statement, -1, &prepared, nil) == SQLITE_OK, "\(statement)")
        defer { sqlite3_finalize(prepared) }
        var answers: [String] = []
        while true {
            let status = sqlite3_step(prepared)
            if status == SQLITE_DONE { return answers }
            try #require(status == SQLITE_ROW, "\(statement): \(status)")
            answers.append(sqlite3_column_text(prepared, 0).map { String(cString: $0) } ?? "")
        }
    }
}

let group: ExactName = "org.example.app"

/// A secret's bytes, for comparing.
func plain(_ secret: SecretBytes) -> [UInt8] { secret.withUnsafeBytes { Array($0) } }

func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: Array(text.utf8)) }

func item(
    _ account: String, service: String = "mail", group: ExactName = group, rule: AccessRule = AccessRule(.afterFirstUnlock),
    more: Attributes = [:], enrolment: [UInt8]? = nil
) throws -> StoredItem {
    var attributes: Attributes = [.account: .text(account), .service: .text(service)]
    attributes.merge(more) { $1 }
    return StoredItem(
        id: try #require(ItemID((0..<16).map { _ in UInt8.random(in: 0...255) })), itemClass: .genericPassword, group: group,
        rule: rule, attributes: attributes, hasSecret: true, enrolment: enrolment)
}

extension ItemDatabase {
    /// All items of the tests' group, or those with these attributes.
    func find(
        _ attributes: Attributes = [:], groups: [ExactName] = [group], sync: SyncFilter = .any, limit: Int? = nil
    ) throws -> [StoredItem] {
        try select(
            Selection(itemClass: .genericPassword, groups: groups, attributes: attributes, sync: sync, limit: limit))
    }

    func find(account: String) throws -> StoredItem? { try find([.account: .text(account)]).first }

    func text(of item: StoredItem) throws -> String {
        String(decoding: plain(try secret(of: item)), as: UTF8.self)
    }
}

extension Store {
    /// A store with these accounts, each with its name as secret.
    static func filled(_ scratch: Scratch, _ accounts: [String]) throws {
        let store = try scratch.open()
        for account in accounts { try store.items.insert(item(account), secret: secret("secret of \(account)")) }
    }

    var accounts: [String] {
        get throws {
            try items.find().map { String(decoding: try #require($0.attributes[.account]).comparable, as: UTF8.self) }
        }
    }
}

func code(_ body: () throws -> Void) -> StorageError.Code? {
    do {
        try body()
        return nil
    } catch let error as StorageError {
        return error.code
    } catch {
        Issue.record("\(error)")
        return nil
    }
}
