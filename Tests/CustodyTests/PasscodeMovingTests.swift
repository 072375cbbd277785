import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbLoop
import ThumbSecrets
import thumbturn_test_tpm

@testable import ThumbAssembly
@testable import ThumbCustody
@testable import ThumbStorage

/// The passcode as a daemon has it: asked on the loop, stretched and unsealed off it.
@Suite("A daemon's passcode in a TPM")
struct PasscodeMovingTests {
    private func passcode(_ text: String) throws -> SecretBytes { try SecretBytes(copying: text.utf8) }

    @OnLoop private func check(_ typed: SecretBytes, _ slot: StorePasscode) async -> PasscodeVerdict {
        await withCheckedContinuation { done in slot.check(typed) { done.resume(returning: $0) } }
    }

    @OnLoop private func set(_ typed: SecretBytes, _ slot: StorePasscode) async -> Bool {
        await withCheckedContinuation { done in slot.set(typed, from: .own) { done.resume(returning: $0) } }
    }

    @Test("A passcode from before there was a TPM is right, and guarded by it from then on; guesses are then the TPM's to count")
    @OnLoop func moves() async throws {
        let tpm = try SoftwareTPM()
        let folder = try Folder()
        let chip = TPMChip(.swtpm(path: tpm.socket))
        var complaints: [String] = []
        do {
            let slot = StorePasscode(try Store(in: StateFolder(path: folder.path + "/s")), cost: .least) { _ in }
            #expect(try await set(passcode("1234"), slot))
        }
        do {
            let store = try Store(in: StateFolder(path: folder.path + "/s"), chip: chip)
            let slot = StorePasscode(store, cost: .least) { complaints.append($0) }
            #expect(try await check(passcode("0000"), slot) == .wrong)
            #expect(store.keybag.passcodeWay?.usesChip == false && complaints == [])
            #expect(try await check(passcode("1234"), slot) == .right)
            #expect(store.keybag.passcodeWay?.usesChip == true && complaints == [])
        }
        let store = try Store(in: StateFolder(path: folder.path + "/s"), chip: chip)
        let slot = StorePasscode(store, cost: .least) { complaints.append($0) }
        #expect(try await check(passcode("1234"), slot) == .right)
        #expect(try await set(passcode("5678"), slot))
        // A new software TPM waits after three.
        for _ in 0..<3 { #expect(try await check(passcode("1234"), slot) == .wrong) }
        #expect(try await check(passcode("5678"), slot) == .waits)
        #expect(complaints.count == 1)
    }

    @Test("A TPM that goes away fails the check, and a passcode that can't be sealed in it isn't set")
    @OnLoop func lost() async throws {
        let tpm = try SoftwareTPM()
        let folder = try Folder()
        var complaints: [String] = []
        let store = try Store(in: StateFolder(path: folder.path + "/s"), chip: TPMChip(.swtpm(path: tpm.socket)))
        let slot = StorePasscode(store, cost: .least) { complaints.append($0) }
        #expect(try await set(passcode("1234"), slot))
        tpm.end()
        #expect(try await check(passcode("1234"), slot) == .failed)
        #expect(try await !set(passcode("5678"), slot))
        #expect(complaints.count == 2)
        try tpm.start()
        #expect(try await check(passcode("1234"), slot) == .right)
    }

    // MARK: Logins by finger

    /// Has logins by finger open it, or no longer; why not, where that fails.
    @OnLoop private func setLogins(_ opens: Bool, _ slot: StorePasscode) async -> KeychainFailure? {
        let result: Result<Void, KeychainFailure> = await withCheckedContinuation { done in
            slot.setOpensAtLogin(opens) { done.resume(returning: $0) }
        }
        guard case .failure(let failure) = result else { return nil }
        return failure
    }

    @OnLoop private func login(_ slot: StorePasscode) async -> Bool {
        await withCheckedContinuation { done in slot.openAtLogin { done.resume(returning: $0) } }
    }

    @Test("What a login by finger opened is shut when it is given up, and opens at the next one, until its owner takes that back")
    @OnLoop func logins() async throws {
        let tpm = try SoftwareTPM()
        let folder = try Folder()
        var complaints: [String] = []
        let store = try Store(in: StateFolder(path: folder.path + "/s"), chip: TPMChip(.swtpm(path: tpm.socket)))
        let slot = StorePasscode(store, cost: .least) { complaints.append($0) }
        #expect(try await set(passcode("1234"), slot))
        #expect(await !login(slot))
        #expect(await setLogins(true, slot) == nil)
        #expect(slot.opensAtLogin)
        slot.dropKeys()
        for _ in 0..<2 {
            #expect(store.keybag.key(.firstUnlock) == nil && !slot.wasOpenedAtLogin)
            #expect(await login(slot))
            #expect(store.keybag.key(.firstUnlock) != nil && slot.wasOpenedAtLogin)
            slot.shutAtLogin()
        }
        #expect(store.keybag.key(.firstUnlock) == nil && !slot.wasOpenedAtLogin)
        #expect(await setLogins(false, slot) == nil)
        #expect(!slot.opensAtLogin)
        #expect(await !login(slot))
        #expect(complaints == [])
    }

    @Test("After another start no login opens it, and none is said to, until its owner has given the passcode and chosen so anew")
    @OnLoop func startedOtherwise() async throws {
        let tpm = try SoftwareTPM()
        let folder = try Folder()
        var complaints: [String] = []
        func measure(_ digest: UInt8) throws {
            let firmware = try CarelessClient(RecordingTCTI(socket: tpm.socket))
            try firmware.measure([UInt8](repeating: digest, count: 32))
            firmware.leave()
        }
        try measure(1)
        let chip = TPMChip(.swtpm(path: tpm.socket))
        let store = try Store(in: StateFolder(path: folder.path + "/s"), chip: chip)
        let slot = StorePasscode(store, cost: .least) { complaints.append($0) }
        #expect(try await set(passcode("1234"), slot))
        #expect(await setLogins(true, slot) == nil)
        slot.dropKeys()
        #expect(slot.opensAtLogin)
        // What firmware measures later is as good as another start.
        chip.close()
        try measure(2)
        #expect(await !login(slot))
        #expect(!slot.opensAtLogin && !slot.wasOpenedAtLogin && complaints.count == 1)
        #expect(await setLogins(true, slot) != nil)
        #expect(!slot.opensAtLogin)
        #expect(try await check(passcode("1234"), slot) == .right)
        #expect(await setLogins(true, slot) == nil)
        #expect(slot.opensAtLogin)
        slot.dropKeys()
        #expect(await login(slot))
    }

    @Test("Without a TPM no login by finger opens anything, and that is said")
    @OnLoop func withoutChip() async throws {
        let folder = try Folder()
        let slot = StorePasscode(try Store(in: StateFolder(path: folder.path + "/s")), cost: .least) { _ in }
        #expect(try await set(passcode("1234"), slot))
        #expect(await setLogins(true, slot) == .custodianAbsent)
        #expect(!slot.opensAtLogin)
        #expect(await !login(slot))
    }
}
