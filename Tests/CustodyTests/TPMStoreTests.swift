import Foundation
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbClient
import ThumbKeychain
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_tpm

@testable import ThumbCustody
@testable import ThumbStorage

/// Who speaks with the TPM.
enum TPMWay: CaseIterable { case itself, keeper }

/// A store whose slots and anchor are in a software TPM.
private final class SealedStore {
    let tpm: SoftwareTPM
    let folder: Folder
    let chip: any TPM
    private let keeper: KeeperStand?

    init(_ way: TPMWay = .itself) throws {
        tpm = try SoftwareTPM()
        switch way {
        case .itself: (keeper, chip) = (nil, TPMChip(.swtpm(path: tpm.socket)))
        case .keeper:
            let stand = try KeeperStand(tpm)
            (keeper, chip) = (stand, stand.device(of: 1000))
        }
        folder = try Folder()
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    }

    /// The same TPM, other files.
    init(beside other: SealedStore, _ files: [String: [UInt8]]) throws {
        (tpm, chip, keeper) = (other.tpm, other.chip, other.keeper)
        folder = try Folder()
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        try putBack(files)
    }

    func open(acceptingLosses: Bool = false) throws -> Store {
        try Store(in: StateFolder(path: folder.path), chip: chip, acceptingLosses: acceptingLosses)
    }

    func openWithout() throws -> Store { try Store(in: StateFolder(path: folder.path)) }

    func recover(_ code: SecretBytes, hasChip: Bool = true) throws -> Store? {
        try Store.recover(in: StateFolder(path: folder.path), code: code, chip: hasChip ? chip : nil)
    }

    /// Another chip at the same place.
    func clear() throws {
        try letGo()
        try tpm.replace()
    }

    /// Nobody has the TPM until it is asked for something.
    func letGo() throws {
        chip.close()
        try keeper?.restart()
    }

    /// The files as they are now, to be put back.
    func copy() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) { files[name] = try folder.read(name) }
        return files
    }

    func putBack(_ files: [String: [UInt8]]) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.removeItem(atPath: folder.path + "/" + name)
        }
        for (name, bytes) in files { _ = try folder.write(name, bytes) }
    }
}

private func set(_ passcode: String, _ store: Store) throws {
    let (way, key) = try PasscodeWay.make(
        for: SecretBytes(copying: passcode.utf8), cost: .least, chip: store.keybag.slotCustodian)
    if store.keybag.isPasscodeSet {
        try store.keybag.changePasscode(key: key, way)
    } else {
        try store.keybag.setPasscode(key: key, way)
    }
}

/// Whether the passcode opens its slot; a wrong one may be the chip's to refuse or the slot's.
private func opens(_ passcode: String, _ store: Store) throws -> Bool {
    let way = try #require(store.keybag.passcodeWay)
    guard let key = try way.key(of: SecretBytes(copying: passcode.utf8), chip: store.keybag.slotCustodian) else { return false }
    return try store.keybag.openPasscodeSlot(key: key)
}

private func code(_ body: () throws -> Void) -> StorageError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? StorageError)?.code
    }
}

/// Has logins by finger open it.
private func letLoginsOpen(_ store: Store) throws {
    let (way, half) = try ChipWay.make(guardedBy: .start, chip: try #require(store.keybag.slotCustodian))
    try store.keybag.keepLoginSlot(half: half, way)
}

/// A login by finger; whether it opens the slot.
private func login(_ store: Store) throws -> Bool {
    guard let way = store.keybag.loginWay, let chip = store.keybag.slotCustodian, let half = try way.half(chip: chip) else {
        return false
    }
    return try store.keybag.openLoginSlot(half: half)
}

@Suite("A keybag's login slot")
struct LoginSlotTests {
    @Test("it opens the first-unlock class and never the passcode's, until the keys are forgotten", arguments: TPMWay.allCases)
    func opensFirst(way: TPMWay) throws {
        let place = try SealedStore(way)
        let first = try {
            let store = try place.open()
            try set("1234", store)
            try letLoginsOpen(store)
            return store.keybag.key(.firstUnlock)
        }()
        let store = try place.open()
        #expect(store.keybag.key(.firstUnlock) == nil && !store.keybag.wasOpenedAtLogin)
        #expect(try login(store))
        #expect(store.keybag.key(.firstUnlock) == first && first != nil && store.keybag.wasOpenedAtLogin)
        #expect(store.keybag.key(.passcode) == nil && !store.keybag.wasPasscodeGiven)
        store.keybag.dropKeys()
        #expect(store.keybag.key(.firstUnlock) == nil && !store.keybag.wasOpenedAtLogin)
        #expect(try login(store) && opens("1234", store))
        #expect(!store.keybag.wasOpenedAtLogin && store.keybag.key(.passcode) != nil)
        // A changed passcode changes nothing about it.
        try set("5678", store)
        store.keybag.dropKeys()
        #expect(try login(store))
        store.keybag.shutLoginSlot()
        #expect(!store.keybag.wasOpenedAtLogin && store.keybag.key(.firstUnlock) == nil)
        // What the passcode opened stays.
        #expect(try opens("5678", store) && login(store))
        store.keybag.shutLoginSlot()
        #expect(store.keybag.key(.firstUnlock) != nil && store.keybag.key(.passcode) != nil)
    }

    @Test("it takes the passcode to make it, and there is none without a passcode")
    func making() throws {
        let place = try SealedStore()
        do {
            let store = try place.open()
            #expect(code { try letLoginsOpen(store) } == .wrongState)
            try set("1234", store)
        }
        let store = try place.open()
        #expect(code { try letLoginsOpen(store) } == .keyNotAtHand)
        #expect(
            store.keybag.loginWay == nil && code { _ = try store.keybag.openLoginSlot(half: .random(count: 32)) } == .wrongState)
        // What a login opened doesn't make another way in.
        #expect(try opens("1234", store))
        try letLoginsOpen(store)
        store.keybag.dropKeys()
        #expect(try login(store))
        #expect(code { try letLoginsOpen(store) } == .keyNotAtHand)
        // Nor does it remove the passcode, or make a recovery code.
        #expect(code { try store.removePasscode() } == .keyNotAtHand)
        #expect(code { _ = try store.keybag.makeRecoveryCode() } == .keyNotAtHand)
        let recovered = code { _ = try store.keybag.changePasscode(key: .random(count: 32), #require(store.keybag.passcodeWay)) }
        #expect(recovered == .keyNotAtHand)
    }

    @Test("nor does what it opened replace the passcode, although the recovery code was given before")
    func recovering() throws {
        let place = try SealedStore()
        let store = try place.open()
        try set("1234", store)
        try letLoginsOpen(store)
        let printed = try store.keybag.makeRecoveryCode()
        store.keybag.dropKeys()
        #expect(try store.keybag.openRecoverySlot(printed))
        // What the code opened is forgotten, as at a lock, before a new passcode was set.
        store.keybag.dropKeys()
        #expect(try login(store))
        let (before, way) = (try place.folder.read("keybag"), try #require(store.keybag.passcodeWay))
        #expect(code { try store.keybag.keep(key: .random(count: 32), way, from: .own) } == .keyNotAtHand)
        #expect(code { try store.keybag.replaceForgottenPasscode(key: .random(count: 32), way) } == .keyNotAtHand)
        #expect(try place.folder.read("keybag") == before)
        #expect(try opens("1234", store))
    }

    @Test("it is erased when its owner says so, with the passcode, and with a forgotten passcode")
    func erased() throws {
        for erase in [
            { try $0.keybag.removeLoginSlot() }, { try $0.removePasscode() },
            { store in
                let recovery = try store.keybag.makeRecoveryCode()
                store.keybag.dropKeys()
                #expect(try store.keybag.openRecoverySlot(recovery))
                let (way, key) = try PasscodeWay.make(for: SecretBytes(copying: "5678".utf8), cost: .least, chip: nil)
                try store.keybag.replaceForgottenPasscode(key: key, way)
            },
        ] as [(Store) throws -> Void] {
            let place = try SealedStore()
            let store = try place.open()
            try set("1234", store)
            try letLoginsOpen(store)
            let with = try place.folder.read("keybag").count
            try erase(store)
            #expect(store.keybag.loginWay == nil)
            #expect(try !login(store) && place.folder.read("keybag").count < with)
        }
    }

    @Test("another TPM has nothing of it; opened with the recovery code there, the keybag has no login slot")
    func foreign() throws {
        let place = try SealedStore()
        let recovery = try {
            let store = try place.open()
            try set("1234", store)
            try letLoginsOpen(store)
            return try store.keybag.makeRecoveryCode()
        }()
        let files = try place.copy()
        try place.clear()
        #expect(code { _ = try place.open() } == .custodianForeign)
        // Not even somebody who has the device key gets anywhere: the half is in the other chip.
        let file = try KeybagFile.parse(SecretBytes(copying: try #require(files["keybag"])))
        let way = try LoginSlot(try #require(file[.login])).way
        let own = place.chip
        #expect(code { _ = try way.half(chip: own) } == .custodianForeign)
        let store = try #require(try place.recover(recovery))
        #expect(store.keybag.loginWay == nil)
    }

    @Test("a slot that was changed, or comes from another keybag, opens nothing")
    func changed() throws {
        let place = try SealedStore()
        let store = try place.open()
        try set("1234", store)
        try letLoginsOpen(store)
        let (keybag, way) = (store.keybag, try #require(store.keybag.loginWay))
        let half = try #require(try way.half(chip: place.chip))
        #expect(try !keybag.openLoginSlot(half: .random(count: 32)))
        let file = try KeybagFile.parse(SecretBytes(copying: place.folder.read("keybag")))
        let section = try #require(file[.login])
        #expect(try LoginSlot(section).open(half: half, keybag: keybag.id) != nil)
        #expect(try LoginSlot(section).open(half: half, keybag: [UInt8](repeating: 7, count: 16)) == nil)
        let body = section.body.plainBytes(in: 0..<section.body.count)
        // The chip's part of it says nothing to the chip that it didn't say itself; what is bound to it is the sealed keys.
        for index in stride(from: 0, to: body.count, by: 3) {
            var other = body
            other[index] ^= 1
            let changed = KeybagFile.Section(purpose: .login, kind: .tpmAndStart, body: try SecretBytes(copying: other))
            guard let slot = try? LoginSlot(changed) else { continue }
            #expect(try slot.open(half: half, keybag: keybag.id) == nil, "byte \(index)")
        }
    }
}

@Suite("A keybag's slots in a TPM")
struct TPMSlotTests {
    @Test("A new keybag's keys open with the TPM that it was made with, and with nothing else", arguments: TPMWay.allCases)
    func device(way: TPMWay) throws {
        let place = try SealedStore(way)
        let keys = try {
            let keybag = try place.open().keybag
            #expect(keybag.slotCustodian != nil && keybag.chipRefusal == nil)
            return [keybag.key(.device), keybag.key(.firstUnlock)]
        }()
        let file = try place.folder.read("keybag")
        for key in keys {
            let bytes = try #require(key).plainBytes(in: 0..<32)
            #expect(Data(file).range(of: Data(bytes)) == nil)
        }
        do {
            let again = try place.open().keybag
            #expect([again.key(.device), again.key(.firstUnlock)] == keys)
        }
        #expect(code { _ = try place.openWithout() } == .custodianAbsent)
        try place.letGo()
        place.tpm.end()
        #expect(code { _ = try place.open() } == .custodianAbsent)
        try place.tpm.start()
        #expect(try place.open().keybag.key(.device) == keys[0])
        try place.clear()
        #expect(code { _ = try place.open() } == .custodianForeign)
        #expect(try place.folder.read("keybag").count == file.count)
    }

    @Test(
        "A keybag made without a TPM moves in: its device slot at once, its passcode slot when the passcode is given",
        arguments: TPMWay.allCases)
    func migrates(way: TPMWay) throws {
        let place = try SealedStore(way)
        let device = try {
            let store = try place.openWithout()
            try set("1234", store)
            return store.keybag.key(.device)
        }()
        do {
            let store = try place.open()
            #expect(store.keybag.slotCustodian != nil && store.keybag.canPasscodeMove)
            #expect(store.keybag.key(.device) == device && store.keybag.key(.firstUnlock) == nil)
            #expect(try opens("1234", store))
            try set("1234", store)
            #expect(!store.keybag.canPasscodeMove)
        }
        let store = try place.open()
        #expect(try store.keybag.passcodeWay?.usesChip == true && opens("1234", store))
        #expect(store.keybag.key(.passcode) != nil)
    }

    @Test("The passcode slot needs the passcode and the chip, which counts wrong ones and then waits")
    func passcode() throws {
        let place = try SealedStore()
        do {
            let store = try place.open()
            try set("1234", store)
            // A passcode is changed and removed as without a chip.
            try set("5678", store)
        }
        do {
            let store = try place.open()
            #expect(try !opens("1234", store))
            #expect(store.keybag.key(.firstUnlock) == nil)
            #expect(try opens("5678", store))
            #expect(store.keybag.key(.firstUnlock) != nil)
        }
        // A new software TPM waits after three.
        let store = try place.open()
        for _ in 0..<2 { #expect(try !opens("0000", store)) }
        #expect(code { _ = try opens("5678", store) } == .custodianLocked)
        // The chip's wait is for guesses alone: the device slot opens all the same.
        #expect(store.keybag.key(.device) != nil)
    }

    @Test("Without its chip, a passcode slot's file is no ground to guess on", arguments: TPMWay.allCases)
    func guessing(way: TPMWay) throws {
        let place = try SealedStore(way)
        do { try set("1234", place.open()) }
        try place.clear()
        let file = try KeybagFile.parse(SecretBytes(copying: place.folder.read("keybag")))
        let slot = try PasscodeSlot(try #require(file[.passcode]))
        #expect(code { _ = try slot.way.key(of: SecretBytes(copying: "1234".utf8), chip: place.chip) } == .custodianForeign)
        // What the file alone allows: both halves of the stretched passcode, and no half of the chip's.
        let stretched = try slot.way.stretch.stretch(SecretBytes(copying: "1234".utf8), count: 64)
        for part in [0..<32, 32..<64, 0..<64] {
            #expect(try slot.open(key: stretched.slice(part), keybag: file.id) == nil)
        }
    }

    @Test("Its key is the chip's half and the half of the stretched passcode that no chip hears", arguments: TPMWay.allCases)
    func halves(way: TPMWay) throws {
        let place = try SealedStore(way)
        do { try set("1234", place.open()) }
        let file = try KeybagFile.parse(SecretBytes(copying: place.folder.read("keybag")))
        let slot = try PasscodeSlot(try #require(file[.passcode]))
        let stretched = try slot.way.stretch.stretch(SecretBytes(copying: "1234".utf8), count: 64)
        let (seal, told) = (try #require(slot.way.seal), try stretched.slice(0..<32))
        let half = try #require(try place.chip.unseal(seal, under: told, guardedBy: .guesses))
        // Otherwise the chip alone would be enough.
        for (own, isRight) in [(32..<64, true), (0..<32, false)] {
            let key = try SecretBytes(copying: half.plainBytes(in: 0..<half.count) + stretched.plainBytes(in: own))
            let opened = try slot.open(key: key, keybag: file.id)
            #expect((opened != nil) == isRight)
        }
    }

    @Test(
        "After the TPM was cleared the recovery code opens everything but what the passcode alone could",
        arguments: [true, false])
    func recovers(hasChip: Bool) throws {
        let place = try SealedStore()
        let (printed, keys) = try {
            let store = try place.open()
            try set("1234", store)
            let printed = try store.keybag.makeRecoveryCode()
            return (printed, [store.keybag.key(.device), store.keybag.key(.firstUnlock)])
        }()
        try place.clear()
        #expect(code { _ = try place.open() } == .custodianForeign)
        var wrong = printed.plainBytes(in: 0..<printed.count)
        wrong.swapAt(0, wrong[0] == wrong[1] ? 2 : 1)
        #expect(code { _ = try place.recover(SecretBytes(copying: wrong)) } == .mistyped)
        do {
            let store = try #require(try place.recover(printed, hasChip: hasChip))
            #expect([store.keybag.key(.device), store.keybag.key(.firstUnlock)] == keys)
            // Nobody gains attempts by it.
            #expect(store.items.wasLedgerDamaged)
            #expect((store.keybag.slotCustodian != nil) == hasChip)
        }
        let store = try hasChip ? place.open() : place.openWithout()
        #expect(store.keybag.key(.device) == keys[0] && store.keybag.key(.firstUnlock) == nil)
        #expect(code { _ = try opens("1234", store) } == (hasChip ? .custodianForeign : .custodianAbsent))
        #expect(try store.keybag.openRecoverySlot(printed))
        let (way, key) = try PasscodeWay.make(
            for: SecretBytes(copying: "5678".utf8), cost: .least, chip: store.keybag.slotCustodian)
        try store.keybag.replaceForgottenPasscode(key: key, way)
        #expect(try opens("5678", store))
    }
}

@Suite("A store's anchor in a TPM")
struct TPMAnchorTests {
    private let miss = Attempts(biometric: 1, passcode: 0)

    @Test("An old copy of the whole store is noticed after each security event, and left as it is", arguments: TPMWay.allCases)
    func oldCopy(way: TPMWay) throws {
        let place = try SealedStore(way)
        do { _ = try place.open() }
        let old = try place.copy()
        do { try place.open().items.commit(miss) }
        let new = try place.copy()
        try place.putBack(old)
        #expect(code { _ = try place.open() } == .oldCopy)
        for name in ["keybag", "items.db"] { #expect(try place.folder.read(name) == old[name]) }
        try place.putBack(new)
        #expect(try place.open().items.attempts == miss)
        // Each event by itself, in one run of the daemon.
        let store = try place.open()
        var copies: [[String: [UInt8]]] = []
        for count in 2...4 {
            copies.append(try place.copy())
            try store.items.commit(Attempts(biometric: count, passcode: 0))
        }
        for copy in copies {
            let other = try SealedStore(beside: place, copy)
            #expect(code { _ = try other.open() } == .oldCopy)
        }
    }

    @Test("A wrong passcode moves it as a finger's miss does, and a miss that is forgiven doesn't")
    func misses() throws {
        let place = try SealedStore()
        let items = try place.open().items
        let anchor = try #require(items.anchor)
        var copies: [[String: [UInt8]]] = []
        for (biometric, passcode) in [(0, 1), (0, 2), (1, 2), (1, 3)] {
            let before = try #require(try anchor.count())
            copies.append(try place.copy())
            try items.commit(Attempts(biometric: biometric, passcode: passcode))
            #expect(try anchor.count() == before + 1, "\(biometric) and \(passcode)")
        }
        let count = try anchor.count()
        try items.commit(Attempts())
        #expect(try anchor.count() == count)
        for copy in copies {
            let other = try SealedStore(beside: place, copy)
            #expect(code { _ = try other.open() } == .oldCopy)
        }
    }

    @Test("Each change of what protects the owner moves it, and what programs do with their items doesn't")
    func protection() throws {
        let place = try SealedStore()
        let items = try place.open().items
        let anchor = try #require(items.anchor)
        let vault = Caller(uid: 1000, pid: 1, kind: .consented, name: "vault", groups: ["vault"])
        var copies: [[String: [UInt8]]] = []
        for event in AuditEvent.allCases {
            let before = try #require(try anchor.count())
            if event.changesProtection { copies.append(try place.copy()) }
            items.note(AuditNote(date: 1, event: event, by: vault))
            try items.flush()
            #expect(try anchor.count() == (event.changesProtection ? before + 1 : before), "\(event)")
        }
        #expect(copies.count > 10 && copies.count < AuditEvent.allCases.count)
        for copy in copies {
            let other = try SealedStore(beside: place, copy)
            #expect(code { _ = try other.open() } == .oldCopy)
        }
    }

    @Test("What was written without an event is bound when the store is next opened", arguments: TPMWay.allCases)
    func opening(way: TPMWay) throws {
        let place = try SealedStore(way)
        do { _ = try place.open() }
        do { try place.open().items.insertMarked("a") }
        let old = try place.copy()
        do {
            let items = try place.open().items
            #expect(items.count == 1)
            try items.insertMarked("b")
        }
        do { _ = try place.open() }
        try place.putBack(old)
        #expect(code { _ = try place.open() } == .oldCopy)
    }

    @Test("A crash between the total and the counter isn't taken for an old copy")
    func crash() throws {
        let place = try SealedStore()
        let store = try place.open()
        // The chip's turn never comes.
        store.items.countElsewhere = { _ in false }
        try store.items.commit(miss)
        let crashed = try SealedStore(beside: place, place.copy())
        let again = try crashed.open()
        #expect(again.items.attempts == miss && again.items.anchorRefusal == nil)
        let known = again.items.total.anchor
        #expect(try again.items.anchor?.count() == known)
    }

    @Test("Nor is a crash after a second event, if the counter hasn't followed the first one")
    func crashAfterTwo() throws {
        let place = try SealedStore()
        let store = try place.open()
        store.items.countElsewhere = { _ in false }
        for count in 1...2 { try store.items.commit(Attempts(biometric: count, passcode: 0)) }
        let crashed = try SealedStore(beside: place, place.copy())
        let again = try crashed.open()
        #expect(again.items.attempts.biometric == 2 && again.items.anchorRefusal == nil)
        let known = again.items.total.anchor
        #expect(try again.items.anchor?.count() == known)
    }

    @Test("An event that happens while the chip counts another one is bound as soon as the chip has counted")
    func meanwhile() throws {
        let place = try SealedStore()
        let items = try place.open().items
        var works: [@Sendable () -> Result<UInt64, StorageError>] = []
        items.countElsewhere = { work in
            works.append(work)
            return true
        }
        try items.commit(miss)
        let between = try place.copy()
        try items.commit(Attempts(biometric: 2, passcode: 0))
        #expect(works.count == 1)
        while !works.isEmpty {
            let work = works.removeFirst()
            items.anchored(work())
        }
        let known = items.total.anchor
        #expect(try items.anchor?.count() == known && items.anchorRefusal == nil)
        let other = try SealedStore(beside: place, between)
        #expect(code { _ = try other.open() } == .oldCopy)
    }

    @Test("A crash while the counter is made isn't the end of it: the next opening makes it, and old copies are noticed")
    func crashAtFirst() throws {
        let place = try SealedStore()
        let crashed: SealedStore
        do {
            let store = try place.open()
            // As it is on disk before the chip was asked for the first time.
            try store.items.transaction(isWork: false) { $0.anchor = Anchor.isBeingMade }
            crashed = try SealedStore(beside: place, place.copy())
        }
        do {
            let items = try crashed.open().items
            #expect(items.total.anchor != Anchor.isBeingMade)
            #expect(try items.anchor?.count() == items.total.anchor)
        }
        let old = try crashed.copy()
        do { try crashed.open().items.commit(miss) }
        try crashed.putBack(old)
        #expect(code { _ = try crashed.open() } == .oldCopy)
    }

    @Test("An older keybag beside the present items is an old copy too, with a TPM or without", arguments: [true, false])
    func oldKeybag(hasChip: Bool) throws {
        let place = try SealedStore()
        func open() throws -> Store { try hasChip ? place.open() : place.openWithout() }
        do { try set("1234", open()) }
        let old = try place.folder.read("keybag")
        do {
            let store = try open()
            #expect(try opens("1234", store))
            try set("5678", store)
            try store.items.commit(miss)
        }
        let new = try place.folder.read("keybag")
        _ = try place.folder.write("keybag", old)
        #expect(code { _ = try open() } == .oldCopy)
        _ = try place.folder.write("keybag", new)
        _ = try open()
    }

    @Test("Its owner may go on with an old copy: with biometry locked out, and bound again")
    func accepted() throws {
        let place = try SealedStore()
        do { _ = try place.open() }
        let old = try place.copy()
        do { try place.open().items.commit(miss) }
        try place.putBack(old)
        do {
            let store = try place.open(acceptingLosses: true)
            #expect(store.items.wasLedgerDamaged && store.items.attempts.biometric == Attempts.biometricLimit)
        }
        do {
            // The anchor matches again, and the old copy's counters are still not believed.
            let items = try place.open().items
            #expect(items.attempts.biometric == Attempts.biometricLimit && items.attempts.passcodeDelay > 0)
            try items.commit(miss)
        }
        let bound = try place.copy()
        do { try place.open().items.commit(Attempts(biometric: 2, passcode: 0)) }
        try place.putBack(bound)
        #expect(code { _ = try place.open() } == .oldCopy)
    }

    @Test("Somebody else's index in the counter's place makes it refuse too, and its owner may go on without a counter")
    func foreignIndex() throws {
        let place = try SealedStore()
        do { try place.open().items.commit(miss) }
        place.chip.close()
        let owner = try CarelessClient(RecordingTCTI(socket: place.tpm.socket))
        for index in try owner.indexes() {
            try owner.undefine(index)
            try owner.define(index, attributes: 0x0004_0004, authorization: [1, 2, 3, 4])
        }
        #expect(try owner.indexes().count == 1)
        owner.leave()
        #expect(code { _ = try place.open() } == .oldCopy)
        do {
            let items = try place.open(acceptingLosses: true).items
            #expect(items.wasLedgerDamaged && items.anchorRefusal != nil && items.total.anchor == 0)
        }
        let items = try place.open().items
        #expect(items.anchorRefusal != nil && items.total.anchor == 0)
    }

    @Test("A counter that is taken away, or another in its place, makes the store refuse")
    func removed() throws {
        let place = try SealedStore()
        let count = try {
            let items = try place.open().items
            try items.commit(miss)
            return try #require(try items.anchor?.count())
        }()
        place.chip.close()
        let owner = try CarelessClient(RecordingTCTI(socket: place.tpm.socket))
        let indexes = try owner.indexes()
        #expect(indexes.count == 1)
        for index in indexes { try owner.undefine(index) }
        owner.leave()
        #expect(code { _ = try place.open() } == .oldCopy)
        // The next one begins past it: counting it down is no way.
        let store = try place.open(acceptingLosses: true)
        #expect(try #require(try store.items.anchor?.count()) > count)
    }

    @Test("A copy from before there was a counter is noticed")
    func before() throws {
        let place = try SealedStore()
        do { _ = try place.openWithout() }
        let unbound = try place.copy()
        do { _ = try place.open() }
        try place.putBack(unbound)
        #expect(code { _ = try place.open() } == .oldCopy)
    }

    @Test("The counter's authorization never crosses in clear")
    func crosses() throws {
        let tpm = try SoftwareTPM()
        let way = try RecordingTCTI(socket: tpm.socket)
        let chip = TPMChip { () throws(TPMError) in TCTI(context: way.context, isDirect: true) { way.close() } }
        let own = try SecretBytes.random(count: 32)
        let first = try chip.countUp([1, 2, 3, 4], under: own)
        #expect(try chip.countUp([1, 2, 3, 4], under: own) == first + 1)
        #expect(try chip.count([1, 2, 3, 4], under: own) == first + 1)
        #expect(try chip.count([4, 3, 2, 1], under: own) == nil)
        #expect(throws: KeychainFailure.damaged) { try chip.count([1, 2, 3, 4], under: SecretBytes.random(count: 32)) }
        chip.close()
        let crossed = way.crossed.flatMap { $0 }
        for half in [own.plainBytes(in: 0..<16), own.plainBytes(in: 16..<32)] { #expect(!crossed.contains(half)) }
    }
}

@Suite("A daemon whose store doesn't open any more")
struct MendingTests {
    /// What a program that asks is told.
    private func answer(_ place: SealedStore) async throws -> KeychainFailure? {
        let (folder, tpm) = (place.folder.path, "swtpm:" + place.tpm.socket)
        return try await onThread {
            let daemon = try #require(try Daemon.listening(state: folder, tpm: tpm))
            defer { daemon.child.killed() }
            do throws(KeychainFailure) {
                _ = try daemon.client().find(Query(itemClass: .genericPassword, shape: [.attributes]))
                return nil
            } catch {
                return error
            }
        }
    }

    /// The exit status of the daemon's mending.
    private func mend(_ place: SealedStore, _ action: String, _ input: [UInt8] = []) throws -> Int32 {
        let program = builtPrograms.appending(path: "thumbturnd").path
        let words = [action, "--state", place.folder.path, "--tpm", "swtpm:" + place.tpm.socket]
        do {
            try Program.run(program, words, input: input)
            return 0
        } catch let error as Program.Failed {
            return error.status
        }
    }

    @Test("After the TPM was cleared it says so, and opens again by the recovery code and nothing else")
    func cleared() async throws {
        let place = try SealedStore()
        let code = try {
            let store = try place.open()
            try set("1234", store)
            let printed = try store.keybag.makeRecoveryCode()
            return printed.plainBytes(in: 0..<printed.count)
        }()
        try place.clear()
        let keybag = try place.folder.read("keybag")
        #expect(try await answer(place) == .custodianAbsent)
        #expect(try mend(place, "--recover") == 66)
        #expect(try mend(place, "--recover", Array(code.dropLast()) + [code.last == 0x30 ? 0x31 : 0x30]) == 65)
        let other = try {
            let printed = try RecoveryCode.printed(RecoveryCode.random())
            return printed.plainBytes(in: 0..<printed.count)
        }()
        #expect(try mend(place, "--recover", other) == 1)
        #expect(try mend(place, "--accept-losses") == 70)
        #expect(try place.folder.read("keybag") == keybag)
        #expect(try mend(place, "--recover", code + [0x0a]) == 0)
        #expect(try await answer(place) == .itemNotFound)
    }

    @Test("An old copy isn't served until its owner says so")
    func oldCopy() async throws {
        let place = try SealedStore()
        do { _ = try place.open() }
        let old = try place.copy()
        do { try place.open().items.commit(Attempts(biometric: 1, passcode: 0)) }
        place.chip.close()
        try place.putBack(old)
        #expect(try await answer(place) == .storeUnavailable)
        #expect(try mend(place, "--accept-losses") == 0)
        #expect(try await answer(place) == .itemNotFound)
    }
}

extension ItemDatabase {
    fileprivate func insertMarked(_ account: String) throws {
        try insert(
            StoredItem(
                id: try #require(ItemID((0..<16).map { _ in UInt8.random(in: 0...255) })), itemClass: .genericPassword,
                group: "org.example.app", rule: AccessRule(.afterFirstUnlock), attributes: [.account: .text(account)],
                hasSecret: false, enrolment: nil), secret: nil)
    }
}
