import Testing
import ThumbAccess
import ThumbSecrets

@testable import ThumbStorage

@Suite("Whose word the passcode is")
struct SourceTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func stretched(_ passcode: String) throws -> (SecretBytes, PasscodeWay) {
        let stretch = try Stretch(cost: .least)
        return (try stretch.stretch(secret(passcode)), PasscodeWay(stretch))
    }

    private func open(_ keybag: Keybag, _ passcode: String) throws -> Bool {
        let way = try #require(keybag.passcodeWay)
        let key = try #require(try way.key(of: secret(passcode), chip: nil))
        return try keybag.openPasscodeSlot(key: key)
    }

    private func reopened() throws -> PasscodeSource { try scratch.open().keybag.passcodeSource }

    @Test("it is kept with the slot, follows each change of it, and goes with it")
    func kept() throws {
        #expect(try reopened() == .own)
        do {
            let keybag = try scratch.open().keybag
            let (key, way) = try stretched("account pass")
            try keybag.setPasscode(key: key, way, from: .account)
            #expect(keybag.passcodeSource == .account)
        }
        do {
            let keybag = try scratch.open().keybag
            #expect(keybag.passcodeSource == .account)
            #expect(try open(keybag, "account pass"))
            let (key, new) = try stretched("my own")
            try keybag.changePasscode(key: key, new)
        }
        #expect(try reopened() == .own)
        do {
            let store = try scratch.open()
            #expect(try open(store.keybag, "my own"))
            let (key, new) = try stretched("account pass")
            try store.keybag.changePasscode(key: key, new, from: .account)
            try store.removePasscode()
            #expect(store.keybag.passcodeSource == .own)
        }
        #expect(try reopened() == .own)
    }

    @Test("a section that can't be is damage, one of a later version's is newer, and neither is taken for a passcode of its own")
    func sections() throws {
        let (key, way) = try stretched("account pass")
        let keybag = try scratch.open().keybag
        try keybag.setPasscode(key: key, way)
        func source(_ body: [UInt8], _ kind: KeybagFile.Kind = .file) throws -> KeybagFile {
            var file = keybag.file
            file[.source] = KeybagFile.Section(purpose: .source, kind: kind, body: try SecretBytes(copying: body))
            return file
        }
        #expect(try SourceSection.read(keybag.file) == .own)
        #expect(try SourceSection.read(source([2])) == .account)
        for wrong in [try source([]), try source([1]), try source([2, 0]), try source([2], .argon2id)] {
            #expect(throws: Malformed.self) { try SourceSection.read(wrong) }
        }
        var bare = try source([2])
        bare[.passcode] = nil
        #expect(throws: Malformed.self) { try SourceSection.read(bare) }
        do {
            _ = try SourceSection.read(source([3]))
            Issue.record("it was understood")
        } catch let error as StorageError {
            #expect(error.code == .newer)
        }
    }
}
