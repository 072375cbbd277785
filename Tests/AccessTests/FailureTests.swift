import Testing
import ThumbAccess

@Suite("What failures and reports say")
struct FailureTests {
    @Test("three ends of an evaluation have a keychain failure of their own; every other one is a failed authentication")
    func endings() {
        let own: [EvaluationFailure: KeychainFailure] = [
            .userCancel: .userCanceled, .notInteractive: .interactionNotAllowed, .invalidParameter: .parameter,
        ]
        for failure in EvaluationFailure.allCases {
            #expect(failure.keychainFailure == own[failure, default: .authenticationFailed], "\(failure)")
            #expect(KeyUseFailure.owner(failure).keychainFailure == failure.keychainFailure)
        }
        for failure in KeychainFailure.allCases { #expect(KeyUseFailure.keychain(failure).keychainFailure == failure) }
    }

    @Test("an audit is sound if each chain is there, whole, and ends where it should; what was dropped for want of room may be")
    func soundness() {
        typealias Chain = AuditReport.Chain
        let dropped = AuditReport.Dropped(event: .released, count: 9, since: 0, until: 1)
        let sound = Chain(ring: .everyday, records: 3, dropped: [dropped, dropped])
        let altered = Chain(ring: .notice, records: 4, brokenCount: 2, broken: [1, 2])
        let old = Chain(ring: .protection, records: 5, endsWhereItShould: false)
        #expect(sound.isSound && !altered.isSound && !old.isSound)
        #expect(AuditReport().isSound && AuditReport(chains: [sound, sound]).isSound)
        #expect(!AuditReport(chains: [sound, altered]).isSound && !AuditReport(chains: [old, sound]).isSound)
        #expect(!AuditReport(areChainsWhole: false, chains: [sound]).isSound)
        let all = AuditReport(chains: [sound, altered, old])
        #expect(all.records == 12 && all.broken == 2 && all.dropped == 18)
    }

    @Test("a program's own records are those of its own group; without a group it has none")
    func programs() {
        let caller = Caller(uid: 7, pid: 1, kind: .sandboxed, name: "app", groups: ["own", "shared"])
        let program = AuditProgram(caller)
        #expect(program.own == Array("own".utf8) && program.uid == 7 && program.kind == .sandboxed && program.isKnown)
        #expect(!AuditProgram(Caller(uid: 7, pid: 1, kind: .sandboxed, name: "app", groups: [])).isKnown)
    }

    @Test("only somebody in a graphical session at this machine would see a window")
    func windows() {
        #expect(CallerPlace.display(session: "2").windowSession == "2")
        // A greeter lies over the session that it locks, so that a window there is behind it.
        for place: CallerPlace in [
            .unknown, .remote, .console(session: "2"), .loginConsole(terminal: "tty2"), .greeter, .lockScreen(session: "2"),
        ] {
            #expect(place.windowSession == nil)
        }
    }
}
