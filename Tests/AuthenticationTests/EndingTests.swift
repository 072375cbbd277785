import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbSecrets
import thumbturn_test_programs

/// How evaluations begin without a prompt, and how they end without a verdict.
struct EndingTests {
    @Test("what can't succeed fails at once, and shows nothing")
    func hopeless() {
        for (device, failure) in PreflightTests.precedence {
            guard let failure else { continue }
            var play = Play(Wanted.biometry, on: device)
            #expect(play.begin() == [.dismiss(.failure), .failure(failure)])
        }
    }

    @Test("what demands nothing succeeds at once, and shows nothing")
    func nothingDemanded() {
        var play = Play([], interactive: false)
        #expect(play.begin() == [.dismiss(.success), .success([])])
    }

    @Test("14: where asking isn't allowed, what is missing on the device wins over that")
    func notInteractive() {
        var ready = Play(Wanted.owner, interactive: false)
        #expect(ready.begin() == [.dismiss(.failure), .failure(.notInteractive)])
        var bare = Play(Wanted.biometry, on: .device(.touchID, .notEnrolled), interactive: false)
        #expect(bare.begin().last == .failure(.biometryNotEnrolled))
    }

    @Test(
        "28 to 30: each way of being taken away has a failure of its own",
        arguments: [
            (Evaluation.Event.cancel, EvaluationFailure.userCancel, PromptEnding.cancelled),
            (.interrupted, .systemCancel, .cancelled), (.withdrawn, .appCancel, .cancelled),
            (.promptUnavailable, .notInteractive, .failure),
        ])
    func takenAway(_ event: Evaluation.Event, _ failure: EvaluationFailure, _ ending: PromptEnding) throws {
        var listening = Play(Wanted.owner)
        _ = listening.begin()
        #expect(listening.after(event) == [.stopListening, .dismiss(ending), .failure(failure)])
        var typing = Play(Wanted.passcode, on: .passcodeOnly)
        _ = typing.begin()
        #expect(typing.after(event) == [.dismiss(ending), .failure(failure)])
    }

    @Test("54: being taken away is no miss")
    func countsNothing() {
        for event in [Evaluation.Event.cancel, .interrupted, .withdrawn, .promptUnavailable] {
            var play = Play(Wanted.biometry, on: .device(.touchID, misses: 4, wrong: 8))
            _ = play.begin()
            #expect(!play.after(event).contains { if case .commit = $0 { true } else { false } })
        }
    }

    @Test("after the end nothing has any effect")
    func over() throws {
        var play = Play(Wanted.owner)
        _ = play.begin()
        _ = play.after(.cancel)
        let events: [Evaluation.Event] = [
            .match(Play.enrolled), .miss, .retry(.again), .sensorFailed, .sensorDisconnected, .verdict(.right), .verdict(.wrong),
            .waitIsOver, .cancel, .fallback, .interrupted, .promptUnavailable, .withdrawn,
        ]
        for event in events { #expect(play.after(event) == []) }
        #expect(try play.typed() == [])
    }

    // MARK: Whatever happens

    @Test("whatever happens in whatever order: one end, no success that wasn't earned, no miss shown before it is on disk")
    func anything() throws {
        let demands = [Wanted.biometry, Wanted.owner, Wanted.passcode, Wanted.both]
        let passcode = try SecretBytes(copying: Array("0000".utf8))
        var ends = 0, successes = 0
        let first = Seed.chosen(for: "evaluations", usually: 0)
        for seed in first..<first + 5_000 {
            var dice = Dice(seed)
            let device = DeviceState.device(
                [.touchID, .faceID][dice.roll(2)], misses: dice.roll(5), wrong: dice.roll(11))
            let chosen = demands[dice.roll(4)]
            var play = Play(chosen, on: device, fallback: [nil, "", "x"][dice.roll(3)])
            var steps = play.begin()
            var isListening = steps.contains(.listen), isChecking = false, isOver = false
            var earned: Set<Factor> = []
            var misses = device.attempts.biometric
            for _ in 0..<30 {
                let event: Evaluation.Event
                switch dice.roll(11) {
                case 0:
                    event = .match(Play.enrolled)
                    if isListening && !isOver {
                        earned.insert(.biometry)
                        misses = 0
                    }
                case 1, 2:
                    event = .miss
                    if isListening && !isOver { misses += 1 }
                case 3, 4: event = .typed(passcode)
                case 5:
                    event = .verdict(.right)
                    if isChecking && !isOver {
                        earned.insert(.passcode)
                        misses = 0
                    }
                case 6: event = .verdict(.wrong)
                case 7: event = .waitIsOver
                case 8: event = .verdict(.changedElsewhere)
                case 9: event = .question(AccountQuestion(text: "Code: ", isHidden: true))
                default: event = .fallback
                }
                if case .verdict = event { isChecking = false }
                steps = play.after(event)
                if case .miss = event, isListening, !isOver {
                    #expect(steps.first.map { if case .commit(misses, _) = $0 { true } else { false } } == true, "seed \(seed)")
                }
                for step in steps {
                    #expect(!isOver, "something happens after the end, seed \(seed)")
                    switch step {
                    case .listen:
                        #expect(!isListening)
                        isListening = true
                    case .stopListening:
                        #expect(isListening, "stops twice, seed \(seed)")
                        isListening = false
                    case .check, .renew: isChecking = true
                    case .commit(let counted, _): #expect(counted == misses, "seed \(seed)")
                    case .success(let given):
                        #expect(given == earned && Demands(chosen).areMet(by: earned), "seed \(seed)")
                        successes += 1
                        fallthrough
                    case .failure:
                        #expect(!isListening, "ends while the sensor listens, seed \(seed)")
                        isOver = true
                        ends += 1
                    case .show, .update, .dismiss, .wait, .answer, .reach, .stopReaching: break
                    }
                }
            }
        }
        // The dice do reach the ends: a run that never ends proves nothing.
        #expect(ends > 3_000 && successes > 1_000)
    }
}
