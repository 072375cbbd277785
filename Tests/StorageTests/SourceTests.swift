import Testing
import ThumbAccess
import ThumbSecrets

@testable import ThumbStorage

@Suite("Whose word the passcode is")
struct SourceTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func stretched(_ passcode: String) throws -> (SecretBytes, Stretch) {
        let stretch = try Stretch(cost: .least)
        return (try stretch.stretch(secret(passcode)), stretch)
    }

    private func reopened() throws -> PasscodeSource { try scratch.open().keybag.passcodeSource }

    @Test("it is kept with the slot, follows each change of it, and goes with it")
    func kept() throws {
        #expect(try reopened() == .own)
        do {
            let keybag = try scratch.open().keybag
            let (key, stretch) = try stretched("account pass")
            try keybag.setPasscode(stretched: key, stretch, from: .account)
            #expect(keybag.passcodeSource == .account)
        }
        do {
            let keybag = try scratch.open().keybag
            #expect(keybag.passcodeSource == .account)
            let stretch = try #require(keybag.passcodeStretch)
            #expect(try keybag.openPasscodeSlot(stretched: stretch.stretch(secret("account pass"))))
            let (key, new) = try stretched("my own")
            try keybag.changePasscode(stretched: key, new)
        }
        #expect(try reopened() == .own)
        do {
            let store = try scratch.open()
            let stretch = try #require(store.keybag.passcodeStretch)
            #expect(try store.keybag.openPasscodeSlot(stretched: stretch.stretch(secret("my own"))))
            let (key, new) = try stretched("account pass")
            try store.keybag.changePasscode(stretched: key, new, from: .account)
            try store.removePasscode()
            #expect(store.keybag.passcodeSource == .own)
        }
        #expect(try reopened() == .own)
    }

    @Test("a section that can't be is damage, one of a later version's is newer, and neither is taken for a passcode of its own")
    func sections() throws {
        let (key, stretch) = try stretched("account pass")
        let keybag = try scratch.open().keybag
        try keybag.setPasscode(stretched: key, stretch)
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
