import CThumbLinux
import Foundation
import Testing
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_programs

/// A program of ours at work: it has begun to speak with its daemon, or its bus, which is this test and says nothing.
private final class Held {
    static let socket = "/run/eve/socket"

    let child: Child
    private let fd: Int32

    /// Starts it, and waits until it has connected to the listener.
    init(_ listener: Int32, _ start: () throws -> Child) throws {
        child = try start()
        var wait = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 60_000) == 1, let fd = UnixSocket.accept(listener) else {
            throw CannotStart(program: "one of ours")
        }
        self.fd = fd
    }

    deinit {
        child.killed()
        close(fd)
    }

    /// Whether it waits there still: what can't be read because it is gone would be no proof.
    var isThere: Bool {
        var wait = pollfd(fd: fd, events: 0, revents: 0)
        return poll(&wait, 1, 0) == 0 || Int32(wait.revents) & POLLHUP == 0
    }
}

@Suite("Attacks on our own processes", .enabled(if: getuid() == 0, "takes root and two users"), .timeLimit(.minutes(5)))
struct OwnMemoryTests {
    private static let ways = ["attach", "memory", "maps", "environment", "read", "descriptor"]

    enum Ours: String, CaseIterable, CustomTestStringConvertible {
        case prompt = "thumbturn-prompt"
        case window = "thumbturn-window"
        case secretService = "thumbturn-secret-service"

        var testDescription: String { rawValue }
        /// The window is built only where GTK was asked for.
        static let isWindowBuilt = access(builtPrograms.appending(path: Ours.window.rawValue).path, X_OK) == 0
    }

    /// A descriptor from which a program reads these bytes, then the end.
    private static func reading(_ bytes: [UInt8]) throws -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard thumb_pipe2(&ends, O_CLOEXEC) == 0, write(ends[1], bytes, bytes.count) == bytes.count else {
            throw CannotStart(program: "a pipe")
        }
        close(ends[1])
        return ends[0]
    }

    private static func start(_ ours: Ours, on machine: SystemMachine, _ screen: Screen?) throws -> Child {
        let around = ["HOME": "/run/eve", "XDG_RUNTIME_DIR": "/run/eve", "PATH": "/usr/bin:/bin"]
        switch ours {
        case .prompt:
            let ticket = try reading([UInt8](repeating: 7, count: 32) + Array(Held.socket.utf8))
            defer { close(ticket) }
            return try machine.run([ours.rawValue], as: machine.eve, around, passing: ticket)
        case .window:
            let display = [
                "DISPLAY": screen?.name ?? "", "GSK_RENDERER": "cairo", "GTK_A11Y": "none",
                "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
            ]
            return try machine.run(
                [ours.rawValue, "--agent", "--socket", Held.socket], as: machine.eve, around.merging(display) { $1 })
        case .secretService:
            let bus = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=" + Held.socket]
            return try machine.run([ours.rawValue], as: machine.eve, around.merging(bus) { $1 })
        }
    }

    @Test(
        "another program of the same user can't look into what is typed into or read by",
        arguments: Ours.allCases.filter { $0 != .window })
    func looked(ours: Ours) async throws { try await look(into: ours) }

    @Test(
        "another program of the same user can't look into the window",
        .enabled(if: Ours.isWindowBuilt, "takes the window, which THUMBTURN_WINDOW=1 builds"))
    func window() async throws { try await look(into: .window) }

    private func look(into ours: Ours) async throws {
        let (outcomes, controls, isThere) = try await onThread {
            let machine = try SystemMachine([ours.rawValue])
            try machine.inside("install -d -o \(machine.eve) -g \(machine.eve) /run/eve")
            let socket = machine.outside("/run/eve/socket")
            let listener = try UnixSocket.listen(at: socket).get()
            defer { close(listener) }
            chmod(socket, 0o666)
            let screen = ours == .window ? try Screen() : nil
            let held = try Held(listener) { try Self.start(ours, on: machine, screen) }
            let outcomes = try Self.ways.map { try machine.attack("\($0) \(held.child.pid)", as: machine.eve) }
            let isThere = held.isThere
            return (outcomes, try Self.ways.map { try machine.attack("\($0) victim", as: machine.eve) }, isThere)
        }
        #expect(isThere)
        #expect(outcomes.allSatisfy { $0 == .failed }, "\(outcomes)")
        if Attacker.canTrace("looking into \(ours.rawValue)") {
            #expect(controls.allSatisfy { $0 == .succeeded }, "\(controls)")
        }
        for (way, outcome) in zip(Self.ways, outcomes) {
            Tally.attack("\(ours.rawValue) is looked into by way of \(way)", succeeded: outcome != .failed)
        }
    }
}
