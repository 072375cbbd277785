import Testing
import ThumbAccess
import ThumbSecrets

@testable import ThumbConversation

@Suite("Frames that are right")
struct RoundTripTests {
    @Test("every request says after the journey what it said before", arguments: Samples.requests.indices)
    func requests(index: Int) throws {
        let request = Samples.requests[index]
        let frame = request.frame(call: 0xdead_beef)
        let came = try Frame(frame.body)
        #expect(came.call == 0xdead_beef && came.count == frame.body.count)
        let read = try came.anyWord()
        #expect(same(request, read))
        #expect(read.frame(call: came.call).bytes == frame.bytes)
    }

    @Test("every answer says after the journey what it said before", arguments: Samples.answers.indices)
    func answers(index: Int) throws {
        let answer = Samples.answers[index]
        let frame = answer.frame(call: 1)
        let came = try Frame(frame.body)
        #expect(came.call == 1 && came.count == frame.body.count)
        let read = try came.anyWord()
        #expect(same(answer, read))
        #expect(read.isLast == answer.isLast)
        #expect(read.frame(call: came.call).bytes == frame.bytes)
    }

    @Test("the samples have every kind of the page in them, and no other")
    func complete() {
        let requests = Set(Samples.requests.map { $0.frame(call: 0).body[0] })
        #expect(requests == Kinds.requests)
        let answers = Set(Samples.answers.map { $0.frame(call: 0).body[0] })
        #expect(answers == Kinds.answers)
    }

    @Test("nothing more is said to a call after an answer, but for one that says that it isn't the end")
    func ends() {
        let goesOn: Set<UInt8> = [137, 140, 145, 157, 160, 161, 162, 164, 165, 182, 183, 185]
        for answer in Samples.answers {
            let isLast = (answer as? ItemPage)?.isLast ?? !goesOn.contains(answer.body[0])
            #expect(answer.isLast == isLast, "\(answer)")
        }
        #expect(ItemPage([], isLast: true).isLast && !ItemPage(Samples.found, isLast: false).isLast)
        #expect(ExportedChunk(box: [], isLastChunk: false, ExportTally()).isLast)
    }

    @Test("a frame begins with the length of what follows, then kind and call, all big-endian")
    func layout() {
        #expect(GetStatus().frame(call: 0x0102_0304).bytes == [0, 0, 0, 5, 3, 1, 2, 3, 4])
        #expect(
            Invalidate(context: 0x0a0b).frame(call: 1).bytes == [0, 0, 0, 13, 13, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 10, 11])
        #expect(Echo(secret("hi")).frame(call: 0).bytes == [0, 0, 0, 11, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0x68, 0x69])
        #expect(Welcome(version: 1, mode: .user).frame(call: 2).bytes == [0, 0, 0, 8, 128, 0, 0, 0, 2, 0, 1, 1])
    }

    @Test("a secret is sent from where it lies: none of its bytes are among the plain ones")
    func secretsStayApart() {
        let marker = Array("marker-of-a-secret".utf8)
        let frame = AddItem(
            NewItem(itemClass: .genericPassword, attributes: Samples.attributes, rule: Samples.rule, secret: secret(marker))
        ).frame(call: 1)
        #expect(frame.secrets.count == 1)
        #expect(!frame.plain.indices.contains { frame.plain[$0...].starts(with: marker) })
        #expect(frame.count == frame.bytes.count)
    }

    @Test("an item's size for paging is never less than what it takes, but for a reference of the house's own")
    func wireSize() {
        let long = FoundItem(
            itemClass: .genericPassword, attributes: [.label: .data([UInt8](repeating: 1, count: 5000))], rule: Samples.rule,
            persistentRef: [], secret: secret([UInt8](repeating: 7, count: 5000)))
        for item in Samples.found + [long] {
            let taken = ItemPage([item], isLast: true).frame(call: 1).count
            #expect(item.wireSize + 64 >= taken)
        }
    }
}
