import Foundation
import Testing
import ThumbAccess
import ThumbClient
import ThumbLoop
import ThumbSecrets
import ThumbturnSimulator
import thumbturn_test_support

@Suite("A backup is the owner's", .oneDevice)
struct OwnerTests {
    private static func failure<Value>(_ body: () throws -> Value) -> BackupError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? BackupError
        }
    }

    @Test("Each export and each import asks for the passcode anew, whatever was shown before")
    func asked() async throws {
        let (exports, imports, words) = try await withDevice { device in
            try add("one")
            try add("asked", Array("x".utf8), AccessRule(.whenUnlocked, .userPresence))
            let saved = try Saved()
            _ = try Saved()
            let exports = device.prompts.count
            try saved.restore(countsOnly: true)
            try saved.restore()
            return (exports, device.prompts.count - exports, device.prompts.map(\.reason))
        }
        #expect(exports == 2 && imports == 2)
        #expect(words.allSatisfy { $0.contains("backup") })
    }

    @Test("A finger is no passcode: the sensor isn't listened to")
    func finger() async throws {
        let failure = try await withDevice { device in
            device.answerAlways(nil)
            device.answer(.cancel)
            let failure = Self.failure { try Saved() }
            return (failure, device.prompts.first?.sensor)
        }
        #expect(failure.0 == .keychain(.userCanceled))
        #expect(failure.1 == SimulatedDevice.Biometry.none)
    }

    @Test("Without a passcode nobody can be asked, and nothing goes out or in")
    func noPasscode() async throws {
        let saved = try await withDevice { _ in try Saved() }
        let failures = try await withDevice(passcode: nil) { device in
            [Self.failure { try Saved() }, Self.failure { try saved.restore() }]
        }
        #expect(failures == [.backup(.noPasscode), .backup(.noPasscode)])
    }

    @Test("A wrong passphrase, a damaged head and one from later are told before the owner is asked")
    func early() async throws {
        let (failures, prompts) = try await withDevice { device in
            try add("one")
            let saved = try Saved()
            let before = device.prompts.count
            var (damaged, newer, none) = (saved, saved, saved)
            damaged.head[30] ^= 1
            newer.head[9] = 2
            none.head = []
            let failures = [
                Self.failure { try saved.restore(passphrase: "tulips in autumn") }, Self.failure { try damaged.restore() },
                Self.failure { try newer.restore() }, Self.failure { try none.restore() },
                Self.failure { try saved.restore(passphrase: "short") },
                Self.failure { try Saved(passphrase: String(repeating: "x", count: 1025)) },
            ]
            return (failures, device.prompts.count - before)
        }
        #expect(
            failures == [
                .backup(.wrongPassphrase), .backup(.damaged), .backup(.newer), .backup(.notABackup), .backup(.passphraseLength),
                .backup(.passphraseLength),
            ])
        #expect(prompts == 0)
    }

    @Test("A chunk that isn't the next one brings nothing in and ends the import; what came before stays")
    func wrongChunk() async throws {
        let saved = try await withDevice { _ in
            for number in 0..<200 { try add("\(number)") }
            return try Saved()
        }
        #expect(saved.chunks.count == 2)
        let (first, failures, left) = try await withDevice { _ in
            try DeviceClient.shared.beginImport(
                head: saved.head, secret(Saved.passphrase), replaces: false, countsOnly: false)
            let first = try DeviceClient.shared.importChunk(saved.chunks[0].box, isLast: false)
            var box = saved.chunks[1].box
            box[20] ^= 1
            let failures = [
                Self.failure { try DeviceClient.shared.importChunk(box, isLast: true) },
                Self.failure { try DeviceClient.shared.importChunk(saved.chunks[1].box, isLast: true) },
            ]
            // Run again it goes on.
            let left = try everything().count
            return (first, failures, [left, Int(try saved.restore().added), try everything().count])
        }
        #expect(first == ImportTally(added: 128))
        #expect(failures == [.backup(.damaged), .backup(.notRunning)])
        #expect(left == [128, 72, 200])
    }

    @Test("A lock of the session ends an export and an import, and unlocking doesn't bring them back")
    func locked() async throws {
        let failures = try await withDevice { device in
            for number in 0..<200 { try add("\(number)") }
            let saved = try Saved()
            _ = try DeviceClient.shared.beginExport(secret(Saved.passphrase))
            _ = try DeviceClient.shared.exportChunk()
            device.lock()
            let whileLocked = Self.failure { try DeviceClient.shared.exportChunk() }
            _ = device.unlock(with: .passcode("1234"))
            let afterwards = Self.failure { try DeviceClient.shared.exportChunk() }
            try DeviceClient.shared.beginImport(
                head: saved.head, secret(Saved.passphrase), replaces: false, countsOnly: false)
            device.lock()
            _ = device.unlock(with: .passcode("1234"))
            return [
                whileLocked, afterwards, Self.failure { try DeviceClient.shared.importChunk(saved.chunks[0].box, isLast: false) },
            ]
        }
        #expect(failures == [.backup(.notRunning), .backup(.notRunning), .backup(.notRunning)])
    }

    @Test("A connection has one at a time, and none of another's; it ends with it")
    func alone() async throws {
        let (other, second, after) = try await withDevice { device in
            try add("one")
            _ = try DeviceClient.shared.beginExport(secret(Saved.passphrase))
            let socket = "/tmp/turn-\(UInt32.random(in: 0 ... .max))"
            guard device.listen(at: socket) else { throw BackupError.keychain(.deviceUnreachable) }
            defer { unlink(socket) }
            let other = DeviceClient { try? UnixSocket.connect(to: socket).get() }
            _ = try other.status()
            let foreign = Self.failure { try other.exportChunk() }
            let second = Self.failure { try DeviceClient.shared.beginExport(secret(Saved.passphrase)) }
            // That connection was closed; no other is made for a chunk, and the next one has nothing running.
            let lost = Self.failure { try DeviceClient.shared.exportChunk() }
            _ = try DeviceClient.shared.status()
            return (foreign, [second, lost], Self.failure { try DeviceClient.shared.exportChunk() })
        }
        #expect(other == .backup(.notRunning))
        #expect(second == [.keychain(.deviceUnreachable), .keychain(.deviceUnreachable)])
        #expect(after == .backup(.notRunning))
    }

    @Test("The audit has one record of each, with how many items; and one where it came to nothing")
    func audit() async throws {
        let (records, isSound) = try await withDevice { device in
            for number in 0..<3 { try add("\(number)") }
            let saved = try Saved()
            try DeviceClient.shared.remove(
                Query(itemClass: .genericPassword, attributes: [.account: .text("1")], sync: .any))
            try saved.restore()
            try saved.restore(countsOnly: true)
            device.answerAlways(nil)
            device.answer(.cancel)
            _ = Self.failure { try Saved() }
            let client = DeviceClient.shared
            return (
                try client.audit().filter { [.exported, .imported].contains($0.event) }, try client.verifyAudit().isSound
            )
        }
        #expect(records.map(\.event) == [.exported, .imported, .exported])
        #expect(records.map(\.times) == [3, 1, 1])
        #expect(records.map(\.failure) == [nil, nil, .userCanceled])
        #expect(records.map(\.factors) == [[.passcode], [.passcode], []])
        #expect(records.allSatisfy { $0.item == nil } && isSound)
    }
}
