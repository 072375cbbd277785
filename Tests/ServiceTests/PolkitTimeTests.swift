import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_wire

@testable import ThumbService

// How long a touch counts and a judge may think, and what is known of it all afterwards.
extension PolkitTests {
    @Test("a touch for polkit can be lent for ten seconds, and counts for ten where it was lent to")
    func tooLate() throws {
        let stand = try PolkitAsking.machine()
        let lent = try PolkitAsking.touched(stand)
        #expect(try lent.lend())
        let kept = try PolkitAsking.touched(stand)
        // This wait begins later than the time of both touches, so it is over later too.
        stand.rest(stand.onLoop { _ in LentTouches.seconds })
        let late = try PolkitAsking.module(stand)
        Self.note("a touch for polkit counts however late it is asked for", succeeded: late != .failure(.notInteractive))
        let isLent = try kept.lend()
        Self.note("a touch for polkit is lent however late", succeeded: isLent)
    }

    @Test("a person takes as long as they like over a question; a judge that says nothing after the answer has judged nothing")
    func silentAfterAnswer() {
        let (verdicts, unhurried) = (Notes<AccountVerdict>(), Notes<Bool>())
        let judge = EventLoop.shared.sync {
            let judge = RelayedPassword(within: 0.05, reply: { _ in }, send: { _ in })
            judge.check(
                secret("hunter22"),
                asking: { _, reply in
                    let answer = LoopBox(reply)
                    // This timer is set later than the judge's own, and for longer.
                    _ = EventLoop.shared.after(0.1) {
                        unhurried.add(verdicts.all.isEmpty)
                        answer.value(secret("123456"))
                    }
                }
            ) { verdicts.add($0) }
            judge.asks(AccountQuestion(text: "Code:", isHidden: true))
            return judge
        }
        #expect(verdicts.wait { !$0.isEmpty } == [.unavailable])
        #expect(unhurried.all == [true])
        withExtendedLifetime(judge) {}
    }

    @Test("a touch for polkit is in the log, and so is the owner's no")
    func noted() throws {
        let stand = try PolkitAsking.machine()
        let touched = try PolkitAsking.touched(stand)
        let refused = try PolkitAsking(stand)
        try refused.ask()
        let prompt = try refused.prompt()
        _ = try prompt.shown()
        try prompt.send(.cancelled)
        #expect(try refused.peer.evaluated() == .failure(.userCancel))
        let records = stand.onLoop { graph -> [AuditRecord] in
            let page = try? graph.device.audit.read(from: 0, of: nil)
            return (page?.entries ?? []).map(\.record).filter { $0.name == "polkit" }
        }
        #expect(records.count == 2 && records.allSatisfy { $0.event == .evaluated })
        #expect(records.filter { $0.failure == nil }.map(\.factors) == [[.biometry]])
        #expect(records.compactMap(\.failure) == [.userCanceled])
        withExtendedLifetime(touched) {}
    }
}
