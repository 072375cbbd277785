import Testing
import ThumbAccess
import ThumbAuthentication

/// The part of an evaluation that a finger or a face plays.
struct SensorTests {
    @Test("a finger's evaluation shows a prompt and listens; a match ends both")
    func match() {
        var play = Play(Wanted.biometry)
        #expect(play.begin() == [.show, .listen])
        #expect(play.shown?.listening == .touchID && play.shown?.acceptsPasscode == false)
        #expect(play.shown?.program.name == "app" && play.shown?.notice == nil)
        #expect(play.matched() == [.stopListening, .dismiss(.success), .success([.biometry])])
        #expect(play.enrolment == Play.enrolled)
    }

    @Test("a match on a zero counter writes nothing; on any other it writes zero, before it counts")
    func matchClearsCounter() {
        var clean = Play(Wanted.biometry, on: .device(.touchID, wrong: 3))
        _ = clean.begin()
        #expect(!clean.matched().contains { if case .commit = $0 { true } else { false } })
        var missed = Play(Wanted.biometry, on: .device(.touchID, misses: 4, wrong: 3))
        _ = missed.begin()
        // The wrong passcodes stay: a finger says nothing about who typed them.
        #expect(missed.matched() == [.commit(0, 3), .stopListening, .dismiss(.success), .success([.biometry])])
    }

    @Test("46: the third Touch ID miss ends the call, each miss on disk before anything of it is shown")
    func thirdMiss() {
        var play = Play(Wanted.biometry)
        _ = play.begin()
        #expect(play.after(.miss) == [.commit(1, 0), .update])
        #expect(play.shown?.notice == .missed(attemptsLeft: 2))
        #expect(play.after(.miss) == [.commit(2, 0), .update])
        #expect(play.shown?.notice == .missed(attemptsLeft: 1))
        #expect(
            play.after(.miss) == [.commit(3, 0), .stopListening, .dismiss(.failure), .failure(.authenticationFailed)])
    }

    @Test("48, 49: the fifth miss in a row, the second of its call, ends a finger's call as a lockout")
    func fifthMiss() {
        var play = Play(Wanted.biometry, on: .device(.touchID, misses: 3))
        _ = play.begin()
        #expect(play.after(.miss) == [.commit(4, 0), .update])
        #expect(play.shown?.notice == .missed(attemptsLeft: 1))
        #expect(play.after(.miss) == [.commit(5, 0), .stopListening, .dismiss(.failure), .failure(.biometryLockout)])
    }

    @Test("53: a match between misses begins the count anew, in this call too")
    func consecutive() {
        var play = Play(Wanted.both, on: .device(.touchID, misses: 2))
        _ = play.begin()
        #expect(play.after(.miss) == [.commit(3, 0), .update])
        #expect(play.matched() == [.commit(0, 0), .stopListening, .update])
    }

    @Test("47: a face is asked twice; then the owner picks the fallback", arguments: [nil, "Use my PIN"])
    func faceFallback(_ title: String?) {
        var play = Play(Wanted.biometry, on: .face, fallback: title)
        _ = play.begin()
        #expect(play.shown?.listening == .faceID && play.shown?.offersFallback == false)
        #expect(play.after(.miss) == [.commit(1, 0), .update])
        #expect(play.shown?.listening == .faceID && play.shown?.offersFallback == false)
        #expect(play.after(.miss) == [.commit(2, 0), .stopListening, .update])
        #expect(play.shown?.listening == BiometryKind.none && play.shown?.offersFallback == true)
        #expect(play.after(.fallback) == [.dismiss(.cancelled), .failure(.userFallback)])
    }

    @Test("47: a face is asked twice; then the owner picks cancel, and a third look changes nothing")
    func faceCancel() {
        var play = Play(Wanted.biometry, on: .face)
        _ = play.begin()
        _ = play.after(.miss)
        _ = play.after(.miss)
        #expect(play.after(.miss) == [] && play.matched() == [])
        #expect(play.after(.cancel) == [.dismiss(.cancelled), .failure(.userCancel)])
    }

    @Test("44: a face that missed twice where the fallback is hidden leaves nothing to choose: the call has failed")
    func faceHiddenFallback() {
        var play = Play(Wanted.biometry, on: .face, fallback: "")
        _ = play.begin()
        _ = play.after(.miss)
        #expect(
            play.after(.miss) == [.commit(2, 0), .stopListening, .dismiss(.failure), .failure(.authenticationFailed)])
    }

    @Test("49: the face's fifth miss still leaves the choice, if it is the second of its call")
    func faceFifthMiss() {
        var play = Play(Wanted.biometry, on: .device(.faceID, misses: 3))
        _ = play.begin()
        _ = play.after(.miss)
        #expect(play.after(.miss) == [.commit(5, 0), .stopListening, .update])
        #expect(play.shown?.notice == .biometryLocked && play.shown?.offersFallback == true)
        var first = Play(Wanted.biometry, on: .device(.faceID, misses: 4))
        _ = first.begin()
        #expect(first.after(.miss) == [.commit(5, 0), .stopListening, .dismiss(.failure), .failure(.biometryLockout)])
    }

    @Test("what wasn't read well enough counts as nothing, as often as it happens")
    func retry() {
        var play = Play(Wanted.biometry, on: .device(.touchID, misses: 4))
        _ = play.begin()
        for hint in RetryHint.allCases {
            #expect(play.after(.retry(hint)) == [.update])
            #expect(play.shown?.notice == .retry(hint) && play.shown?.offersFallback == false)
        }
        #expect(play.matched().last == .success([.biometry]))
    }

    @Test("a sensor that breaks ends a call that needs it, and leaves one that the passcode can win")
    func sensorLost() throws {
        for demands in [Wanted.biometry, Wanted.both] {
            var play = Play(demands)
            _ = play.begin()
            #expect(play.after(.sensorFailed) == [.stopListening, .dismiss(.failure), .failure(.biometryNotAvailable)])
        }
        var play = Play(Wanted.owner)
        _ = play.begin()
        #expect(play.after(.sensorFailed) == [.stopListening, .update])
        #expect(play.shown?.listening == BiometryKind.none && play.shown?.acceptsPasscode == true)
        _ = try play.typed()
        #expect(play.after(.verdict(.right)).last == .success([.passcode]))
    }

    @Test("a sensor that is unplugged says so to a call that needs it, and leaves one that the passcode can win")
    func sensorUnplugged() throws {
        for demands in [Wanted.biometry, Wanted.both] {
            var play = Play(demands)
            _ = play.begin()
            #expect(play.after(.sensorDisconnected) == [.stopListening, .dismiss(.failure), .failure(.biometryDisconnected)])
        }
        var play = Play(Wanted.owner)
        _ = play.begin()
        #expect(play.after(.sensorDisconnected) == [.stopListening, .update])
        #expect(play.shown?.listening == BiometryKind.none && play.shown?.acceptsPasscode == true)
        _ = try play.typed()
        #expect(play.after(.verdict(.right)).last == .success([.passcode]))
    }

    @Test(
        "after the third miss the owner's policy goes on with the passcode",
        arguments: [
            (DeviceState.finger, 3), (.face, 2), (.device(.touchID, misses: 4), 1),
        ])
    func passcodeAfterMisses(_ device: DeviceState, _ misses: Int) throws {
        var play = Play(Wanted.owner, on: device)
        #expect(play.begin() == [.show, .listen])
        for _ in 1..<misses { #expect(play.after(.miss).last == .update) }
        let total = device.attempts.biometric + misses
        #expect(play.after(.miss) == [.commit(total, 0), .stopListening, .update])
        #expect(play.shown?.acceptsPasscode == true && play.shown?.offersFallback == false)
        #expect(try play.typed() == [.commit(total, 1), .check])
        #expect(play.after(.verdict(.right)) == [.commit(0, 0), .dismiss(.success), .success([.passcode])])
    }

    @Test("reports of a sensor that doesn't listen are ignored")
    func stale() {
        var play = Play(Wanted.owner, on: .passcodeOnly)
        #expect(play.begin() == [.show])
        #expect(play.matched() == [] && play.after(.miss) == [] && play.after(.sensorFailed) == [])
        #expect(play.after(.sensorDisconnected) == [])
        #expect(play.after(.retry(.again)) == [] && play.shown?.notice == nil)
    }

    // MARK: Before the prompt is on the screen

    @Test("what the sensor says before the prompt is on the screen counts for nothing")
    func unseen() {
        var play = Play(Wanted.owner)
        #expect(play.begin(isShown: false) == [.show])
        #expect(play.matched() == [] && play.after(.miss) == [] && play.after(.retry(.again)) == [])
        #expect(play.after(.sensorFailed) == [] && play.shown?.notice == nil)
        #expect(play.after(.shown) == [.listen])
        #expect(play.matched() == [.stopListening, .dismiss(.success), .success([.biometry])])
    }

    @Test("a prompt that says twice that it is on the screen has the sensor listen once, and nothing is stopped that never began")
    func shownTwice() {
        var play = Play(Wanted.biometry)
        #expect(play.begin() == [.show, .listen])
        #expect(play.after(.shown) == [])
        var unseen = Play(Wanted.biometry)
        _ = unseen.begin(isShown: false)
        #expect(unseen.after(.cancel) == [.dismiss(.cancelled), .failure(.userCancel)])
    }

    @Test("a match takes back what was said of the misses before it")
    func noticeAfterMatch() {
        var play = Play(Wanted.both)
        _ = play.begin()
        _ = play.after(.miss)
        #expect(play.shown?.notice == .missed(attemptsLeft: 2))
        #expect(play.matched().last == .update)
        #expect(play.shown?.notice == nil)
    }

    @Test("the last miss says that no attempt is left, or that biometry is locked")
    func noticeAfterLastMiss() {
        var tired = Play(Wanted.owner)
        _ = tired.begin()
        for _ in 1...3 { _ = tired.after(.miss) }
        #expect(tired.shown?.notice == .missed(attemptsLeft: 0))
        var locked = Play(Wanted.owner, on: .device(.touchID, misses: 4))
        _ = locked.begin()
        _ = locked.after(.miss)
        #expect(locked.shown?.notice == .biometryLocked)
    }

    @Test("where a face and the passcode are both demanded, two misses of the face are the end: there is nothing to choose")
    func faceOfBoth() {
        var play = Play(Wanted.both, on: .face)
        _ = play.begin()
        _ = play.after(.miss)
        #expect(
            play.after(.miss) == [.commit(2, 0), .stopListening, .dismiss(.failure), .failure(.authenticationFailed)])
    }
}
