import Testing
import ThumbAccess

@Suite("Limits of what an app may say")
struct LimitTests {
    @Test("a reason of 4 KiB is kept whole, and one byte more is cut below it")
    func reason() {
        let whole = String(repeating: "a", count: QueryLimit.wordsBytes)
        #expect(PromptWords(reason: whole).reason == whole)
        #expect(PromptWords(reason: whole + "b").reason.utf8.count < QueryLimit.wordsBytes)
    }

    @Test("a cut inside a character leaves valid text within the limit", arguments: ["a", "é", "€", "👍"], 0..<4)
    func cut(text: String, shift: Int) {
        let long = String(repeating: "a", count: shift) + String(repeating: text, count: 1 << 18)
        let words = PromptWords(reason: long, fallbackTitle: long, cancelTitle: long)
        for kept in [words.reason, words.fallbackTitle ?? "", words.cancelTitle ?? ""] {
            #expect(kept.utf8.count <= QueryLimit.wordsBytes)
            #expect(long.hasPrefix(kept.dropLast()))
        }
    }

    @Test("no fallback title and an empty one stay apart: the empty one takes the button away")
    func titles() {
        #expect(PromptWords(reason: "r").fallbackTitle == nil)
        #expect(PromptWords(reason: "r", fallbackTitle: "").fallbackTitle == "")
    }

    @Test("one secret with all its attributes fits a frame", arguments: [2 << 20])
    func frame(bytes: Int) {
        #expect(QueryLimit.secretBytes + QueryLimit.attributesBytes + 2 * QueryLimit.attributesBytes < bytes)
        #expect(QueryLimit.attributeBytes <= QueryLimit.attributesBytes)
        #expect(PasscodeLimit.least < PasscodeLimit.most && PasscodeLimit.most <= CredentialLimit.bytes)
    }

    @Test("a question of the system's has 512 bytes at most, and a longer one is cut", arguments: ["a", "\u{e9}", "€", "👍"])
    func question(letter: String) {
        let whole = String(repeating: "q", count: AccountQuestion.textBytes)
        #expect(AccountQuestion(text: whole, isHidden: true).text == whole)
        let cut = AccountQuestion(text: String(repeating: letter, count: 1000), isHidden: true).text
        #expect(cut.utf8.count <= AccountQuestion.textBytes && cut.hasPrefix(String(repeating: letter, count: 100)))
    }

    @Test("a reader's name is made safe to show, and cut after 128 characters")
    func readersName() {
        let name = String(repeating: "r", count: SensorFacts.longestName)
        #expect(SensorFacts(name: name).name == name && SensorFacts(name: name + "r").name == name + "…")
        #expect(SensorFacts(name: "a\u{1b}[2J\nb").name == "a\u{fffd}[2J b")
    }

    @Test("an item takes 512 bytes of a store's room besides what is in it")
    func overhead() {
        let (quota, usage) = (StoreQuota(items: 10, bytes: 10_000), StoreUsage(items: 0, bytes: 0))
        #expect(quota.allows(2, bytes: 10_000 - 1024, beside: usage))
        #expect(!quota.allows(2, bytes: 10_000 - 1023, beside: usage))
    }

    @Test("a user's store takes 100,000 items and a gibibyte, and no more")
    func store() {
        let quota = StoreQuota.standard
        #expect(quota.allows(1, bytes: 0, beside: StoreUsage(items: 99_999, bytes: 0)))
        #expect(!quota.allows(1, bytes: 0, beside: StoreUsage(items: 100_000, bytes: 0)))
        #expect(quota.allows(0, bytes: 1, beside: StoreUsage(items: 0, bytes: 1_073_741_823)))
        #expect(!quota.allows(0, bytes: 1, beside: StoreUsage(items: 0, bytes: 1_073_741_824)))
    }

    @Test("a prompt has the screen, and a dismissed program waits, for as long as the page says")
    func promptTimes() {
        #expect(PromptLimit.secondsWithoutAct == 30 && PromptLimit.secondsAtMost == 180)
        #expect(PromptLimit.secondsDismissed == 60 && PromptLimit.dismissedPrograms == 256)
        #expect(PromptLimit.secondsToShow == 5 && PromptLimit.secondsOfSilence == 3)
        #expect(PromptLimit.secondsForTicket == 30 && PromptLimit.secondsForAgent == 5)
        #expect(PromptLimit.secondsBetweenWords == 1 && PromptLimit.secondsForSeat == 1)
    }

    @Test("what one call may bring, look at and get is as much as the page says")
    func sizes() {
        #expect(QueryLimit.secretBytes == 1 << 20 && QueryLimit.releasedBytes == 8 << 20)
        #expect(QueryLimit.attributeBytes == 64 << 10 && QueryLimit.attributesBytes == 256 << 10)
        #expect(QueryLimit.gatheredBytes == 16 << 20 && QueryLimit.pairedItems == 100_000)
        #expect(QueryLimit.wordsBytes == 4 << 10 && CredentialLimit.bytes == 4 << 10)
        #expect(ReaderLimit.releasedItems == 64 && ReaderLimit.weighedItems == 4096)
        #expect(ReaderLimit.identityBytes == 32 << 10 && ReaderLimit.aboveBytes == 1 << 10 && Reader.aboveLimit == 8)
        #expect(BackupLimit.passphrase == 8...1024 && PasscodeLimit.least == 4 && PasscodeLimit.most == 256)
        #expect(AgreementScheme.mostBytes == 64 << 10 && KeyKind.rsaBits == 1024...8192)
    }

    @Test("values that are compared have as many bytes as are counted for them")
    func valueBytes() {
        let values: [AttributeValue] = [.text("caf\u{e9}"), .data([1, 2, 3]), .number(-1), .flag(true), .date(0.5), .text("")]
        for value in values { #expect(value.byteCount == value.comparable.count) }
        let attributes: Attributes = [.account: .text("four"), .port: .number(1), .generic: .data([])]
        #expect(attributes.byteCount == 12)
    }

    @Test("an attribute's name is four printable letters", arguments: ["acct", "UUID", "a b~"])
    func names(letters: String) throws {
        #expect(try #require(AttributeName(letters)).letters == letters)
    }

    @Test("anything else is no attribute's name", arguments: ["", "abc", "abcde", "ab\nc", "é12", "ab\u{7f}c"])
    func wrongNames(letters: String) {
        #expect(AttributeName(letters) == nil)
    }

    @Test("11: text and data of the same bytes are the same value to compare, and case isn't folded")
    func comparing() {
        #expect(AttributeValue.text("é").comparable == AttributeValue.data(Array("é".utf8)).comparable)
        #expect(AttributeValue.text("e\u{301}").comparable != AttributeValue.text("é").comparable)
        #expect(AttributeValue.text("A").comparable != AttributeValue.text("a").comparable)
        #expect(AttributeValue.flag(true).comparable == AttributeValue.number(1).comparable)
        #expect(AttributeValue.text("é").isSame(as: .data(Array("é".utf8))) && AttributeValue.flag(true).isSame(as: .number(1)))
        #expect(!AttributeValue.text("e\u{301}").isSame(as: .text("é")) && !AttributeValue.text("A").isSame(as: .text("a")))
    }
}
