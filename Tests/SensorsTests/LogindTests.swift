import CThumbLinux
import Testing
import ThumbBus
import ThumbLoop
import ThumbSensors
import thumbturn_test_daemon
import thumbturn_test_fingerprint
import thumbturn_test_programs

extension OnABus {
    /// logind, as dbusmock plays it.
    @Suite("logind", .timeLimit(.minutes(10))) @OnLoop struct LogindTests {
        private enum Told: Equatable, Sendable { case sleep(Bool), lid(Bool), lock(Bool) }

        /// Watches from now on; what is told first is what stands.
        private func watch(
            _ stage: FingerStage, owner: UInt32? = nil, patience: Double = 30
        ) async -> (logind: Logind, told: Heard<Told>) {
            let logind = Logind(bus: stage.bus, ownerUser: owner ?? stage.user, uid: stage.user, patience: patience)
            let told = Heard<Told>()
            logind.onSleep = { isAsleep, done in
                told.put(.sleep(isAsleep))
                done()
            }
            logind.onLid = { told.put(.lid($0)) }
            logind.onLock = { told.put(.lock($0)) }
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in logind.start { done.resume() } }
            return (logind, told)
        }

        @Test("what stands is told first; then sleep and waking, the lid, the lock of the user's own session and of no other")
        func changes() async throws {
            let stage = try await FingerStage.start()
            let mock = try await LogindStage(on: stage)
            try await mock.closeLid(true)
            try await mock.lock(true)
            let (logind, told) = await watch(stage)
            #expect(await told.next() == .lid(true))
            #expect(await told.next() == .lock(true))
            #expect(told.unheard == 0)
            for isAsleep in [true, false] {
                try await mock.sleep(isAsleep)
                #expect(await told.next() == .sleep(isAsleep))
            }
            for isClosed in [false, true] {
                try await mock.closeLid(isClosed)
                #expect(await told.next() == .lid(isClosed))
            }
            for isLocked in [false, true] {
                try await mock.lock(!isLocked, ofOther: true)
                try await mock.lock(isLocked)
                #expect(await told.next() == .lock(isLocked))
            }
            #expect(told.unheard == 0)
            withExtendedLifetime(logind) {}
        }

        @Test("whether the user's own session is in front is told first, and each time that it changes")
        func front() async throws {
            let stage = try await FingerStage.start()
            let mock = try await LogindStage(on: stage)
            let logind = Logind(bus: stage.bus, ownerUser: stage.user, uid: stage.user, patience: 30)
            let told = Heard<Bool>()
            logind.onFront = { told.put($0) }
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in logind.start { done.resume() } }
            #expect(await told.next())
            for isInFront in [false, true] {
                try await mock.bringToFront(!isInFront, ofOther: true)
                try await mock.bringToFront(isInFront)
                #expect(await told.next() == isInFront)
            }
            #expect(told.unheard == 0)
        }

        @Test("the lock of a session that the user began later is heard")
        func later() async throws {
            let stage = try await FingerStage.start()
            let mock = try await LogindStage(on: stage)
            let (logind, told) = await watch(stage)
            #expect(await told.next() == .lid(false))
            #expect(await told.next() == .lock(false))
            try await mock.beginSession("c3")
            try await mock.lock(true, "c3")
            #expect(await becomes { told.unheard > 0 })
            if told.unheard > 0 { #expect(await told.next() == .lock(true)) }
            withExtendedLifetime(logind) {}
        }

        @Test("a signal that logind didn't send is ignored")
        func forged() async throws {
            let stage = try await FingerStage.start()
            let mock = try await LogindStage(on: stage)
            let (logind, told) = await watch(stage)
            #expect(await told.next() == .lid(false))
            #expect(await told.next() == .lock(false))
            let name = "org.freedesktop.login1"
            try await mock.forge("/org/freedesktop/login1", "\(name).Manager.PrepareForSleep", "true")
            for (path, interface, change) in [
                ("/org/freedesktop/login1", "Manager", "{'LidClosed': <true>}"),
                ("/org/freedesktop/login1/session/c1", "Session", "{'LockedHint': <true>}"),
            ] {
                try await mock.forge(
                    path, "org.freedesktop.DBus.Properties.PropertiesChanged", "'\(name).\(interface)'", change, "@as []")
            }
            // All of it went by before this did.
            try await mock.closeLid(true)
            #expect(await told.next() == .lid(true))
            #expect(told.unheard == 0)
            Tally.check("a sleep, lid or lock is believed that logind didn't say", succeeded: told.unheard > 0)
            withExtendedLifetime(logind) {}
        }

        @Test("logind that was started anew is believed anew, and asked what stands; one of another user's isn't believed")
        func startedAnew() async throws {
            let stage = try await FingerStage.start()
            let mock = try await LogindStage(on: stage)
            let (logind, told) = await watch(stage)
            #expect(await told.next() == .lid(false))
            #expect(await told.next() == .lock(false))
            let (stranger, nothing) = await watch(stage, owner: stage.user &+ 1)
            await mock.end()
            let next = try await LogindStage(on: stage)
            try await next.closeLid(true)
            while await told.next() != .lid(true) {}
            try await next.sleep(true)
            while await told.next() != .sleep(true) {}
            #expect(nothing.unheard == 0)
            withExtendedLifetime((logind, stranger)) {}
        }

        @Test("nobody waits for a logind that is too busy to answer, and what stands is told when it does")
        func busy() async throws {
            let stage = try await FingerStage.start()
            let mock = try await LogindStage(on: stage)
            try await mock.closeLid(true)
            mock.isStopped(true)
            let (logind, told) = await watch(stage, patience: 0.2)
            #expect(told.unheard == 0)
            mock.isStopped(false)
            while await told.next() != .lid(true) {}
            while await told.next() != .lock(false) {}
            withExtendedLifetime(logind) {}
        }

        @Test("after the bus was gone logind is asked what stands, and believed again")
        func busRestarted() async throws {
            let stage = try await FingerStage.start()
            let mock = try await LogindStage(on: stage)
            let (logind, told) = await watch(stage)
            #expect(await told.next() == .lid(false))
            #expect(await told.next() == .lock(false))
            try await mock.sleep(true)
            #expect(await told.next() == .sleep(true))
            try await onThread {
                stage.endBus()
                try stage.startBusAgain()
            }
            let next = try await LogindStage(on: stage)
            try await next.closeLid(true)
            try await next.lock(true)
            // It woke in between, and nobody heard of it.
            while await told.next() != .sleep(false) {}
            while await told.next() != .lid(true) {}
            while await told.next() != .lock(true) {}
            try await next.sleep(true)
            while await told.next() != .sleep(true) {}
            withExtendedLifetime(logind) {}
        }

        @Test("a bus that isn't there at first is looked for again, and what stands is heard then")
        func busLate() async throws {
            let stage = try await FingerStage.start()
            await onThread { stage.endBus() }
            let (logind, told) = await watch(stage)
            #expect(told.unheard == 0)
            try await onThread { try stage.startBusAgain() }
            let mock = try await LogindStage(on: stage)
            try await mock.lock(true)
            while await told.next() != .lock(true) {}
            withExtendedLifetime(logind) {}
        }

        @Test("what a signal tells while logind is asked counts, and not the answer")
        func overtaken() async throws {
            let stage = try await FingerStage.start()
            let busy = try BusyLogind(stage.bus)
            guard try await busy.bus.requestName("org.freedesktop.login1") == .owned else { throw BusError(.refused) }
            let (logind, told) = await watch(stage)
            #expect(await told.next() == .lid(true))
            #expect(told.unheard == 0)
            withExtendedLifetime((logind, busy)) {}
        }

        @Test("each time the machine wants to sleep it waits until what has to happen first is done, and no longer")
        func waitedFor() async throws {
            let stage = try await FingerStage.start()
            let delayed = try DelayedLogind(stage.bus)
            guard try await delayed.bus.requestName("org.freedesktop.login1") == .owned else { throw BusError(.refused) }
            let logind = Logind(bus: stage.bus, ownerUser: stage.user, uid: stage.user, patience: 30)
            let told = Heard<Bool>()
            var finish: (() -> Void)?
            logind.onSleep = { isAsleep, done in
                finish = done
                told.put(isAsleep)
            }
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in logind.start { done.resume() } }
            for round in 1...2 {
                // It is asked to wait when it is first seen, and again each time that it wakes.
                #expect(await becomes { delayed.delays.count == round }, "\(round)")
                let delay = try #require(delayed.delays.last)
                try delayed.sleep(true)
                #expect(await told.next())
                let isOver = DelayedLogind.isOver(delay)
                #expect(!isOver, "\(round)")
                finish?()
                #expect(await becomes { DelayedLogind.isOver(delay) }, "\(round)")
                try delayed.sleep(false)
                #expect(await told.next() == false)
                finish?()
            }
            withExtendedLifetime((logind, delayed)) {}
        }

        @Test("without logind nothing is reported, and nobody waits for a report")
        func absent() async throws {
            let (logind, told) = await watch(try await FingerStage.start())
            #expect(told.unheard == 0)
            withExtendedLifetime(logind) {}
        }
    }
}

/// A logind whose lid is shut in the moment in which somebody asks for it: the signal says so, and the answer doesn't.
@OnLoop private final class BusyLogind: BusObjects {
    let bus: Bus
    private static let path = "/org/freedesktop/login1"
    private lazy var manager: BusInterface = BusInterface(
        "org.freedesktop.login1.Manager",
        properties: [
            BusProperty(
                "LidClosed", "b",
                now: { [weak self] (_) throws(BusFailure) in
                    self?.shut()
                    return .bool(false)
                })
        ])

    init(_ address: String) throws {
        bus = try Bus(address: address)
        bus.export(self)
    }

    func interfaces(at path: String) -> [BusInterface]? { path == Self.path ? [manager] : nil }
    func children(of path: String) -> [String] { [] }

    private func shut() {
        do {
            try bus.tell(changed: ["LidClosed": .bool(true)], of: manager, at: Self.path)
        } catch {
            Issue.record("the signal wasn't sent: \(error)")
        }
    }
}

/// A logind that is asked to let the machine's sleep wait, and sees when nobody wants that any longer.
@OnLoop private final class DelayedLogind: BusObjects {
    let bus: Bus
    /// For each question one end of a pipe. The program that asked has the other end.
    private(set) var delays: [BusDescriptor] = []
    private static let path = "/org/freedesktop/login1"
    private lazy var manager: BusInterface = BusInterface(
        "org.freedesktop.login1.Manager",
        methods: [
            BusMethod(
                "Inhibit", takes: ["what": "s", "who": "s", "why": "s", "mode": "s"], gives: ["pipe_fd": "h"],
                now: { [weak self] (call) throws(BusFailure) in try self?.delay(call) ?? [] })
        ],
        signals: [BusSignal("PrepareForSleep", gives: ["start": "b"])])

    init(_ address: String) throws {
        bus = try Bus(address: address)
        bus.export(self)
    }

    func interfaces(at path: String) -> [BusInterface]? { path == Self.path ? [manager] : nil }
    func children(of path: String) -> [String] { [] }

    private func delay(_ call: BusInvocation) throws(BusFailure) -> [BusValue] {
        guard call.values.first?.text == "sleep", call.values.last?.text == "delay", let pipe = try? makePipe() else {
            throw .failed("Only sleep can be delayed here.")
        }
        delays.append(BusDescriptor(pipe.reading))
        return [.descriptor(BusDescriptor(pipe.writing))]
    }

    func sleep(_ isAsleep: Bool) throws {
        try bus.emit("PrepareForSleep", of: manager, at: Self.path, [.bool(isAsleep)])
    }

    /// Whether whoever asked for that has let go of it.
    static func isOver(_ delay: BusDescriptor) -> Bool {
        var ready = pollfd(fd: delay.number, events: 0, revents: 0)
        return poll(&ready, 1, 0) == 1 && ready.revents & Int16(POLLHUP) != 0
    }
}
