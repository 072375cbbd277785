import CThumbLinux
import Foundation
import Testing
import ThumbBus
import ThumbLoop
import ThumbSensors
import thumbturn_test_daemon
import thumbturn_test_fingerprint

/// logind, as dbusmock plays it.
@Suite("logind", .timeLimit(.minutes(2))) @OnLoop struct LogindTests {
    private static let name = "org.freedesktop.login1"
    private static let mock = "org.freedesktop.DBus.Mock"
    private static let manager = "/org/freedesktop/login1"

    private enum Told: Equatable, Sendable { case sleep(Bool), lid(Bool), lock(Bool) }

    private func emit(_ stage: FingerStage, _ member: String, _ value: String) async throws {
        let words = [
            "call", "--address", stage.bus, "--dest", Self.name, "--object-path", Self.manager, "--method",
            "\(Self.mock).EmitSignal",
            "\(Self.name).Manager", member, "b", "[<\(value)>]",
        ]
        #expect(try await onThread { try Child("/usr/bin/gdbus", words).end() } == 0)
    }

    @Test("sleep and waking are told")
    func sleep() async throws {
        let stage = try FingerStage()
        let bus = try Bus(address: stage.bus)
        let named = Heard<Void>()
        let subscription = bus.listen(BusRule(Bus.driver, "NameOwnerChanged", first: Self.name, from: Bus.driver)) { _ in
            named.put(())
        }
        _ = try await bus.call(BusCall(Bus.driver, Self.manager, Bus.driver, "GetId"), within: 30)
        let mock = try Child(
            "/usr/bin/python3", ["-m", "dbusmock", "--system", "--template", "logind"],
            environment: ["PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": stage.bus])
        defer { mock.killed() }
        await named.next()
        subscription.cancel()
        let logind = Logind(bus: stage.bus, ownerUser: stage.user, uid: stage.user)
        let told = Heard<Told>()
        logind.onSleep = { told.put(.sleep($0)) }
        logind.onLid = { told.put(.lid($0)) }
        logind.onLock = { told.put(.lock($0)) }
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in logind.start { done.resume() } }
        let before = told.unheard
        for _ in 0..<before { _ = await told.next() }
        for isAsleep in [true, false] {
            try await emit(stage, "PrepareForSleep", "\(isAsleep)")
            #expect(await told.next() == .sleep(isAsleep))
        }
    }
}
