import Testing
import ThumbAccess
import ThumbKeychain
import ThumbSecrets

@testable import ThumbStorage

@Suite("The form of the house's own rows") struct HouseFormTests {
    @Test("a row that was made by the document, and by nothing of ours, is read, and adds up as the document says")
    func byTheDocument() throws {
        let scratch = try Scratch()
        let id = [UInt8](0x10..<0x20)
        let keys = try ([1, 2] as [UInt8]).map { try ClassKey(SecretBytes(copying: [UInt8](repeating: $0, count: 32))) }
        let slot = try DeviceSlot.make(KeySet(keys: [.device: keys[0], .firstUnlock: keys[1]]), .file, keybag: id)
        let keybag = KeybagFile(state: .standing, id: id, revision: 5, serial: 0, sections: [slot])
        try scratch.write(plain(keybag.serialised(key: DeviceKeys(keys[0]).keybagFile)), "keybag")
        try ItemDatabase.found(for: Keybag.open(in: StateFolder(path: scratch.path)))
        // Another program calculated the row, and the sum below, as docs/STORE.md says. The seal's nonce are the bytes from 10 to 1b.
        try scratch.sql(
            """
            INSERT INTO allowances(row, name, tag, sealed) VALUES(
            1, x'c0e6ab7937093afddf2ae238f4b8e1dc', x'412dcc72bc9f97663f36d444743fbb8b',
            x'101112131415161718191a1ba1d531f2260679f938412dcc72bc9f97663f36d444743fbb8b')
            """)
        // The new database's total doesn't know the row.
        let items = try scratch.open(acceptingLosses: true).items
        #expect(try items.allowances() == [GivenAllowance(.softwareKeys, date: 7)] && items.quarantined == 0)
        var sum = ByteWriter()
        items.total.house.sum.write(to: &sum)
        let calculated: [UInt8] = [
            0xee, 0x31, 0x33, 0x23, 0x43, 0x46, 0x70, 0x3b, 0x6c, 0x5e, 0xb1, 0x16, 0xbf, 0x13, 0x2c, 0x29,
            0x6a, 0x23, 0x31, 0xf2, 0x2e, 0xa5, 0xbc, 0x2f, 0xbe, 0x27, 0x5a, 0x1f, 0x09, 0x4d, 0x5d, 0x34,
        ]
        #expect(sum.bytes == calculated && items.total.house.rows == 1)
    }
}
