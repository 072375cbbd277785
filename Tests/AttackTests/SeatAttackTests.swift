import Foundation
import Testing
import thumbturn_test_daemon
import thumbturn_test_programs

@Suite(
    "Attacks on where a touch counts",
    .enabled(if: geteuid() == 0, "takes root, to put logind's files into a world of their own"),
    .timeLimit(.minutes(5)))
struct SeatAttackTests {
    /// One world, and what the seat is to say of it.
    struct Sitting: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let world: SeatWorld
        var preflight = false
        var touch = false

        init(_ name: String, preflight: Bool = false, touch: Bool = false, _ change: (inout SeatWorld) -> Void) {
            testDescription = name
            (self.preflight, self.touch) = (preflight, touch)
            var world = SeatWorld()
            change(&world)
            self.world = world
        }
    }

    /// Everything in one graphical session of the owner's that is active.
    private static func desktop(_ world: inout SeatWorld, _ change: (inout SeatWorld.Session) -> Void = { _ in }) {
        var session = SeatWorld.Session()
        change(&session)
        world.sessions["c1"] = session
        world.main = "c1"
        (world.app, world.prompt, world.surface) = (.session("c1"), .session("c1"), .x11(":0"))
    }

    /// Everything in one console session of the owner's that is active.
    private static func console(_ world: inout SeatWorld, _ change: (inout SeatWorld.Session) -> Void = { _ in }) {
        var session = SeatWorld.Session(type: "tty", terminal: "tty3")
        change(&session)
        world.sessions["3"] = session
        (world.app, world.prompt, world.surface) = (.session("3"), .session("3"), .terminal)
        world.terminal = SeatWorld.virtualConsole(3)
    }

    /// GDM's greeter, which runs as a user of its own, on the machine's screen.
    private static func greeter(_ world: inout SeatWorld, _ change: (inout SeatWorld.Session) -> Void = { _ in }) {
        var session = SeatWorld.Session(type: "wayland", kind: "greeter", uid: 115)
        change(&session)
        world.sessions["g1"] = session
        world.surface = .greeter
    }

    private static let seated = [
        Sitting("the greeter, for a login", preflight: true, touch: true) { greeter(&$0) },
        Sitting("the greeter over the owner's locked session", preflight: true, touch: true) {
            desktop(&$0)
            ($0.isLocked, $0.surface) = (true, .lockScreen)
        },
        Sitting("an X11 window on its session's display", preflight: true, touch: true) { desktop(&$0) },
        Sitting("on a screen of that display", preflight: true, touch: true) {
            desktop(&$0)
            $0.surface = .x11(":0.0")
        },
        Sitting("a window that the user's manager started, for an app that it started", preflight: true, touch: true) {
            desktop(&$0)
            ($0.app, $0.prompt) = (.manager, .manager)
        },
        Sitting("a Wayland window of its session's compositor", preflight: true, touch: true) {
            desktop(&$0) { $0.type = "wayland" }
            $0.surface = .wayland(.session("c1"))
        },
        Sitting("a Wayland window of a compositor that the user's manager started", preflight: true, touch: true) {
            desktop(&$0) { $0.type = "wayland" }
            $0.surface = .wayland(.manager)
        },
        Sitting("a console's own terminal", preflight: true, touch: true) { console(&$0) },
    ]

    private static let unseated = [
        Sitting("a greeter that isn't in front") { greeter(&$0) { $0.isActive = false } },
        Sitting("a greeter that closes") { greeter(&$0) { $0.state = "closing" } },
        Sitting("a greeter for somebody at another machine") { greeter(&$0) { $0.isRemote = true } },
        Sitting("a greeter on another seat") { greeter(&$0) { $0.seat = "seat1" } },
        Sitting("a greeter on a text console") { greeter(&$0) { $0.type = "tty" } },
        Sitting("a greeter's question for a login, with the owner's own locked session in front") {
            desktop(&$0)
            ($0.isLocked, $0.surface) = (true, .greeter)
        },
        Sitting("an unlocking while the owner's session isn't locked") {
            desktop(&$0)
            $0.surface = .lockScreen
        },
        Sitting("an unlocking of a session behind the greeter") {
            desktop(&$0) { $0.isActive = false }
            greeter(&$0)
            ($0.isLocked, $0.surface) = (true, .lockScreen)
        },
        Sitting("an unlocking of a session behind another one of the owner's, which isn't locked") {
            desktop(&$0) { $0.isActive = false }
            $0.sessions["c2"] = SeatWorld.Session(type: "wayland")
            ($0.isLocked, $0.surface) = (true, .lockScreen)
        },
        Sitting("an unlocking of a session in front, while the lock is that of the owner's main one") {
            desktop(&$0)
            $0.sessions["c2"] = SeatWorld.Session(type: "wayland", isActive: false)
            ($0.main, $0.isLocked, $0.surface) = ("c2", true, .lockScreen)
        },
        Sitting("an unlocking of a session at another machine's screen") {
            desktop(&$0) { $0.seat = nil }
            ($0.isLocked, $0.surface) = (true, .lockScreen)
        },
        Sitting("a greeter's question over a session that is no user's and no greeter's") {
            greeter(&$0) { $0.kind = "background" }
        },
        Sitting("a window on another X display", preflight: true) {
            desktop(&$0)
            $0.surface = .x11(":1")
        },
        Sitting("a window on a display that only looks alike", preflight: true) {
            desktop(&$0)
            $0.surface = .x11("localhost:0")
        },
        Sitting("a window without a display's name", preflight: true) {
            desktop(&$0)
            $0.surface = .x11("")
        },
        Sitting("an X11 window in a session that has no display", preflight: true) {
            desktop(&$0) { $0.display = nil }
        },
        Sitting("a Wayland window of a compositor in another session of the user's", preflight: true) {
            desktop(&$0) { $0.type = "wayland" }
            $0.sessions["c2"] = SeatWorld.Session(type: "wayland", isActive: false)
            $0.surface = .wayland(.session("c2"))
        },
        Sitting("a Wayland window of another user's compositor", preflight: true) {
            desktop(&$0) { $0.type = "wayland" }
            $0.sessions["c2"] = SeatWorld.Session(type: "wayland", uid: 4243, isActive: false)
            $0.surface = .wayland(.session("c2", of: 4243))
        },
        Sitting("a Wayland window of a compositor in no session", preflight: true) {
            desktop(&$0) { $0.type = "wayland" }
            $0.surface = .wayland(.nowhere)
        },
        Sitting("a Wayland window whose compositor is process 0, which is who asks", preflight: true) {
            desktop(&$0) { $0.type = "wayland" }
            $0.surface = .claimed(0)
        },
        Sitting("a Wayland window whose compositor is no process", preflight: true) {
            desktop(&$0) { $0.type = "wayland" }
            $0.surface = .claimed(-1)
        },
        Sitting("a terminal in a graphical session", preflight: true) {
            desktop(&$0)
            ($0.surface, $0.terminal) = (.terminal, SeatWorld.pseudoterminal)
        },
        Sitting("a terminal that is the graphical session's own virtual console", preflight: true) {
            desktop(&$0)
            ($0.surface, $0.terminal) = (.terminal, SeatWorld.virtualConsole(2))
        },
        Sitting("a window of a process in no session", preflight: true) {
            desktop(&$0)
            $0.prompt = .nowhere
        },
        Sitting("a graphical session that isn't active") { desktop(&$0) { $0.isActive = false } },
        Sitting("a graphical session that is locked") {
            desktop(&$0)
            $0.isLocked = true
        },
        Sitting("a graphical session that is closing") { desktop(&$0) { $0.state = "closing" } },
        Sitting("a graphical session at another machine") { desktop(&$0) { $0.isRemote = true } },
        Sitting("a graphical session without a seat: a remote desktop's") { desktop(&$0) { $0.seat = nil } },
        Sitting("another user's graphical session, through su") {
            desktop(&$0) { $0.uid = 4243 }
            ($0.app, $0.prompt) = (.session("c1", of: 4243), .session("c1", of: 4243))
        },
        Sitting("an app in no session", touch: true) {
            desktop(&$0)
            $0.app = .nowhere
        },
        Sitting("a window in an inactive session, with a console in front") {
            console(&$0)
            desktop(&$0) { $0.isActive = false }
        },
        Sitting("a console, with the graphical session in front") {
            desktop(&$0)
            console(&$0) { $0.isActive = false }
        },
        Sitting("a terminal on another console than its session's", preflight: true) {
            console(&$0)
            $0.terminal = SeatWorld.virtualConsole(4)
        },
        Sitting("a pseudoterminal on a console", preflight: true) {
            console(&$0)
            $0.terminal = SeatWorld.pseudoterminal
        },
        Sitting("no terminal on a console", preflight: true) {
            console(&$0)
            $0.terminal = 0
        },
        Sitting("a window on a console", preflight: true) {
            console(&$0)
            $0.surface = .x11(":0")
        },
        Sitting("a console that isn't in front") { console(&$0) { $0.isActive = false } },
        Sitting("a console that is locked") {
            console(&$0)
            $0.isLocked = true
        },
        Sitting("over SSH") {
            console(&$0) {
                ($0.isRemote, $0.seat, $0.terminal) = (true, nil, "pts/1")
            }
            $0.terminal = SeatWorld.pseudoterminal
        },
        Sitting("over SSH, with a terminal said to be a console") {
            console(&$0) { ($0.isRemote, $0.seat) = (true, nil) }
        },
        Sitting("a login on a serial line") {
            console(&$0) { ($0.seat, $0.terminal) = (nil, "ttyS0") }
            $0.terminal = 4 << 8 | 64
        },
        Sitting("a program of the manager's, with a console in front") {
            console(&$0)
            $0.main = "3"
            ($0.app, $0.prompt) = (.manager, .manager)
        },
        Sitting("in no session at all") { _ in },
    ]

    @Test(
        "a touch counts under the window of the owner's active session, and on its console; a preflight says so",
        arguments: seated)
    func counts(_ sitting: Sitting) async throws {
        let answer = try await onThread { try sitting.world.answer() }
        #expect(answer.preflight == sitting.preflight && answer.touch == sitting.touch, "\(answer)")
    }

    @Test("a touch counts nowhere else, and no environment makes it count", arguments: unseated)
    func countsNot(_ sitting: Sitting) async throws {
        for word in [nil, "window", "terminal"] {
            var world = sitting.world
            if let word { world.environment["THUMBTURN_PROMPT"] = word }
            let answer = try await onThread { [world] in try world.answer() }
            let isWrong = answer.preflight && !sitting.preflight || answer.touch && !sitting.touch
            #expect(answer.preflight == sitting.preflight && answer.touch == sitting.touch, "\(answer)")
            if word == nil { Tally.attack("a touch: " + sitting.testDescription, succeeded: isWrong) }
        }
    }
}
