import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbSecrets
import thumbturn_test_programs

/// A device with a sensor or none, and a companion near it.
private func near(_ kind: BiometryKind = .none, wrong: Int = 0) -> DeviceState {
    .device(kind, kind == .none ? .notAvailable : .ready, wrong: wrong, companions: ["laptop"])
}

@Suite("Evaluations that a companion may answer")
struct CompanionEvaluationTests {
    private static let alone: [Set<Factor>] = [[.companion]]
    private static let either: [Set<Factor>] = [[.biometry], [.companion]]

    @Test("the companion is asked when the prompt is on the screen and not before, and its yes is the owner's")
    func yes() {
        var play = Play(Self.alone, on: near())
        #expect(play.begin(isShown: false) == [.show])
        #expect(play.shown?.companion == .mayAnswer(["laptop"]))
        #expect(play.after(.companion(.yes)).isEmpty)
        #expect(play.after(.shown) == [.reach])
        #expect(play.after(.shown).isEmpty)
        #expect(play.after(.companion(.asks)).isEmpty)
        #expect(play.after(.companion(.yes)) == [.dismiss(.success), .success([.companion])])
        #expect(play.after(.companion(.yes)).isEmpty)
    }

    @Test(
        "where nothing else could succeed, each no ends the call with its own failure",
        arguments: [
            (CompanionReport.refused, EvaluationFailure.userCancel), (.unrecognized, .authenticationFailed),
            (.away, .companionNotAvailable),
        ])
    func no(_ report: CompanionReport, _ failure: EvaluationFailure) {
        var play = Play(Self.alone, on: near())
        #expect(play.begin() == [.show, .reach])
        let ending: PromptEnding = failure == .userCancel ? .cancelled : .failure
        #expect(play.after(.companion(report)) == [.dismiss(ending), .failure(failure)])
    }

    @Test("where the sensor listens too, a no leaves the sensor, and the companion isn't asked again")
    func goesOn() {
        var play = Play(Self.either, on: near(.touchID))
        #expect(play.begin() == [.show, .listen, .reach])
        #expect(play.after(.companion(.refused)) == [.update])
        #expect(play.shown?.companion == nil && play.shown?.listening == .touchID)
        #expect(play.after(.companion(.yes)).isEmpty)
        #expect(play.matched() == [.stopListening, .dismiss(.success), .success([.biometry])])
    }

    @Test(
        "where the passcode would do too, a no leaves the passcode, and the companion isn't asked again",
        arguments: [CompanionReport.refused, .unrecognized, .away])
    func leavesPasscode(_ report: CompanionReport) throws {
        var play = Play([[.passcode], [.companion]], on: near())
        #expect(play.begin() == [.show, .reach])
        #expect(play.after(.companion(report)) == [.update])
        #expect(play.shown?.companion == nil && play.shown?.acceptsPasscode == true)
        #expect(play.after(.companion(.yes)).isEmpty)
        #expect(try play.typed() == [.commit(0, 1), .check])
        #expect(play.after(.verdict(.right)) == [.commit(0, 0), .dismiss(.success), .success([.passcode])])
    }

    @Test("a finger takes the question back; three misses leave it standing")
    func finger() {
        var first = Play(Self.either, on: near(.touchID))
        _ = first.begin()
        #expect(first.matched() == [.stopListening, .stopReaching, .dismiss(.success), .success([.biometry])])
        var second = Play(Self.either, on: near(.touchID))
        _ = second.begin()
        _ = second.after(.miss)
        _ = second.after(.miss)
        #expect(second.after(.miss) == [.commit(3, 0), .stopListening, .update])
        #expect(second.after(.companion(.yes)) == [.dismiss(.success), .success([.companion])])
    }

    @Test("every other end takes the question back", arguments: 0..<3)
    func takenBack(_ way: Int) {
        let ends: [(Evaluation.Event, EvaluationFailure)] = [
            (.cancel, .userCancel), (.interrupted, .systemCancel), (.withdrawn, .appCancel),
        ]
        var play = Play(Self.alone, on: near())
        _ = play.begin()
        #expect(play.after(ends[way].0) == [.stopReaching, .dismiss(.cancelled), .failure(ends[way].1)])
    }

    @Test("if more is demanded the companion is asked last, so that nobody is called for nothing")
    func last() throws {
        var finger = Play([[.biometry, .companion]], on: near(.touchID))
        #expect(finger.begin() == [.show, .listen])
        #expect(finger.shown?.companion == nil)
        #expect(finger.matched() == [.stopListening, .reach, .update])
        #expect(finger.shown?.companion == .mayAnswer(["laptop"]))
        #expect(finger.after(.companion(.yes)) == [.dismiss(.success), .success([.biometry, .companion])])

        var passcode = Play([[.passcode, .companion]], on: near())
        #expect(passcode.begin() == [.show])
        #expect(passcode.shown?.acceptsPasscode == true)
        #expect(try passcode.typed() == [.commit(0, 1), .check])
        #expect(passcode.after(.verdict(.right)) == [.commit(0, 0), .update, .reach])
        #expect(passcode.after(.companion(.away)) == [.dismiss(.failure), .failure(.companionNotAvailable)])
    }

    @Test("a companion's yes alone doesn't meet what demands more, and none is asked where none is near")
    func notEnough() {
        var play = Play([[.biometry, .companion]], on: near(.touchID))
        _ = play.begin()
        #expect(play.after(.companion(.yes)).isEmpty)
        var away = Play(Self.either, on: .finger)
        #expect(away.begin() == [.show, .listen])
        #expect(away.shown?.companion == nil)
        var nobody = Play(Self.alone, on: .finger)
        #expect(nobody.begin(isShown: false) == [.dismiss(.failure), .failure(.companionNotAvailable)])
        var silent = Play(Self.alone, on: near(), interactive: false)
        #expect(silent.begin(isShown: false) == [.dismiss(.failure), .failure(.notInteractive)])
    }

    @Test("a new password of the account's is gone from memory once the slot has taken it, while the companion is still asked")
    func passcodeForgotten() throws {
        let arena = SecretArena()
        var play = Play([[.passcode, .companion]], on: near())
        _ = play.begin()
        for verdict in [PasscodeVerdict.changedElsewhere, .right] {
            _ = play.after(.typed(try SecretBytes(copying: Array("0000".utf8), in: arena)))
            _ = play.after(.verdict(verdict))
        }
        #expect(arena.statistics.secrets == 0)
        #expect(play.shown?.companion == .mayAnswer(["laptop"]) && play.shown?.notice == nil)
        #expect(play.after(.companion(.yes)) == [.dismiss(.success), .success([.passcode, .companion])])
    }

    @Test("the fallback button is there at once where the sensor can't be used, and not after the finger")
    func fallback() {
        var absent = Play(Self.either, on: near())
        #expect(absent.begin() == [.show, .reach])
        #expect(absent.shown?.offersFallback == true)
        #expect(absent.after(.fallback) == [.stopReaching, .dismiss(.cancelled), .failure(.userFallback)])
        var touched = Play([[.biometry, .companion]], on: near(.touchID))
        _ = touched.begin()
        _ = touched.matched()
        #expect(touched.shown?.offersFallback == false)
        #expect(touched.after(.fallback) == [.update])
    }

    @Test("whatever happens in whatever order: no success that wasn't earned, and no question that stays behind")
    func anything() throws {
        let demands: [[Set<Factor>]] = [
            Self.alone, Self.either, [[.biometry, .companion]], [[.passcode], [.companion]], [[.passcode, .companion]],
        ]
        let passcode = try SecretBytes(copying: Array("0000".utf8))
        var (ends, companions) = (0, 0)
        let first = Seed.chosen(for: "evaluations with companions", usually: 0)
        for seed in first..<first + 3_000 {
            var dice = Dice(seed)
            let chosen = demands[dice.roll(demands.count)]
            var play = Play(chosen, on: near(.touchID))
            var steps = play.begin()
            var (isListening, isReaching, isChecking, isOver) = (false, false, false, false)
            var earned: Set<Factor> = []
            for _ in 0..<20 {
                for step in steps {
                    #expect(!isOver, "something happens after the end, seed \(seed)")
                    switch step {
                    case .listen: isListening = true
                    case .stopListening: isListening = false
                    case .reach:
                        #expect(!isReaching, "asks twice, seed \(seed)")
                        isReaching = true
                    case .stopReaching:
                        #expect(isReaching, "takes back what isn't asked, seed \(seed)")
                        isReaching = false
                    case .check, .renew: isChecking = true
                    case .success(let given):
                        #expect(given == earned && Demands(chosen).areMet(by: earned), "seed \(seed)")
                        if given.contains(.companion) { companions += 1 }
                        fallthrough
                    case .failure:
                        #expect(!isReaching && !isListening, "ends with a question open, seed \(seed)")
                        isOver = true
                        ends += 1
                    case .show, .update, .dismiss, .wait, .answer, .commit: break
                    }
                }
                switch dice.roll(7) {
                case 0:
                    if isListening, !isOver { earned.insert(.biometry) }
                    steps = play.matched()
                case 1: steps = play.after(.miss)
                case 2: steps = play.after(.typed(passcode))
                case 3:
                    if isChecking, !isOver { earned.insert(.passcode) }
                    isChecking = false
                    steps = play.after(.verdict(.right))
                case 4:
                    if isReaching, !isOver { earned.insert(.companion) }
                    isReaching = false
                    steps = play.after(.companion(.yes))
                case 5:
                    isReaching = false
                    steps = play.after(.companion(.away))
                default: steps = play.after(.companion(.asks))
                }
            }
        }
        // The dice do reach the ends: a run that never ends proves nothing.
        #expect(ends > 1_000 && companions > 200)
    }
}
