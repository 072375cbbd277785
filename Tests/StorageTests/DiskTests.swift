import Foundation
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbKeychain
import ThumbSecrets
import thumbturn_test_programs

@testable import ThumbStorage

/// Mounting needs root: elsewhere these tests are skipped, and say so.
private let isRoot = Comment("only root can mount a small or read-only file system")

private final class Mounted {
    let scratch: Scratch

    init(_ options: String) throws {
        scratch = try Scratch()
        try Mounted.run("mount", "-t", "tmpfs", "-o", options, "tmpfs", scratch.path)
    }
    deinit { try? Mounted.run("umount", "-l", scratch.path) }

    func remount(_ options: String) throws { try Mounted.run("mount", "-o", "remount,\(options)", scratch.path) }

    static func run(_ words: String...) throws {
        let process = OwnProcess()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(words)")
    }
}

@Suite(.enabled(if: geteuid() == 0, isRoot)) struct DiskTests {
    @Test("a read-only folder is a clear error, before and after the first run")
    func readOnly() throws {
        let mounted = try Mounted("size=4m,mode=700")
        let scratch = mounted.scratch
        try mounted.remount("ro")
        #expect(code { _ = try scratch.open() } == .readOnly)
        try mounted.remount("rw")
        try Store.filled(scratch, ["a"])
        try mounted.remount("ro")
        #expect(code { _ = try scratch.open() } == .readOnly)
        try mounted.remount("rw")
        #expect(try scratch.open().accounts == ["a"])
    }

    @Test("a full disk refuses what it can't keep, keeps what it acknowledged, and goes on when there is room")
    func full() throws {
        let mounted = try Mounted("size=1m,mode=700")
        let scratch = mounted.scratch
        var kept: [String] = []
        do {
            let store = try scratch.open()
            let big = try SecretBytes(copying: [UInt8](repeating: 7, count: 20_000))
            var failure: KeychainFailure?
            for number in 0..<200 where failure == nil {
                do {
                    try store.items.insert(item("\(number)"), secret: big)
                    kept.append("\(number)")
                } catch { failure = error as? KeychainFailure }
            }
            #expect(failure == .storeUnavailable)
            #expect(kept.count > 5)
            #expect(try store.accounts == kept)
            #expect(throws: KeychainFailure.storeUnavailable) { try store.items.insert(item("x"), secret: big) }
            #expect(try store.items.secret(of: try #require(try store.items.find(account: "0"))) == big)
        }
        do {
            let store = try scratch.open()
            #expect(try store.accounts == kept)
            #expect(try store.items.verify().isSound)
            try mounted.remount("size=4m")
            let all = try store.items.find()
            try store.items.remove(Array(all.prefix(kept.count / 2)))
            try store.items.insert(item("after"), secret: secret("s"))
            #expect(try store.accounts == kept.dropFirst(kept.count / 2) + ["after"])
        }
        #expect(try scratch.open().items.verify().isSound)
    }

    @Test("a first run on a full disk fails and can be taken up later")
    func firstRunFull() throws {
        let mounted = try Mounted("size=64k,mode=700")
        let scratch = mounted.scratch
        try scratch.write([UInt8](repeating: 1, count: 40_000), "filler")
        #expect(code { _ = try scratch.open() } == .full)
        try scratch.remove("filler")
        try mounted.remount("size=2m")
        #expect(try scratch.open().accounts == [])
    }

    @Test("counters of misses and the passcode refuse rather than pretend on a full disk")
    func ledgerFull() throws {
        let mounted = try Mounted("size=256k,mode=700")
        let scratch = mounted.scratch
        let store = try scratch.open()
        var filler = 250_000
        while filler > 0 {
            do {
                try scratch.write([UInt8](repeating: 1, count: filler), "filler")
                break
            } catch { filler -= 2048 }
        }
        let stretch = try Stretch(cost: .least)
        #expect(code { try store.keybag.setPasscode(key: stretch.stretch(secret("1234")), PasscodeWay(stretch)) } == .full)
        #expect(!store.keybag.isPasscodeSet)
        var refused: (any Error)?
        for misses in 0..<100 where refused == nil {
            do { try store.items.commit(Attempts(biometric: misses % 5)) } catch { refused = error }
        }
        // Either the log has room to go round, or the refusal is clear.
        if let refused { #expect(refused as? KeychainFailure == .storeUnavailable) }
        try scratch.remove("filler")
        try store.items.commit(Attempts(biometric: 2))
        #expect(store.items.attempts == Attempts(biometric: 2))
    }
}
