import Testing
import ThumbSignIn

@Suite("Changed statements and signatures")
struct MutationTests {
    /// Every byte left out, doubled, and changed into those that `others` says, and every beginning.
    private static func changes(of bytes: [UInt8], into others: (UInt8) -> [UInt8]) -> [[UInt8]] {
        var all: [[UInt8]] = []
        for place in bytes.indices {
            all.append(Array(bytes[..<place] + bytes[(place + 1)...]))
            all.append(Array(bytes[...place] + bytes[place...]))
            all.append(Array(bytes[..<place]))
            for byte in others(bytes[place]) {
                all.append(bytes)
                all[all.count - 1][place] = byte
            }
        }
        return all
    }

    @Test("Every change of one byte makes no statement, or another one whose bytes are exactly those")
    func statements() throws {
        let good = try Statement(SignInVectors.all.good().statement)
        let bytes = good.bytes
        #expect(try Statement(bytes) == good)
        var (read, refused) = (0, 0)
        for changed in Self.changes(of: bytes, into: { byte in (0...255).filter { $0 != byte } }) {
            do throws(SignInRefusal) {
                let other = try Statement(changed)
                read += 1
                #expect(other.bytes == changed)
                // Leaving out one of two equal neighbours gives the same bytes as leaving out the other, but never the first's.
                #expect(other != good)
            } catch {
                #expect(error == .statementMalformed)
                refused += 1
            }
        }
        #expect(read + refused == bytes.count * 258)
        // Letters of names and of random bytes make other statements; everything else breaks the form.
        #expect(read > 100 && refused > bytes.count * 128)
    }

    @Test(
        "Every change of one byte makes no origin, or another one",
        arguments: [
            "https://bank.example", "https://192.0.2.1:8443", "https://[2001:db8::1]:65535", "http://127.0.0.1:8470",
            "http://localhost",
        ])
    func origins(text: String) throws {
        let good = try #require(Origin(text))
        for changed in Self.changes(of: Array(text.utf8), into: { byte in (0...255).filter { $0 != byte } }) {
            guard let changed = String(validating: changed, as: UTF8.self), let other = Origin(changed) else { continue }
            #expect(other.text == changed && other != good)
        }
    }

    @Test(
        "Every change of one bit, and each byte too few or too many, makes a signature that is refused by its form or is nobody's"
    )
    func signatures() throws {
        let (statement, good) = try SignInVectors.all.good()
        let origin = try #require(Origin(SignInVectors.all.origin))
        let device = try SignInVectors.all.record("anna")
        var answers: [SignInRefusal: Int] = [:]
        for changed in Self.changes(of: good, into: { byte in (0..<8).map { byte ^ 1 << $0 } }) {
            let answer = refusal { () throws(SignInRefusal) in
                try SignInClaim(statement: statement, signature: changed, at: origin, for: .signIn).proof(
                    by: device, JudgeCrypto())
            }
            answers[try #require(answer), default: 0] += 1
        }
        #expect(Set(answers.keys) == [.signatureMalformed, .signature])
    }

    @Test("A signature whose outer length isn't its content's is malformed, whatever it is over")
    func outerLength() throws {
        let good = try SignInVectors.all.good().signature
        #expect(refusal { () throws(SignInRefusal) in try SignatureForm(good) } == nil)
        for length in UInt8.min...UInt8.max where length != good[1] {
            let changed = [good[0], length] + good[2...]
            #expect(refusal { () throws(SignInRefusal) in try SignatureForm(changed) } == .signatureMalformed)
        }
    }

    @Test("Another device's record proves nothing, even where its key has signed")
    func otherRecord() throws {
        let (statement, signature) = try SignInVectors.all.good()
        let origin = try #require(Origin(SignInVectors.all.origin))
        var record = try SignInVectors.all.record("anna")
        record.id = try SignInVectors.all.record("other").id
        let answer = refusal { () throws(SignInRefusal) in
            try SignInClaim(statement: statement, signature: signature, at: origin, for: .signIn).proof(by: record, JudgeCrypto())
        }
        #expect(answer == .deviceUnknown)
    }

    @Test("A statement of bytes that aren't UTF-8 is none")
    func otherBytes() throws {
        let good = try SignInVectors.all.good().statement
        let account = try #require(good.firstIndex(of: UInt8(ascii: "@")))
        for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0x80]] {
            let changed = Array(good[..<account] + bytes + good[account...])
            #expect(refusal { () throws(SignInRefusal) in try Statement(changed) } == .statementMalformed)
        }
    }

    @Test("A statement as long as one can be is read, and nothing longer is looked at")
    func longest() throws {
        let labels = (0..<4).map { _ in String(repeating: "a", count: 61) }.joined(separator: ".")
        var statement = try Statement(SignInVectors.all.good().statement)
        statement.origin = try #require(Origin("https://\(labels.dropLast(6)):65535"))
        #expect(statement.origin.text.utf8.count == Origin.longest)
        statement.account = try #require(AccountName(String(repeating: "a", count: AccountName.longest)))
        statement.purpose = .changePassword
        #expect(statement.bytes.count == Statement.longest)
        #expect(try Statement(statement.bytes) == statement)
        #expect(Origin("https://a\(labels.dropLast(6)):65535") == nil)
        #expect(refusal { () throws(SignInRefusal) in try Statement(statement.bytes + [10]) } == .statementMalformed)
    }
}
