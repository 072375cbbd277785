import Foundation
import Testing
import ThumbSignIn
import thumbturn_test_postgres

@testable import ThumbLedgers

/// The two stores, which the same tests hold to the same words.
enum Kind: String, CaseIterable, Sendable { case sqlite, postgres }

/// A database of a test's own. Ledgers on it are what servers would have.
final class Database: Sendable {
    let kind: Kind
    /// A path or a URL.
    let place: String
    private let folder: Folder?

    init(_ kind: Kind) throws {
        self.kind = kind
        switch kind {
        case .sqlite:
            let folder = try Folder()
            (self.folder, place) = (folder, folder.path + "/sign-in.db")
        case .postgres: (folder, place) = (nil, try Cluster.shared.get().makeDatabase())
        }
    }

    func open(_ migrations: [Migration] = Migration.all) throws(LedgerFailure) -> any Ledger {
        switch kind {
        case .sqlite: try SQLiteLedger(path: place, migrations: migrations)
        case .postgres: try PostgresLedger(url: place, migrations: migrations)
        }
    }
}

/// A folder that goes with the test.
final class Folder: Sendable {
    let path = NSTemporaryDirectory() + "/thumbturn-ledger-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension SQLiteLedger {
    /// A ledger that has nothing to complain about.
    convenience init(
        path: String, disk: String? = nil, migrations: [Migration] = Migration.all, checkpoint: Int = SQLiteCheckpoints.pages
    ) throws(LedgerFailure) {
        try self.init(path: path, disk: disk, migrations: migrations, checkpoint: checkpoint) {
            Issue.record("beside the batches: \($0.words)")
        }
    }
}

extension Ledger {
    /// One deed in a batch of its own.
    func settle(_ deed: Deed, at now: Moment = start) throws(LedgerFailure) -> DeedOutcome { try settle([deed], at: now)[0] }
}

// The words of the tests

let start = Moment(seconds: 1_800_000_000)
let later = start + 3_600
let anna = AccountName("anna@bank.example")!  // A name by its looks.
let otto = AccountName("otto")!  // The same.
let password = StretchedPassword(salt: Array(0..<16), passes: 3, kibibytes: 65_536, hash: [UInt8](repeating: 0xfe, count: 32))

/// Digests that nobody else has: a kind's word and a number.
func digest(_ kind: String, _ number: Int) -> Digest32 {
    let text = "\(kind) \(number) "
    return Digest32(Array(String(repeating: text, count: 32 / text.utf8.count + 1).utf8.prefix(32)))!  // 32 bytes of it.
}

func challenge(_ number: Int) -> Digest32 { digest("challenge", number) }
func token(_ number: Int) -> Digest32 { digest("token", number) }
func session(_ number: Int, until expires: Moment = later) -> NewSession { NewSession(token: token(number), expires: expires) }
/// What tells the session that began with that token from others.
func tag(_ number: Int) -> [UInt8] { Array(token(number).bytes.prefix(SessionID.tagBytes)) }
func device(_ number: Int) -> DeviceID { DeviceID(digest("device", number)) }

func record(_ number: Int, named name: String = "phone", at registered: Moment = start) -> DeviceRecord {
    DeviceRecord(
        id: device(number), key: [0x30, UInt8(truncatingIfNeeded: number)], name: name, unverifiedProtection: "finger, TPM",
        registered: registered)
}

func give(
    _ number: Int, to account: AccountName = anna, for purpose: Purpose = .signIn, until expires: Moment = start + 60
) -> Deed {
    .giveChallenge(ChallengeRecord(digest: challenge(number), account: account, purpose: purpose, expires: expires))
}

func signIn(_ device: Int, _ challenge: Int, _ token: Int, as account: AccountName = anna) -> Deed {
    .signIn(account, LedgerTests.device(device), challenge: LedgerTests.challenge(challenge), session(token))
}

/// An account with a device, by the deeds that make one. Its challenge's number is the device's, and 1,000,000.
func enrol(_ number: Int, for account: AccountName = anna, at now: Moment = start) -> [Deed] {
    let mark = 1_000_000 + number
    return [
        give(mark, to: account, for: .register, until: now + 60),
        .register(account, record(number, at: now), challenge: challenge(mark), session: nil),
    ]
}
