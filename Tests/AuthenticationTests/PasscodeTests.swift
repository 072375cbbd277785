import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbSecrets

/// The part of an evaluation that the passcode and the fallback button play.
struct PasscodeTests {
    @Test("under the owner's policy finger and passcode stand side by side, and either wins")
    func sideBySide() throws {
        var finger = Play(Wanted.owner)
        #expect(finger.begin() == [.show, .listen])
        #expect(finger.shown?.listening == .touchID && finger.shown?.acceptsPasscode == true)
        #expect(finger.matched() == [.stopListening, .dismiss(.success), .success([.biometry])])
        var passcode = Play(Wanted.owner)
        _ = passcode.begin()
        #expect(try passcode.typed() == [.commit(0, 1), .check])
        #expect(
            passcode.after(.verdict(.right)) == [.commit(0, 0), .stopListening, .dismiss(.success), .success([.passcode])])
        #expect(passcode.enrolment == nil)
    }

    @Test("a finger wins while a passcode is being looked at, and cancel doesn't wait for it; what comes of it changes nothing")
    func fingerWhileChecking() throws {
        var finger = Play(Wanted.owner)
        _ = finger.begin()
        #expect(try finger.typed() == [.commit(0, 1), .check])
        #expect(finger.matched() == [.stopListening, .dismiss(.success), .success([.biometry])])
        #expect(finger.after(.verdict(.right)) == [] && finger.after(.verdict(.wrong)) == [])
        var cancelled = Play(Wanted.owner)
        _ = cancelled.begin()
        _ = try cancelled.typed()
        #expect(cancelled.after(.cancel) == [.stopListening, .dismiss(.cancelled), .failure(.userCancel)])
        #expect(cancelled.after(.verdict(.right)) == [])
    }

    @Test("a guess is counted before it is looked at, so that ending the call before the verdict saves nobody a guess")
    func countedFirst() throws {
        var play = Play(Wanted.passcode, on: .device(.none, .notAvailable, wrong: 6))
        #expect(play.begin() == [.show])
        #expect(try play.typed() == [.commit(0, 7), .check])
        #expect(play.after(.withdrawn) == [.dismiss(.cancelled), .failure(.appCancel)])
        #expect(play.after(.verdict(.wrong)) == [])
    }

    @Test("a passcode that couldn't be checked is not counted in the end, and may be typed again")
    func unchecked() throws {
        var play = Play(Wanted.owner, on: .device(.touchID, misses: 1, wrong: 2))
        _ = play.begin()
        #expect(try play.typed() == [.commit(1, 3), .check])
        #expect(play.after(.miss) == [.commit(2, 3), .update])
        #expect(play.after(.verdict(.failed)) == [.commit(2, 2), .update])
        #expect(play.shown?.notice == .passcodeUnchecked)
        #expect(try play.typed() == [.commit(2, 3), .check])
        #expect(play.after(.verdict(.waits)) == [.commit(2, 2), .update])
        #expect(play.shown?.notice == .passcodeWaits)
    }

    @Test(
        "what was typed is gone from memory after its verdict, while the prompt is still up",
        arguments: [PasscodeVerdict.wrong, .failed, .waits, .expired, .locked])
    func forgotten(_ verdict: PasscodeVerdict) throws {
        let arena = SecretArena()
        var evaluation = try checking(in: arena)
        #expect(arena.inUse > 0)
        _ = evaluation.handle(.verdict(verdict))
        #expect(arena.inUse == 0)
        // It goes on until somebody ends it.
        #expect(evaluation.handle(.cancel).count == 2)
    }

    @Test("a new password of the account's is kept until the previous one opens the slot for it, and is gone at the end")
    func keptForRenewal() throws {
        let arena = SecretArena()
        var evaluation = try checking(in: arena)
        _ = evaluation.handle(.verdict(.changedElsewhere))
        #expect(arena.statistics.secrets == 1)
        try enter(into: &evaluation, in: arena)
        #expect(arena.statistics.secrets == 2)
        _ = evaluation.handle(.verdict(.wrong))
        #expect(arena.statistics.secrets == 1)
        _ = evaluation.handle(.cancel)
        #expect(arena.statistics.secrets == 0)
        // Whoever still has the evaluation has nothing that was typed.
        #expect(evaluation.handle(.cancel).isEmpty)
    }

    /// An evaluation that has a passcode checked. Nobody else holds what was typed, which lies in that arena.
    private func checking(in arena: SecretArena) throws -> Evaluation {
        var play = Play(Wanted.passcode, on: .passcodeOnly)
        _ = play.begin()
        try enter(into: &play.evaluation, in: arena)
        return play.evaluation
    }

    private func enter(into evaluation: inout Evaluation, in arena: SecretArena) throws {
        _ = evaluation.handle(.typed(try SecretBytes(copying: Array("0000".utf8), in: arena)))
    }

    @Test("56: a wrong passcode ends nothing: the call keeps waiting, with delays that grow")
    func wrongPasscodes() throws {
        var play = Play(Wanted.passcode, on: .passcodeOnly)
        _ = play.begin()
        for wrong in 1...10 {
            #expect(try play.typed() == [.commit(0, wrong), .check])
            let delay = Attempts(passcode: wrong).passcodeDelay
            #expect(play.after(.verdict(.wrong)) == (delay > 0 ? [.wait(delay), .update] : [.update]))
            #expect(play.shown?.notice == .wrongPasscode && play.shown?.passcodeWait == delay)
            #expect(play.shown?.acceptsPasscode == true)
            if delay > 0 {
                #expect(play.after(.waitIsOver) == [.update])
                #expect(play.shown?.passcodeWait == 0)
            }
        }
        _ = try play.typed()
        #expect(play.after(.verdict(.right)) == [.commit(0, 0), .dismiss(.success), .success([.passcode])])
    }

    @Test("what is typed while waiting, or while a passcode is being checked, is ignored")
    func ignored() throws {
        var play = Play(Wanted.passcode, on: .device(.none, .notAvailable, wrong: 3))
        _ = play.begin()
        #expect(try play.typed() == [.commit(0, 4), .check])
        #expect(try play.typed() == [.update])
        #expect(play.after(.verdict(.wrong)) == [.wait(10), .update])
        #expect(try play.typed() == [.update])
        #expect(play.after(.verdict(.right)) == [])
        _ = play.after(.waitIsOver)
        #expect(try play.typed() == [.commit(0, 5), .check])
    }

    @Test("a wait that was left over holds the passcode, not the finger")
    func leftOverWait() throws {
        var play = Play(Wanted.owner, on: .device(.touchID, wrong: 5), passcodeWait: 12)
        #expect(play.begin() == [.wait(12), .show, .listen])
        #expect(play.shown?.passcodeWait == 12)
        #expect(try play.typed() == [.update])
        #expect(play.matched().last == .success([.biometry]))
        var finger = Play(Wanted.biometry, passcodeWait: 12)
        #expect(finger.begin() == [.show, .listen])
        #expect(finger.shown?.passcodeWait == 0)
    }

    @Test("a wait that was left over holds a passcode that is accepted only later in the call")
    func leftOverForLater() throws {
        // Without a fallback button the passcode comes after the sensor, and where both are demanded after the finger.
        var hidden = Play(Wanted.owner, on: .device(.touchID, wrong: 8), fallback: "", passcodeWait: 900)
        #expect(hidden.begin() == [.wait(900), .show, .listen])
        #expect(hidden.shown?.acceptsPasscode == false && hidden.shown?.passcodeWait == 0)
        #expect(hidden.after(.sensorDisconnected) == [.stopListening, .update])
        #expect(hidden.shown?.acceptsPasscode == true && hidden.shown?.passcodeWait == 900)
        #expect(try hidden.typed() == [.update])
        #expect(hidden.after(.waitIsOver) == [.update])
        #expect(try hidden.typed() == [.commit(0, 9), .check])
        var both = Play(Wanted.both, on: .device(.touchID, wrong: 8), passcodeWait: 900)
        #expect(both.begin() == [.wait(900), .show, .listen])
        #expect(both.matched() == [.stopListening, .update])
        #expect(try both.typed() == [.update])
        _ = both.after(.waitIsOver)
        #expect(try both.typed() == [.commit(0, 9), .check])
    }

    @Test("a password that the system judges waits for nothing that wrong passcodes cost, neither at first nor after a wrong one")
    func systemPassword() throws {
        let terms = Evaluation.Terms(
            demands: Demands(Wanted.passcode), program: ProgramWords(name: "polkit"), words: PromptWords(reason: "r"),
            interactionNotAllowed: false, purpose: .systemPassword)
        var evaluation = Evaluation(terms, on: .device(.none, .notAvailable, wrong: 9), passcodeWait: 3600)
        guard case .show(let first)? = evaluation.begin().first else {
            Issue.record("it waits before it is shown")
            return
        }
        #expect(first.passcodeWait == 0)
        let typed = evaluation.handle(.typed(try SecretBytes(copying: Array("0000".utf8))))
        guard case .check? = typed.first, typed.count == 1 else {
            Issue.record("it isn't checked")
            return
        }
        guard case .update(let next)? = evaluation.handle(.verdict(.wrong)).first else {
            Issue.record("it waits afterwards")
            return
        }
        #expect(next.notice == .wrongPasscode && next.passcodeWait == 0)
    }

    @Test(
        "a password that the system couldn't judge leaves the wrong passcodes counted that came before it",
        arguments: [PasscodeVerdict.failed, .waits, .expired, .locked, .changedElsewhere])
    func systemPasswordUnjudged(_ verdict: PasscodeVerdict) throws {
        let terms = Evaluation.Terms(
            demands: Demands(Wanted.passcode), program: ProgramWords(name: "polkit"), words: PromptWords(reason: "r"),
            interactionNotAllowed: false, purpose: .systemPassword)
        var evaluation = Evaluation(terms, on: .device(.none, .notAvailable, misses: 5, wrong: 9), passcodeWait: 0)
        _ = evaluation.begin()
        _ = evaluation.handle(.typed(try SecretBytes(copying: Array("0000".utf8))))
        let effects = evaluation.handle(.verdict(verdict))
        guard case .update? = effects.first, effects.count == 1 else {
            Issue.record("something is written")
            return
        }
    }

    @Test("51, 52: while biometry is locked the owner's policy goes straight to the passcode, which clears the lockout")
    func clearsLockout() throws {
        var play = Play(Wanted.owner, on: .device(.touchID, misses: 5, wrong: 2))
        #expect(play.begin() == [.show])
        #expect(play.shown?.listening == BiometryKind.none && play.shown?.acceptsPasscode == true)
        _ = try play.typed()
        #expect(play.after(.verdict(.right)) == [.commit(0, 0), .dismiss(.success), .success([.passcode])])
    }

    @Test("where both are demanded the finger comes first, and the passcode isn't typed for nothing")
    func both() throws {
        var play = Play(Wanted.both)
        #expect(play.begin() == [.show, .listen])
        #expect(play.shown?.acceptsPasscode == false)
        #expect(try play.typed() == [.update])
        #expect(play.matched() == [.stopListening, .update])
        #expect(play.shown?.acceptsPasscode == true && play.shown?.listening == BiometryKind.none)
        _ = try play.typed()
        #expect(play.after(.verdict(.wrong)) == [.update])
        _ = try play.typed()
        #expect(
            play.after(.verdict(.right)) == [.commit(0, 0), .dismiss(.success), .success([.biometry, .passcode])])
        #expect(play.enrolment == Play.enrolled)
    }

    @Test("where both are demanded, three misses are the end")
    func bothMissed() {
        var play = Play(Wanted.both)
        _ = play.begin()
        _ = (play.after(.miss), play.after(.miss))
        #expect(play.after(.miss).last == .failure(.authenticationFailed))
    }

    @Test("a passcode typed where none is wanted is ignored")
    func unwanted() throws {
        var play = Play(Wanted.biometry)
        _ = play.begin()
        #expect(try play.typed() == [.update])
        #expect(play.after(.verdict(.right)) == [])
    }

    // MARK: The fallback button

    @Test("42: a finger's fallback button is hidden until the first miss", arguments: [nil, "Other way"])
    func hiddenUntilMiss(_ title: String?) {
        var play = Play(Wanted.biometry, fallback: title)
        _ = play.begin()
        #expect(play.shown?.offersFallback == false)
        #expect(play.after(.fallback) == [.update])
        _ = play.after(.miss)
        #expect(play.shown?.offersFallback == true && play.shown?.words.fallbackTitle == title)
        #expect(play.after(.fallback) == [.stopListening, .dismiss(.cancelled), .failure(.userFallback)])
    }

    @Test("40: a fallback with an empty title is never offered, and pressing it does nothing")
    func hidden() {
        var play = Play(Wanted.biometry, fallback: "")
        _ = play.begin()
        _ = play.after(.miss)
        #expect(play.shown?.offersFallback == false)
        #expect(play.after(.fallback) == [.update])
    }

    @Test(
        "43: under the owner's policy the fallback goes to the passcode in the same call",
        arguments: [
            DeviceState.finger, .face,
        ])
    func switches(_ device: DeviceState) throws {
        var play = Play(Wanted.owner, on: device)
        _ = play.begin()
        _ = play.after(.miss)
        #expect(play.shown?.offersFallback == true)
        #expect(play.after(.fallback) == [.stopListening, .update])
        #expect(play.shown?.listening == BiometryKind.none && play.shown?.acceptsPasscode == true)
        #expect(play.shown?.offersFallback == false && play.matched() == [])
        _ = try play.typed()
        #expect(play.after(.verdict(.right)).last == .success([.passcode]))
    }

    @Test("44: with the fallback hidden the owner's passcode field comes when biometry is used up")
    func hiddenUnderOwner() throws {
        var play = Play(Wanted.owner, fallback: "")
        _ = play.begin()
        #expect(play.shown?.acceptsPasscode == false)
        #expect(try play.typed() == [.update])
        for _ in 1...3 { _ = play.after(.miss) }
        #expect(play.shown?.acceptsPasscode == true && play.shown?.offersFallback == false)
        _ = try play.typed()
        #expect(play.after(.verdict(.right)).last == .success([.passcode]))
        var locked = Play(Wanted.owner, on: .device(.touchID, misses: 5), fallback: "")
        _ = locked.begin()
        #expect(locked.shown?.acceptsPasscode == true)
    }

    @Test("where both are demanded the fallback ends the call: there is no way around")
    func bothFallback() {
        var play = Play(Wanted.both)
        _ = play.begin()
        _ = play.after(.miss)
        #expect(play.after(.fallback).last == .failure(.userFallback))
    }

    @Test("wrong passcodes are counted up to a million, and go on waiting an hour there")
    func countedUp() throws {
        var play = Play(Wanted.passcode, on: .device(.none, .notAvailable, wrong: 999_999))
        _ = play.begin()
        #expect(try play.typed() == [.commit(0, 1_000_000), .check])
        #expect(play.after(.verdict(.wrong)) == [.wait(3600), .update])
        _ = play.after(.waitIsOver)
        #expect(try play.typed() == [.commit(0, 1_000_000), .check])
    }

    @Test(
        "a password that is to become the passcode has 4 to 256 bytes; another isn't checked and costs nothing",
        arguments: [(3, false), (4, true), (256, true), (257, false)])
    func becomingPasscode(count: Int, isTaken: Bool) throws {
        var terms = Evaluation.Terms(
            demands: Demands(Wanted.passcode), program: ProgramWords(name: "app"), words: PromptWords(reason: "r"),
            interactionNotAllowed: false, purpose: .accountPassword)
        terms.becomesPasscode = true
        var evaluation = Evaluation(terms, on: .passcodeOnly, passcodeWait: 0)
        _ = evaluation.begin()
        let effects = evaluation.handle(.typed(try SecretBytes(copying: [UInt8](repeating: 0x61, count: count))))
        if isTaken {
            guard case .commit? = effects.first, case .check? = effects.last, effects.count == 2 else {
                Issue.record("it isn't checked")
                return
            }
        } else {
            guard case .update(let content)? = effects.first, effects.count == 1 else {
                Issue.record("it is checked")
                return
            }
            #expect(content.notice == .passcodeTooShort(least: 4))
        }
    }
}
