import Testing
import ThumbAccess

@Suite("Items that are kept for other programs") struct KeptItemTests {
    private static let id = Array(0..<16 as Range<UInt8>)

    @Test("an item's name has its id in hexadecimal digits, and back")
    func names() {
        #expect(KeptItem.name(ofID: [0, 9, 10, 255]) == "00090aff")
        let name = KeptItem.name(ofReference: Array("genp".utf8) + Self.id)
        #expect(name == "000102030405060708090a0b0c0d0e0f" && name.flatMap { KeptItem.id(ofName: $0) } == Self.id)
    }

    @Test("only a whole reference to a password has a name, and only such a name an id")
    func others() {
        for wrong in [
            Array("genp".utf8) + Self.id.dropLast(), Array("genp".utf8) + Self.id + [0], Array("keys".utf8) + Self.id, [],
        ] {
            #expect(KeptItem.name(ofReference: wrong) == nil)
        }
        for wrong: ExactName in [
            "", "00", "000102030405060708090a0b0c0d0e0", "000102030405060708090A0B0C0D0E0F", "000102030405060708090a0b0c0d0e0g",
            "000102030405060708090a0b0c0d0e0f0",
        ] {
            #expect(KeptItem.id(ofName: wrong) == nil)
        }
    }

    @Test("the provider is the protected program in system mode, and known by its name otherwise")
    func groups() {
        #expect(KeptItem.group(in: .system) == "protected:secrets")
        #expect(KeptItem.group(in: .user) == "org.thumbturn.secrets")
        #expect(KeptItem.group(in: .simulated) == "org.thumbturn.secrets")
        // In system mode no program can give itself that name.
        #expect(GroupName.own(label: KeptItem.group(in: .system)) == nil)
    }

    @Test("an identity is shown without its digests, and nothing else of it is left out")
    func words() {
        let digest = String(repeating: "0a", count: 32)
        let cases: [(ExactName, String)] = [
            ("/usr/bin/git", "/usr/bin/git"), (ExactName("/home/a/x sha256:\(digest)"), "/home/a/x"),
            (ExactName("/usr/bin/python3 /home/a/x.py sha256:\(digest)"), "/usr/bin/python3 /home/a/x.py"),
            (ExactName("/usr/bin/python3 text sha256:\(digest)"), "/usr/bin/python3 text"),
            (ExactName("/a sha256:\(digest) for /b sha256:\(digest)"), "/a for /b"),
            ("/a sha256:short", "/a sha256:short"),
            (ExactName("/a sha256:\(digest.dropLast())"), "/a sha256:\(digest.dropLast())"),
            ("/a\n/b", "/a /b"),
        ]
        for (identity, words) in cases { #expect(KeptItem.words(of: identity, limit: 200) == words) }
    }
}
