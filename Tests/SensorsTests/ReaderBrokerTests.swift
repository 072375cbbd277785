import CThumbLinux
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_fingerprint
import thumbturn_test_programs

@testable import ThumbSensors

extension OnABus {
    /// The real fprintd, through the reader's broker.
    @Suite("fprintd, through the reader's broker", .timeLimit(.minutes(5))) @OnLoop struct ReaderBrokerTests {
        @Test("a finger is enrolled, listed, matches under its enrolment and is forgotten, as with a bus of one's own")
        func whole() async throws {
            let stand = try await BrokeredReader()
            let ada = await stand.seeing(1000)
            #expect(ada.kind == .touchID && ada.condition(for: Reader.caller) == .notEnrolled && ada.enrolment == .empty)
            let (failure, steps) = await stand.enroll(.rightIndex, scan: "ada", ada)
            #expect(failure == nil)
            #expect(steps == (0...5).map { EnrollingProgress(done: $0, stages: 5) })
            #expect(await stand.fingers(ada) == .success(EnrolledFingers(fingers: [.rightIndex], isSwipe: true)))
            await stand.look(ada)
            #expect(ada.condition(for: Reader.caller) == .ready && ada.facts.hindrance == nil && ada.facts.tellsEnrolments)
            let own = try await Reader(on: stand.stage)
            await own.look()
            guard case .known = ada.enrolment else {
                Issue.record("the enrolment isn't known")
                return
            }
            #expect(ada.enrolment == own.fingerprint.enrolment)
            let heard = stand.listen(["SCAN eve", "SCAN ada"], ada)
            #expect(await heard.next() == .miss)
            #expect(await heard.next() == .match(own.fingerprint.enrolment))
            ada.stop()
            #expect(await becomes { (try? await stand.isUnclaimed()) ?? false })
            #expect(await stand.forget(.leftThumb, ada) == .notEnrolled)
            #expect(await stand.forget(nil, ada) == nil)
            await stand.look(ada)
            #expect(ada.enrolment == .empty && ada.condition(for: Reader.caller) == .notEnrolled)
        }

        @Test("an enrolment that changed after a match is known at the next question, a casual one too")
        func changes() async throws {
            let stand = try await BrokeredReader()
            let ada = await stand.seeing(1000)
            await stand.enroll(.rightIndex, scan: "ada", ada)
            await stand.look(ada)
            let before = ada.enrolment
            let heard = stand.listen(["SCAN ada"], ada)
            #expect(await heard.next() == .match(before))
            ada.stop()
            #expect(ada.enrolment == before)
            let other = try await Reader(on: stand.stage)
            await other.look()
            stand.hand.script = []
            #expect(await other.enroll(.leftThumb, scan: "eve").failure == nil)
            await stand.look(ada, isCasual: true)
            #expect(ada.enrolment != before)
        }

        @Test(
            "one user's watch has the reader at a time; the next waits, isn't told that it is busy, and begins when it is released"
        )
        func line() async throws {
            let stand = try await BrokeredReader()
            let (ada, bob) = (await stand.seeing(1000), await stand.seeing(1001))
            await stand.enroll(.rightIndex, scan: "ada", ada)
            await stand.enroll(.rightIndex, scan: "bob", bob)
            let looking = Heard<Void>()
            stand.hand.onWanted = { looking.put(()) }
            let first = stand.listen([], ada)
            await looking.next()
            let second = stand.listen([], bob)
            // Two fingers that are both of somebody: only the one is looked for whose watch it is.
            stand.hand.onWanted = nil
            stand.hand.script = ["SCAN bob", "SCAN ada"]
            stand.hand.want()
            #expect(await first.next() == .miss)
            guard case .match = await first.next() else {
                Issue.record("the finger of whoever has the reader didn't match")
                return
            }
            stand.hand.script = ["SCAN bob"]
            ada.stop()
            guard case .match(.known) = await second.next() else {
                Issue.record("the next watch didn't begin")
                return
            }
        }

        @Test("a finger that one user left on the reader isn't taken for the next user's")
        func left() async throws {
            let stand = try await BrokeredReader()
            for (uid, scan) in [(UInt32(1000), "ada"), (1001, "bob")] {
                await stand.enroll(.rightIndex, scan: scan, await stand.seeing(uid))
            }
            // A broker that knows of no touch yet.
            stand.end()
            stand.start()
            let (ada, bob) = (await stand.seeing(1000), await stand.seeing(1001))
            let first = stand.listen(["FINGER 1"], ada)
            while !ada.facts.tellsFingers {
                await moment()
                await stand.look(ada)
            }
            stand.hand.show("SCAN ada")
            guard case .match = await first.next() else {
                Issue.record("the first user's finger doesn't match")
                return
            }
            // It lies there still when the reader looks for the next user's.
            let hand = stand.hand
            hand.onWanted = {
                hand.show("FINGER 1")
                hand.show("SCAN ada")
            }
            let second = stand.listen([], bob)
            ada.stop()
            #expect(await second.next() == .retry(.liftAndRepeat))
        }

        @Test("an enrolment waits for another user's watch, and one that is taken back while it waits leaves the line")
        func waits() async throws {
            let stand = try await BrokeredReader()
            let (ada, bob) = (await stand.seeing(1000), await stand.seeing(1001))
            await stand.enroll(.rightIndex, scan: "ada", ada)
            let looking = Heard<Void>()
            stand.hand.onWanted = { looking.put(()) }
            let first = stand.listen([], ada)
            await looking.next()
            let enrolling = Heard<EnrollingReport>()
            bob.enroll(.leftIndex) { enrolling.put($0) }
            bob.enroll(.leftThumb) { report in #expect(report == .ended(.busy)) }
            // A question in between is answered.
            #expect(await stand.fingers(bob) == .success(EnrolledFingers(fingers: [], isSwipe: true)))
            bob.stopEnrolling()
            #expect(await enrolling.next() == .ended(.cancelled))
            stand.hand.onWanted = nil
            stand.hand.show("SCAN ada")
            guard case .match = await first.next() else {
                Issue.record("the watch went on, and doesn't match")
                return
            }
        }

        @Test("whoever keeps others waiting for long fails, and the next has the reader")
        func patience() async throws {
            let stand = try await BrokeredReader(patience: 0.5)
            let (ada, bob) = (await stand.seeing(1000), await stand.seeing(1001))
            await stand.enroll(.rightIndex, scan: "ada", ada)
            await stand.enroll(.rightIndex, scan: "bob", bob)
            let looking = Heard<Void>()
            stand.hand.onWanted = { looking.put(()) }
            let first = stand.listen([], ada)
            await looking.next()
            // As long as nobody else waits, a watch has all the time that it wants.
            await withCheckedContinuation { done in _ = EventLoop.shared.after(1) { done.resume() } }
            stand.hand.onWanted = nil
            let second = stand.listen(["SCAN bob"], bob)
            #expect(await first.next() == .failed)
            guard case .match = await second.next() else {
                Issue.record("the next watch didn't begin")
                return
            }
        }

        @Test("a user whom the machine's file doesn't name has no reader")
        func nameless() async throws {
            let stand = try await BrokeredReader()
            let nobody = stand.device(of: 4_000_000)
            await stand.look(nobody)
            #expect(nobody.kind == .none && nobody.enrolment == .unknown && nobody.facts.hindrance == .noReader)
            #expect(nobody.condition(for: Reader.caller) == .notAvailable)
            #expect(await stand.listen([], nobody).next() == .failed)
            #expect(await stand.fingers(nobody) == .failure(.noReader))
            #expect(await stand.enroll(.leftThumb, scan: "x", nobody).failure == .noReader)
            #expect(await stand.forget(nil, nobody) == .noReader)
        }

        @Test("with the lid closed nothing counts, at once; what is watched for goes on when it opens")
        func lid() async throws {
            let stand = try await BrokeredReader()
            let ada = await stand.seeing(1000)
            await stand.enroll(.rightIndex, scan: "ada", ada)
            await stand.look(ada)
            ada.set(.lidClosed, true)
            #expect(ada.condition(for: Reader.caller) == .notAvailable && ada.facts.hindrance == .lidClosed)
            let heard = stand.listen(["SCAN ada"], ada)
            #expect(try await becomes { try await stand.isUnclaimed() })
            #expect(stand.hand.script == ["SCAN ada"])
            ada.set(.lidClosed, false)
            #expect(ada.condition(for: Reader.caller) == .ready && ada.facts.hindrance == nil)
            guard case .match = await heard.next() else {
                Issue.record("the watch didn't go on")
                return
            }
        }

        @Test("a reader that is unplugged in the middle of a watch says so through the broker too, and is away from then on")
        func unplugged() async throws {
            let stand = try await BrokeredReader()
            let ada = await stand.seeing(1000)
            #expect(ada.presence == .here(name: ada.facts.name, isEnrolled: false))
            await stand.enroll(.rightIndex, scan: "ada", ada)
            await stand.look(ada)
            #expect(ada.presence == .here(name: ada.facts.name, isEnrolled: true))
            #expect(await stand.listen(["UNPLUG"], ada).next() == .disconnected)
            #expect(ada.kind == .none && ada.presence == .away && ada.facts.hindrance == .noReader)
            await stand.look(ada)
            #expect(ada.kind == .none && ada.presence == .away)
            // Without a broker nobody knows where it is.
            stand.end()
            await stand.look(ada)
            #expect(ada.presence == .unknown)
        }

        @Test("a broker that dies in the middle of a watch fails it; the next question finds another, and the next watch matches")
        func brokerDies() async throws {
            let stand = try await BrokeredReader()
            let ada = await stand.seeing(1000)
            await stand.enroll(.rightIndex, scan: "ada", ada)
            let looking = Heard<Void>()
            stand.hand.onWanted = { looking.put(()) }
            let heard = stand.listen([], ada)
            await looking.next()
            stand.hand.onWanted = nil
            stand.end()
            #expect(await heard.next() == .failed)
            #expect(ada.kind == .none && ada.enrolment == .unknown && ada.facts.hindrance == .noService)
            // While there is none, each question says so.
            await stand.look(ada)
            #expect(ada.kind == .none)
            #expect(await stand.listen([], ada).next() == .failed)
            stand.start()
            for _ in 0..<24 where ada.kind == .none { await stand.look(ada) }
            #expect(ada.kind == .touchID)
            guard case .match = await stand.listen(["SCAN ada"], ada).next() else {
                Issue.record("the next watch didn't match")
                return
            }
        }

        /// What a device has said on its connection, of which all is sent by now.
        private func said(_ fd: Int32, count: Int) throws -> [Frame] {
            var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.brokerFrame)
            return try (0..<count).map { _ -> Frame in
                guard case .frame(let body) = frames.read(from: fd, waiting: false) else { throw WirePeer.Ended() }
                return try Frame(body)
            }
        }

        @Test("a broker is told first that the lid was closed before there was a connection to it")
        func away() async throws {
            let (mine, theirs) = try UnixSocket.pair().get()
            defer { close(theirs) }
            let device = RemoteReader(reach: { mine }, log: { _ in })
            device.set(.lidClosed, true)
            device.listen { _ in }
            let said = try said(theirs, count: 2)
            #expect(said.map(\.kind) == [.readerAway, .watchFinger])
            let away = try said[0].word(ReaderAway.self)
            #expect(away.isLidClosed && !away.isAsleep)
            device.stop()
        }

        @Test("a match for a watch that was stopped meanwhile isn't the next watch's")
        func late() async throws {
            let (mine, theirs) = try UnixSocket.pair().get()
            defer { close(theirs) }
            let device = RemoteReader(reach: { mine }, log: { _ in })
            let heard = Heard<BiometryReport>()
            device.listen { heard.put($0) }
            device.stop()
            device.listen { heard.put($0) }
            let said = try said(theirs, count: 3)
            #expect(said.map(\.kind) == [.watchFinger, .stopWatching, .watchFinger])
            BrokeredReader.tell(FingerReport.match(.known([1])), theirs, call: said[0].call)
            BrokeredReader.tell(FingerReport.match(.known([2])), theirs, call: said[2].call)
            #expect(await heard.next() == .match(.known([2])))
            #expect(heard.unheard == 0)
            device.stop()
        }
    }

    /// Devices that don't keep to the words.
    @Suite("The reader's broker, attacked", .timeLimit(.minutes(5))) @OnLoop struct ReaderBrokerAttackTests {
        private func answers(_ stand: BrokeredReader, _ words: [any Word], count: Int = 2) async throws -> [WordKind?] {
            let fd = try #require(stand.connection())
            return await onThread {
                defer { close(fd) }
                for word in words { BrokeredReader.tell(word, fd) }
                var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.brokerFrame)
                return (0..<count).map { _ -> WordKind? in
                    guard case .frame(let body) = frames.read(from: fd, waiting: true) else { return nil }
                    return (try? Frame(body))?.kind
                }
            }
        }

        @Test("a word before `serve`, a second `serve` and a word of another's end the connection")
        func words() async throws {
            let stand = try await BrokeredReader()
            let prepare = PrepareReader(isCasual: true, allowsWeakEnrolment: false)
            #expect(try await answers(stand, [prepare]) == [.refused, nil])
            #expect(try await answers(stand, [Serve(uid: 1000), Serve(uid: 1001)]) == [.refused, nil])
            #expect(try await answers(stand, [Serve(uid: 1000), MakeTPMKey()]) == [.refused, nil])
            #expect(try await answers(stand, [Serve(uid: 1000), GetStatus()]) == [.refused, nil])
            #expect(try await answers(stand, [Serve(uid: 1000), prepare], count: 1) == [.readerSnapshot])
        }

        @Test(
            "a device that dies in the middle of its watch or its enrolment lets go of the reader, and the next has it",
            arguments: [true, false])
        func deviceDies(watches: Bool) async throws {
            let stand = try await BrokeredReader()
            let ada = await stand.seeing(1000)
            await stand.enroll(.rightIndex, scan: "ada", ada)
            let dying = try #require(stand.connection(of: 1001))
            if watches {
                // Of somebody with a finger, or there is nothing to watch for.
                let bob = await stand.seeing(1001)
                await stand.enroll(.rightIndex, scan: "bob", bob)
            }
            let word: any Word = watches ? WatchFinger(allowsWeakEnrolment: false) : EnrollFinger(.leftThumb)
            // Heard from the reader: who asked for it, to see whether it is taken, would keep it from being taken.
            let looking = Heard<Void>()
            stand.hand.watchesProperty = !watches
            stand.hand.onWanted = { looking.put(()) }
            BrokeredReader.tell(word, dying)
            await looking.next()
            (stand.hand.watchesProperty, stand.hand.onWanted) = (false, nil)
            let heard = stand.listen(["SCAN ada"], ada)
            close(dying)
            guard case .match = await heard.next() else {
                Issue.record("the reader wasn't released")
                return
            }
        }

        @Test("a connection with hundreds of watches and questions isn't read beyond its limit, and others are answered")
        func greedy() async throws {
            let stand = try await BrokeredReader()
            let ada = await stand.seeing(1000)
            await stand.enroll(.rightIndex, scan: "ada", ada)
            let fd = try #require(stand.connection(of: 1001))
            defer { close(fd) }
            // As much as goes: the rest of what it wants to say waits on its side.
            for call in 1...2000 {
                BrokeredReader.tell(ForgetFinger(.leftThumb), fd, call: UInt32(call), waiting: false)
                BrokeredReader.tell(WatchFinger(allowsWeakEnrolment: false), fd, call: UInt32(10_000 + call), waiting: false)
            }
            await stand.look(ada)
            #expect(ada.kind == .touchID)
            guard case .match = await stand.listen(["SCAN ada"], ada).next() else {
                Issue.record("the greedy connection kept the reader")
                return
            }
        }
    }
}
