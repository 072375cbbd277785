import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_fingerprint
import thumbturn_test_programs

@testable import ThumbSensors

extension OnABus {
    /// The real fprintd with libfprint's virtual reader.
    @Suite("fprintd", .timeLimit(.minutes(5))) @OnLoop struct FingerprintTests {
        @Test("before anybody asks, fprintd isn't even started; then the reader is there, and nobody in it")
        func lazily() async throws {
            let reader = try await Reader()
            #expect(reader.fingerprint.kind == .none)
            await #expect(throws: (any Error).self) { try await reader.stage.fprintdProcess() }
            // On a busy machine fprintd takes longer to start than a question waits; who asks again gets the same look's answer.
            for _ in 0..<24 where reader.fingerprint.kind == .none { await reader.look() }
            #expect(try await reader.stage.fprintdProcess() > 0)
            #expect(reader.fingerprint.kind == .touchID)
            #expect(reader.fingerprint.condition(for: Reader.caller) == .notEnrolled)
            #expect(reader.fingerprint.enrolment == .empty)
            #expect(await reader.fingers() == .success(EnrolledFingers(fingers: [], isSwipe: true)))
        }

        @Test("five scans enroll a finger: its progress is told, its name is listed, its template makes the enrolment")
        func enroll() async throws {
            let reader = try await Reader()
            let (failure, steps) = await reader.enroll(.rightIndex, scan: "ada")
            #expect(failure == nil)
            #expect(steps == (0...5).map { EnrollingProgress(done: $0, stages: 5) })
            #expect(await reader.fingers() == .success(EnrolledFingers(fingers: [.rightIndex], isSwipe: true)))
            guard case .known(let one) = reader.fingerprint.enrolment else {
                Issue.record("the enrolment isn't known")
                return
            }
            #expect(await reader.enroll(.leftThumb, scan: "ben").failure == nil)
            #expect(await reader.fingers() == .success(EnrolledFingers(fingers: [.leftThumb, .rightIndex], isSwipe: true)))
            #expect(reader.fingerprint.enrolment != .known(one))
            #expect(await reader.forget(.leftThumb) == nil)
            #expect(reader.fingerprint.enrolment == .known(one))
            #expect(await reader.forget(.leftThumb) == .notEnrolled)
            #expect(await reader.forget(nil) == nil)
            #expect(reader.fingerprint.enrolment == .empty)
        }

        @Test("an enrolment says what to do better, and goes on")
        func enrollHints() async throws {
            let reader = try await Reader()
            reader.hand.script =
                ["SCAN a", "RETRY 1", "SCAN a", "RETRY 2", "SCAN a", "RETRY 3", "SCAN a", "RETRY 0", "SCAN a"]
            let (failure, steps) = await reader.enrolling(.leftIndex) { [hand = reader.hand] in hand.want() }
            #expect(failure == nil)
            #expect(steps.compactMap(\.hint) == [.tooShort, .centre, .liftAndRepeat, .again])
            #expect(steps.last == EnrollingProgress(done: 5, stages: 5))
        }

        @Test("an enrolment that is taken back keeps nothing, and lets go of the reader")
        func enrollCancelled() async throws {
            let reader = try await Reader()
            await reader.enroll(.rightIndex, scan: "ada")
            reader.hand.script = ["SCAN ben", "SCAN ben"]
            let heard = Heard<EnrollingReport>()
            reader.fingerprint.enroll(.leftIndex) { heard.put($0) }
            #expect(await heard.next() == .progress(EnrollingProgress(done: 0, stages: 5)))
            reader.hand.want()
            while await heard.next() != .progress(EnrollingProgress(done: 2, stages: 5)) {}
            reader.fingerprint.stopEnrolling()
            let ending = await heard.next()
            #expect(ending == .ended(.cancelled))
            #expect(await reader.fingers() == .success(EnrolledFingers(fingers: [.rightIndex], isSwipe: true)))
            #expect(try await reader.isFree(scan: "ada"))
        }

        @Test("an enrolment ends when the lid closes over the reader or the machine sleeps, and keeps nothing")
        func enrollAway() async throws {
            let reader = try await Reader()
            for absence in [ReaderAbsence.lidClosed, .asleep] {
                let heard = Heard<EnrollingReport>()
                reader.fingerprint.enroll(.leftIndex) { heard.put($0) }
                #expect(await heard.next() == .progress(EnrollingProgress(done: 0, stages: 5)))
                reader.fingerprint.set(absence, true)
                #expect(await becomes { heard.unheard > 0 })
                if heard.unheard > 0 { #expect(await heard.next() == .ended(.cancelled)) }
                reader.fingerprint.stopEnrolling()
                await reader.fingerprint.settle()
                reader.fingerprint.set(absence, false)
            }
            #expect(await reader.fingers() == .success(EnrolledFingers(fingers: [], isSwipe: true)))
            #expect(try await reader.isUnclaimed())
        }

        @Test("the enrolled finger matches, under the enrolment that was there before and after")
        func match() async throws {
            let reader = try await Reader()
            await reader.enroll(.rightIndex, scan: "ada")
            let heard = reader.listen(["SCAN ada"])
            #expect(await heard.next() == .match(reader.fingerprint.enrolment))
            reader.fingerprint.stop()
            #expect(try await reader.isFree(scan: "ada"))
        }

        @Test("a match counts for nothing if the templates have changed while the finger was awaited")
        func changedMeanwhile() async throws {
            let reader = try await Reader()
            await reader.enroll(.rightIndex, scan: "ada")
            let before = reader.fingerprint.enrolment
            let heard = await reader.watching()
            // As root could. fprintd has read what it compares, and goes on comparing that.
            let folder = reader.stage.templates
            let file = try #require(
                try FileManager.default.subpathsOfDirectory(atPath: folder).first { $0.split(separator: "/").count == 4 })
            let place = URL(filePath: folder + "/" + file)
            var template = try Data(contentsOf: place)
            template.append(0)
            try template.write(to: place)
            #expect(reader.fingerprint.enrolment != before)
            reader.hand.show("SCAN ada")
            #expect(await heard.next() == .failed)
        }

        @Test("a reader that identifies finds either finger")
        func identify() async throws {
            let reader = try await Reader(identifies: true)
            let first = await reader.enroll(.rightIndex, scan: "ada", times: 6)
            #expect(first.failure == nil)
            #expect(await reader.enroll(.leftIndex, scan: "ada-left", times: 7).failure == nil)
            for scan in ["ada-left", "ada"] {
                let heard = reader.listen(["SCAN \(scan)"])
                #expect(await heard.next() == .match(reader.fingerprint.enrolment))
                reader.fingerprint.stop()
            }
            #expect(await reader.enroll(.leftThumb, scan: "ada", times: 1).failure == .duplicate)
        }

        @Test("another finger misses, and may be tried again until the owner's comes")
        func miss() async throws {
            let reader = try await Reader()
            await reader.enroll(.rightIndex, scan: "ada")
            let heard = reader.listen(["SCAN eve", "SCAN eve", "SCAN ada"])
            #expect(await heard.next() == .miss)
            #expect(await heard.next() == .miss)
            #expect(await heard.next() == .match(reader.fingerprint.enrolment))
        }

        @Test("a finger that never left the reader answers no second question, and one that comes back does")
        func lies() async throws {
            let reader = try await Reader()
            await reader.enroll(.rightIndex, scan: "ada")
            #expect(!reader.fingerprint.facts.tellsFingers)
            let first = reader.listen(["FINGER 1"])
            while !reader.fingerprint.facts.tellsFingers { await reader.hand.isTaken() }
            reader.hand.show("SCAN ada")
            #expect(await first.next() == .match(reader.fingerprint.enrolment))
            reader.fingerprint.stop()

            // It lies there still, and is seen as soon as the next watch begins, and again each time that it looks anew.
            let held = reader.hand
            var looks = 0
            held.onWanted = {
                looks += 1
                held.show("FINGER 1")
                if looks <= 3 { held.show("SCAN ada") }
            }
            let second = reader.listen([])
            #expect(await second.next() == .retry(.liftAndRepeat))
            while looks <= 3, second.unheard == 0 { await held.isTaken() }
            #expect(second.unheard == 0)
            Tally.attack("a finger that stays on the reader answers the next question", succeeded: second.unheard > 0)
            // It leaves, and what comes from now on is a touch of its own.
            held.onWanted = nil
            held.show("FINGER 0")
            while reader.fingerprint.isDoubtful { await held.isTaken() }
            held.show("FINGER 1")
            held.show("SCAN ada")
            #expect(await second.next() == .match(reader.fingerprint.enrolment))
        }

        @Test("under the doubt whether a finger lies there still, an error of the reader's is an error")
        func doubtfulErrors() async throws {
            let reader = try await Reader()
            await reader.enroll(.rightIndex, scan: "ada")
            let first = reader.listen(["FINGER 1"])
            while !reader.fingerprint.facts.tellsFingers { await reader.hand.isTaken() }
            reader.hand.show("SCAN ada")
            #expect(await first.next() == .match(reader.fingerprint.enrolment))
            reader.fingerprint.stop()

            reader.hand.habit = "ERROR 0"
            let second = reader.listen([])
            #expect(reader.fingerprint.isDoubtful)
            #expect(await second.next() == .failed)
        }

        @Test("after an enrolment nobody is listened to until its last touch is a while ago")
        func rests() async throws {
            let reader = try await Reader()
            let rest = 0.5
            reader.fingerprint.restAfterEnrolling = rest
            await reader.enroll(.rightIndex, scan: "ada")
            let heard = await reader.watching()
            #expect(EventLoop.now - reader.enrolmentEnded >= rest)
            reader.hand.show("SCAN ada")
            #expect(await heard.next() == .match(reader.fingerprint.enrolment))
        }

        @Test("what wasn't read well is told in our words and counts as nothing")
        func retries() async throws {
            let reader = try await Reader()
            await reader.enroll(.rightIndex, scan: "ada")
            let heard = reader.listen(["RETRY 0", "RETRY 1", "RETRY 2", "RETRY 3", "SCAN ada"])
            var reports: [BiometryReport] = []
            while reports.count < 5 { reports.append(await heard.next()) }
            let hints = [RetryHint.again, .tooShort, .centre, .liftAndRepeat].map(BiometryReport.retry)
            #expect(reports == hints + [.match(reader.fingerprint.enrolment)])
        }

        @Test("an error of the reader's is tried again; a reader that has nothing else has failed")
        func errors() async throws {
            let reader = try await Reader()
            await reader.enroll(.rightIndex, scan: "ada")
            let mended = reader.listen(["ERROR 0", "SCAN ada"])
            #expect(await mended.next() == .match(reader.fingerprint.enrolment))
            reader.fingerprint.stop()
            reader.hand.habit = "ERROR 0"
            let broken = reader.listen([])
            #expect(await broken.next() == .failed)
            await reader.fingerprint.settle()
            reader.hand.habit = nil
            #expect(try await reader.isFree(scan: "ada"))
        }

        @Test("a reader that is unplugged says so, and is gone")
        func unplugged() async throws {
            let reader = try await Reader()
            await reader.enroll(.rightIndex, scan: "ada")
            #expect(reader.fingerprint.presence == .here(name: reader.fingerprint.facts.name, isEnrolled: true))
            let heard = reader.listen(["UNPLUG"])
            #expect(await heard.next() == .disconnected)
            #expect(reader.fingerprint.presence == .away && reader.fingerprint.facts.hindrance == .noReader)
            #expect(reader.fingerprint.kind == .none && reader.fingerprint.enrolment == .unknown)
        }

        @Test("a reader that another program has is waited for, and had when it is let go")
        func claimed() async throws {
            let stage = try await FingerStage.start()
            let reader = try await Reader(on: stage)
            await reader.enroll(.rightIndex, scan: "ada")
            let other = try await Reader(on: stage)
            other.hand.onWanted = {}
            let holding = Heard<Void>()
            reader.hand.onWanted = { holding.put(()) }
            _ = other.listen([])
            await holding.next()
            reader.hand.onWanted = nil
            let heard = reader.listen(["SCAN ada"])
            // The other's hold is over only once it is let go: nothing was heard till then.
            #expect(heard.unheard == 0)
            other.fingerprint.stop()
            #expect(await heard.next() == .match(reader.fingerprint.enrolment))
        }

        @Test("fprintd killed while it looks for a finger is started again by the bus, and goes on looking")
        func killed() async throws {
            let reader = try await Reader()
            await reader.enroll(.rightIndex, scan: "ada")
            let before = try await reader.stage.fprintdProcess()
            let heard = await reader.watching(["SCAN ada"])
            kill(before, SIGKILL)
            #expect(await heard.next() == .match(reader.fingerprint.enrolment))
            #expect(try await reader.stage.fprintdProcess() != before)
        }

        @Test("the end of an fprintd that had the reader before is nothing to the next one: its claim is given back")
        func earlierEnd() async throws {
            let reader = try await Reader()
            await reader.enroll(.rightIndex, scan: "ada")
            await reader.fingerprint.settle()
            // As it is left by an fprintd that ended while one of its calls was waited for.
            let (inbox, heard) = (StatusInbox(), Heard<BiometryReport>())
            inbox.put(.finger(isPresent: nil, isNeeded: false))
            inbox.put(.ownerLost)
            reader.hand.script = ["SCAN ada"]
            await FingerWatching(reader.fingerprint, inbox) { heard.put($0) }.run()
            #expect(await heard.next() == .match(reader.fingerprint.enrolment))
            #expect(try await reader.isUnclaimed())
        }

        @Test("a bus that goes away ends the watch; nothing hangs")
        func busGone() async throws {
            let reader = try await Reader()
            await reader.enroll(.rightIndex, scan: "ada")
            let heard = await reader.watching()
            let stage = reader.stage
            await onThread { stage.endBus() }
            #expect(await heard.next() == .failed)
            await reader.fingerprint.settle()
            await reader.look()
            #expect(reader.fingerprint.kind == .none)
        }

        @Test("where there was no reader, casual questions have it looked for again")
        func noticedAgain() async throws {
            let stage = try await FingerStage.start()
            let reader = try await Reader(on: stage)
            await onThread { stage.endBus() }
            await reader.look()
            #expect(reader.fingerprint.kind == .none)
            try await onThread { try stage.startBusAgain() }
            let hand = try await Reader(on: stage)
            reader.fingerprint.absencePatience = 0
            // On a busy machine the bus and fprintd take their time to start.
            let deadline = EventLoop.now + 60
            while reader.fingerprint.kind == .none && EventLoop.now < deadline {
                await withCheckedContinuation { done in reader.fingerprint.prepare(isCasual: true) { done.resume() } }
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(reader.fingerprint.kind == .touchID)
            await hand.fingerprint.settle()
        }

        @OnLoop private final class Watched { weak var reader: Fingerprint? }

        @Test("a question about the sensor keeps nobody alive once it is answered")
        func forgotten() async throws {
            let watched = Watched()
            func ask() async {
                let reader = Fingerprint(
                    Fingerprint.Place(bus: "unix:path=/nowhere/bus", user: "root"), hash: { $0 }, log: { _ in })
                watched.reader = reader
                await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                    // As a device's session does, the answer looks at the reader.
                    reader.prepare(isCasual: false) {
                        #expect(reader.kind == .none)
                        done.resume()
                    }
                }
            }
            await ask()
            for _ in 0..<500 where watched.reader != nil { try await Task.sleep(for: .milliseconds(20)) }
            #expect(watched.reader == nil)
        }

        @Test("asleep, or with the lid closed, the reader is let go; awake it looks again")
        func absences() async throws {
            let reader = try await Reader()
            await reader.enroll(.rightIndex, scan: "ada")
            let heard = await reader.watching(["SCAN ada"])
            reader.fingerprint.set(.asleep, true)
            #expect(reader.fingerprint.condition(for: Reader.caller) == .notAvailable)
            let script = reader.hand.script
            reader.hand.script = []
            #expect(try await reader.isFree(scan: "ada"))
            reader.hand.script = script
            reader.fingerprint.set(.lidClosed, true)
            reader.fingerprint.set(.asleep, false)
            #expect(heard.unheard == 0)
            reader.fingerprint.set(.lidClosed, false)
            #expect(await heard.next() == .match(reader.fingerprint.enrolment))
        }

        @Test("a machine without a bus, and a bus without fprintd, have no reader")
        func nothingThere() async throws {
            let nowhere = Fingerprint(
                Fingerprint.Place(bus: "unix:path=/nowhere/bus", user: "root"), hash: { $0 }, log: { _ in })
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                nowhere.prepare(isCasual: false) { done.resume() }
            }
            #expect(
                nowhere.kind == .none && nowhere.condition(for: Reader.caller) == .notAvailable && nowhere.enrolment == .unknown)
            let heard = Heard<BiometryReport>()
            nowhere.listen { heard.put($0) }
            #expect(await heard.next() == .failed)
        }
    }
}
