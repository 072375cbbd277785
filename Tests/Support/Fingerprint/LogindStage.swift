import CThumbLinux
import Foundation
import ThumbBus
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_programs

/// logind on a stage's bus, as python-dbusmock plays it, with two users and the session that each sees.
public final class LogindStage: Sendable {
    public struct Refused: Error { let words: [String] }

    private static let name = "org.freedesktop.login1"
    private static let path = "/org/freedesktop/login1"
    private static let mock = "org.freedesktop.DBus.Mock"
    private static let session = path + "/session/c1"

    private let bus: String
    private let user: UInt32
    private let userName: String
    private let other: UInt32
    private let process: Child

    /// Starts it, once its name is there; its lid is open, its sessions not locked.
    @OnLoop public init(on stage: FingerStage, other: UInt32? = nil) async throws {
        bus = stage.bus
        user = stage.user
        userName = stage.userName
        self.other = other ?? stage.user &+ 1
        let watching = try Bus(address: stage.bus)
        let named = Heard<Void>()
        let subscription = watching.listen(BusRule(Bus.driver, "NameOwnerChanged", first: Self.name, from: Bus.driver)) {
            signal in
            if signal.values.last?.text?.isEmpty == false { named.put(()) }
        }
        _ = try await watching.call(BusCall(Bus.driver, "/org/freedesktop/DBus", Bus.driver, "GetId"), within: 30)
        process = try Child(
            "/usr/bin/python3", ["-m", "dbusmock", "--system", "--template", "logind"],
            environment: ["PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": stage.bus])
        await named.next()
        subscription.cancel()
        try await prepare()
    }

    private func prepare() async throws {
        let manager = Self.name + ".Manager"
        try await mock(Self.path, "AddProperty", manager, "LidClosed", "<false>")
        // The template's own answer is an error.
        try await mock(
            Self.path, "AddMethod", manager, "GetUser", "u", "o", "ret = '\(Self.path)/user/%i' % args[0]")
        try await begin("c1", "seat0", user, userName)
        try await begin("c2", "seat1", other, userName)
    }

    /// The user logs in once more, and works there from now on.
    public func beginSession(_ session: String) async throws { try await begin(session, "seat0", user, userName) }

    private func begin(_ session: String, _ seat: String, _ uid: UInt32, _ userName: String) async throws {
        try await mock(Self.path, "AddSession", session, seat, "\(uid)", userName, "true")
        try await call(
            "\(Self.path)/user/\(uid)", "org.freedesktop.DBus.Properties.Set",
            [Self.name + ".User", "Display", "<('\(session)', objectpath '\(Self.path)/session/\(session)')>"])
    }

    public func sleep(_ isAsleep: Bool) async throws {
        try await mock(Self.path, "EmitSignal", Self.name + ".Manager", "PrepareForSleep", "b", "[<\(isAsleep)>]")
    }

    public func closeLid(_ isClosed: Bool) async throws {
        try await mock(Self.path, "UpdateProperties", Self.name + ".Manager", "{'LidClosed': <\(isClosed)>}")
    }

    /// The user's own session, or another user's.
    public func lock(_ isLocked: Bool, ofOther: Bool = false) async throws {
        try await lock(isLocked, ofOther ? "c2" : "c1")
    }

    /// The user's own session comes to the front of its seat, or another user's does.
    public func bringToFront(_ isInFront: Bool, ofOther: Bool = false) async throws {
        try await mock(
            ofOther ? Self.path + "/session/c2" : Self.session, "UpdateProperties", Self.name + ".Session",
            "{'Active': <\(isInFront)>}")
    }

    /// A session of that name.
    public func lock(_ isLocked: Bool, _ session: String) async throws {
        try await call("\(Self.path)/session/\(session)", Self.name + ".Session.SetLockedHint", ["\(isLocked)"])
    }

    /// Ends it, without a word to anybody.
    public func end() async {
        let process = process
        await onThread { process.killed() }
    }

    /// It answers nobody until it goes on.
    public func isStopped(_ isStopped: Bool) { process.send(isStopped ? SIGSTOP : SIGCONT) }

    /// Somebody else says it to all.
    public func forge(_ path: String, _ signal: String, _ words: String...) async throws {
        let all = ["emit", "--session", "--object-path", path, "--signal", signal] + words
        // By its address alone it would be taken for no bus, and nobody would say hello to it.
        let environment = ["DBUS_SESSION_BUS_ADDRESS": bus]
        guard try await onThread({ try Child("/usr/bin/gdbus", all, environment: environment).end() }) == 0 else {
            throw Refused(words: all)
        }
    }

    private func mock(_ path: String, _ member: String, _ words: String...) async throws {
        try await call(path, "\(Self.mock).\(member)", words)
    }

    private func call(_ path: String, _ method: String, _ words: [String]) async throws {
        let all = ["call", "--address", bus, "--dest", Self.name, "--object-path", path, "--method", method] + words
        guard try await onThread({ try Child("/usr/bin/gdbus", all).end() }) == 0 else { throw Refused(words: all) }
    }
}
