import LocalAuthentication
import Testing
import Thumbturn
import ThumbturnSimulator

extension OnDevice {
    @Suite("App lock")
    @MainActor final class AppLockTests {
        let device = SimulatedDevice(biometry: .faceID).install()
        let clock = TestClock()
        let authenticator: Authenticator
        let lock: AppLock

        init() {
            authenticator = Authenticator(
                policy: .deviceOwnerAuthenticationWithBiometrics, now: { [clock] in clock.now })
            lock = AppLock(authenticator, session: nil)
        }

        deinit { device.uninstall() }

        func open() async {
            device.answer(.match)
            await lock.unlock()
        }

        @Test("It starts shut, and the first activation asks")
        func start() async {
            #expect(lock.isLocked)
            device.answer(.match)
            #expect(await lock.becameActive() == .success)
            #expect(!lock.isLocked && authenticator.isAuthenticated)
            #expect(await lock.becameActive() == nil)
            #expect(await lock.unlock() == .success)
            #expect(device.prompts.count == 1)
        }

        @Test("Session lock, suspension and the app shut it, and each return asks once", arguments: [0, 1, 2])
        func locks(event: Int) async {
            await open()
            let context = authenticator.context
            [lock.sessionLocked, lock.suspended, lock.lock][event]()
            #expect(lock.isLocked && !authenticator.isAuthenticated)
            #expect(context?.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil) == false, "what was shown is forgotten")
            device.answer(.match)
            #expect(await lock.becameActive() == .success)
            #expect(!lock.isLocked && device.prompts.count == 2)
        }

        @Test("A cancel isn't followed by another prompt, only by a button")
        func cancelDoesNotLoop() async {
            device.answer(.cancel)
            #expect(await lock.becameActive() == .cancelled(by: .user))
            for _ in 1...3 {
                lock.resignedActive()
                #expect(await lock.becameActive() == nil)
            }
            #expect(lock.isLocked && device.prompts.count == 1)
            device.answer(.match)
            #expect(await lock.unlock() == .success)
        }

        @Test(
            "The prompt's own way of making the app inactive brings up no other one",
            arguments: [SimulatedDevice.Answer.match, .cancel, .systemCancel])
        func ownPrompt(answer: SimulatedDevice.Answer) async throws {
            authenticator.reuseDuration = 30
            device.answer(.nothing)
            async let result = lock.becameActive()
            try await until("the prompt is up") { device.isAsking }
            lock.resignedActive()
            lock.suspended()
            #expect(await lock.becameActive() == nil)
            #expect(device.isAsking, "and doesn't take the prompt away")
            device.answer(answer)
            let ended = await result
            #expect(await lock.becameActive() == nil)
            #expect(lock.isLocked == (ended != .success))
            #expect(device.prompts.count == 1)
        }

        @Test("A session that locks under a prompt takes it away, and the return asks anew")
        func lockedWhileAsking() async throws {
            device.answer(.nothing)
            async let first = lock.becameActive()
            try await until("the prompt is up") { device.isAsking }
            lock.sessionLocked()
            device.answer(.match)
            async let second = lock.becameActive()
            #expect(await first == .cancelled(by: .system))
            #expect(await second == .success)
            #expect(!lock.isLocked)
        }

        @Test("A yes from before a lock opens nothing, and doesn't touch the attempt that followed")
        func lateYes() async throws {
            let contexts = [HeldContext(), HeldContext()]
            var fresh = contexts
            let lock = AppLock(Authenticator(makeContext: { fresh.removeFirst() }), session: nil)
            async let first = lock.becameActive()
            let late = try await contexts[0].reply()
            lock.sessionLocked()
            async let second = lock.becameActive()
            let reply = try await contexts[1].reply()
            late(true, nil)
            #expect(await first == .cancelled(by: .system))
            #expect(lock.isLocked)
            lock.suspended()
            reply(true, nil)
            #expect(await second == .success, "its own prompt is up, so being put aside changes nothing")
            #expect(!lock.isLocked)
        }

        @Test("The device's own lock interrupts the prompt and leaves the app shut")
        func deviceLock() async throws {
            device.answer(.nothing)
            async let result = lock.becameActive()
            try await until("the prompt is up") { device.isAsking }
            device.lock()
            #expect(await result == .cancelled(by: .system))
            #expect(lock.isLocked)
        }

        @Test("A second button press while the prompt is up is refused")
        func secondUnlock() async throws {
            device.answer(.nothing)
            async let first = lock.unlock()
            try await until("the prompt is up") { device.isAsking }
            #expect(await lock.unlock() == .alreadyInProgress)
            device.answer(.match)
            #expect(await first == .success)
        }

        @Test("Coming back asks if the success expired meanwhile, and only then")
        func expiry() async {
            authenticator.expiry = 60
            await open()
            clock.advance(by: 59)
            lock.resignedActive()
            #expect(await lock.becameActive() == nil)
            clock.advance(by: 1)
            lock.resignedActive()
            device.answer(.cancel)
            #expect(await lock.becameActive() == .cancelled(by: .user))
            #expect(lock.isLocked && device.prompts.count == 2)
        }

        @Test("Misses and missing sensors leave it shut, and its owner's login opens it")
        func login() async {
            device.biometryPermission = false
            #expect(await lock.becameActive() != .success)
            #expect(lock.isLocked)
            lock.loginSucceeded()
            #expect(!lock.isLocked && authenticator.isAuthenticated)
            lock.sessionLocked()
            #expect(lock.isLocked)
        }

        @Test("A success kept from before opens it from the start, unless somebody was enrolled since")
        func keptSuccess() async {
            let (successes, enrolments) = (MemoryValues(), MemoryValues())
            func next() -> AppLock {
                AppLock(
                    Authenticator(expiry: 60, values: successes, now: { [clock] in clock.now }),
                    watch: EnrolmentWatch(values: enrolments))
            }
            let first = next()
            device.answer(.match)
            #expect(await first.becameActive() == .success)
            let second = next()
            #expect(!second.isLocked)
            #expect(await second.becameActive() == nil)
            device.enroll("somebody")
            let third = next()
            #expect(third.isLocked)
            #expect(await third.becameActive() == .enrolmentChanged)
            #expect(device.prompts.count == 1)
        }

        @Test("A locked-out sensor can't tell who is enrolled, so only the login opens, and the old enrolment stays the owner's")
        func cannotTell() async {
            let watched = AppLock(
                authenticator, watch: EnrolmentWatch(values: MemoryValues()), session: nil)
            device.answer(.match)
            #expect(await watched.becameActive() == .success)
            await device.lockBiometryOut()
            let shown = device.prompts.count
            watched.sessionLocked()
            #expect(await watched.becameActive() == .enrolmentChanged)
            #expect(watched.isLocked && watched.demandsLogin && device.prompts.count == shown)
            watched.loginSucceeded()
            #expect(!watched.isLocked)
            device.lock()
            #expect(device.unlock(with: .passcode("1234")))
            watched.sessionLocked()
            device.answer(.match)
            #expect(await watched.becameActive() == .success)
        }

        @Test("With a watch, another face demands the app's own login, now and on later returns")
        func watch() async {
            let watched = AppLock(
                authenticator, watch: EnrolmentWatch(values: MemoryValues()), session: nil)
            device.answer(.match)
            #expect(await watched.becameActive() == .success)
            device.enroll("somebody")
            watched.sessionLocked()
            #expect(await watched.becameActive() == .enrolmentChanged)
            #expect(await watched.unlock() == .enrolmentChanged)
            #expect(watched.isLocked && watched.demandsLogin && device.prompts.count == 1)
            watched.loginSucceeded()
            #expect(!watched.isLocked && !watched.demandsLogin)
            watched.lock()
            device.answer(.match)
            #expect(await watched.becameActive() == .success)
        }

        @Test("A face enrolled while the prompt is up doesn't get in")
        func enrolledWhileAsking() async throws {
            let watched = AppLock(
                authenticator, watch: EnrolmentWatch(values: MemoryValues()), session: nil)
            device.answer(.nothing)
            async let result = watched.unlock()
            try await until("the prompt is up") { device.isAsking }
            device.enroll("somebody")
            device.answer(.match)
            #expect(await result != .success)
            #expect(watched.isLocked && !authenticator.isAuthenticated)
        }

        // MARK: What the device tells

        @Test(
            "the device's lock and the machine's sleep shut it by themselves, and nobody is asked before the app is in front",
            arguments: [false, true])
        func follows(sleeps: Bool) async throws {
            let lock = AppLock(authenticator)
            device.answer(.match)
            #expect(await lock.becameActive() == .success)
            if !sleeps { device.lock() }
            try await until("it is shut") {
                // A sleep is told to whoever watches by then, and the watch begins beside the first question.
                if sleeps, !lock.isLocked {
                    device.wake()
                    device.sleep()
                }
                return lock.isLocked
            }
            if sleeps { device.wake() } else { device.unlock() }
            #expect(!authenticator.isAuthenticated && device.prompts.count == 1)
            device.answer(.match)
            #expect(await lock.becameActive() == .success)
            #expect(!lock.isLocked && device.prompts.count == 2)
        }

        /// A session of which a test tells, and that knows when all was heard.
        @MainActor private final class ToldSession {
            private var events: [SessionEvents.Event] = []
            private var waiter: CheckedContinuation<SessionEvents.Event?, Never>?
            var isHeard: Bool { waiter != nil && events.isEmpty }
            var sequence: SessionEvents { SessionEvents { AsyncStream { await self.next() } } }

            func tell(_ event: SessionEvents.Event) {
                guard let waiter else { return events.append(event) }
                self.waiter = nil
                waiter.resume(returning: event)
            }

            private func next() async -> SessionEvents.Event? {
                if !events.isEmpty { return events.removeFirst() }
                return await withCheckedContinuation { waiter = $0 }
            }
        }

        @Test("only what has to shuts it: a lock, a sleep, and a device that is gone")
        func shuts() async throws {
            for event in [SessionEvents.Event.unlocked, .awake, .returned, .left, .locked, .asleep, .lost] {
                let session = ToldSession()
                let lock = AppLock(Authenticator(expiry: 60, now: { [clock] in clock.now }), session: session.sequence)
                device.answer(.match)
                #expect(await lock.becameActive() == .success)
                session.tell(event)
                try await until("it was heard") { session.isHeard }
                #expect(lock.isLocked == [.locked, .asleep, .lost].contains(event), "\(event)")
            }
        }

        @Test("a session that was left counts as the app's own absence: on return its expiry decides", arguments: [30.0, 90])
        func left(seconds: Double) async throws {
            let session = ToldSession()
            let lock = AppLock(Authenticator(expiry: 60, now: { [clock] in clock.now }), session: session.sequence)
            device.answer(.match)
            #expect(await lock.becameActive() == .success)
            session.tell(.left)
            try await until("it was heard") { session.isHeard }
            clock.advance(by: seconds)
            session.tell(.returned)
            try await until("it was heard") { session.isHeard }
            let asks = seconds > 60
            #expect(lock.isLocked == asks, "it shuts before anything says that the app is in front")
            if asks { device.answer(.match) }
            #expect(await lock.becameActive() == (asks ? .success : nil))
        }

        @Test("events are told in order, and a sequence that begins while the session is locked says so first")
        func events() async throws {
            device.lock()
            var events = SessionEvents().makeAsyncIterator()
            #expect(await events.next() == .locked)
            device.sleep()
            device.wake()
            device.bringSessionToFront(false)
            device.unlock()
            device.bringSessionToFront(true)
            for event in [SessionEvents.Event.asleep, .awake, .left, .unlocked, .returned] {
                #expect(await events.next() == event)
            }
            device.lock()
            #expect(await events.next() == .locked)
            // Another one begins on a connection that has told of this already.
            var late = SessionEvents().makeAsyncIterator()
            #expect(await late.next() == .locked)
            device.uninstall()
            #expect(await events.next() == .lost)
        }
    }
}
