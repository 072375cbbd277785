import CThumbLinux
import Foundation
import thumbturn_test_programs

/// A display of a test's own with nobody in front of it, a session's bus, and a pair of hands.
final class Display {
    /// Where what was seen is kept: `$THUMBTURN_RESULTS`, or beside the build.
    static let results =
        ProcessInfo.processInfo.environment["THUMBTURN_RESULTS"] ?? builtPrograms.path + "/../../results/window"
    static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    private let server: Running
    private let bus: Running
    let folder: String
    let number: String
    private let address: String

    /// - Parameter folder: the test's own, short, for sockets and settings.
    init(in folder: String, isDark: Bool = false) throws {
        self.folder = folder
        for name in ["screen", "gtk-4.0", "run"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(name)", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        // Nothing moves by itself, so that a picture is the same each time.
        try """
        [Settings]
        gtk-application-prefer-dark-theme=\(isDark ? 1 : 0)
        gtk-enable-animations=0
        gtk-cursor-blink=0

        """.write(
            toFile: folder + "/gtk-4.0/settings.ini", atomically: false, encoding: .utf8)
        server = try Running(
            [
                "Xvfb", "-displayfd", "1", "-screen", "0", "1200x900x24", "-nolisten", "tcp", "-noreset", "-wr",
                "-fbdir", folder + "/screen",
            ],
            ["PATH": "/usr/bin:/bin"])
        guard let number = try server.line() else { throw CannotStart(program: "Xvfb") }
        self.number = ":" + number
        bus = try Running(
            ["dbus-daemon", "--session", "--nofork", "--print-address=1"],
            ["PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": folder + "/run", "DISPLAY": ":" + number])
        guard let address = try bus.line() else { throw CannotStart(program: "dbus-daemon") }
        self.address = address
        // A keyboard that has every letter the tests type: for others xdotool changes the keyboard's map under the window's hands.
        _ = try Running.run(["setxkbmap", "-layout", "us", "-variant", "intl"], environment)
    }

    /// What a program in this session has around it.
    var environment: [String: String] {
        [
            "PATH": "/usr/bin:/bin", "HOME": folder, "DISPLAY": number, "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": folder + "/run",
            "XDG_CONFIG_HOME": folder, "DBUS_SESSION_BUS_ADDRESS": address, "GSK_RENDERER": "cairo",
        ]
    }

    /// The one window of a program, once it stands, with the keyboard in it.
    func window(of program: String = "thumbturn-window") throws -> String {
        let search = ["xdotool", "search", "--sync", "--onlyvisible", "--class", "^\(program)$"]
        // It ends with an X error where a window goes while it looks around: an earlier prompt's.
        for _ in 0..<20 {
            let found = (try? Running.run(search, environment)) ?? ""
            guard let window = found.split(separator: "\n").first.map(String.init) else { continue }
            // Without a window manager nobody gives it the keyboard. An earlier prompt's window may go just now, after it was found.
            if (try? Running.run(["xdotool", "windowfocus", "--sync", window], environment)) != nil { return window }
        }
        throw CannotStart(program: search.joined(separator: " "))
    }

    func type(_ text: String) throws { _ = try Running.run(["xdotool", "type", "--delay", "5", text], environment) }

    func press(_ keys: String...) throws { _ = try Running.run(["xdotool", "key"] + keys, environment) }

    /// Gives a window the keyboard, as a window manager does once another one is gone.
    func focus(_ window: String) throws { _ = try Running.run(["xdotool", "windowfocus", "--sync", window], environment) }

    /// Minimizes a window, and brings it back in front.
    func minimize(_ window: String) throws { _ = try Running.run(["xdotool", "windowunmap", "--sync", window], environment) }
    func bringBack(_ window: String) throws {
        _ = try Running.run(["xdotool", "windowmap", "--sync", window], environment)
        try focus(window)
    }

    /// Clicks into the middle of a part of a window.
    func click(_ window: String, _ place: Reader.Place) throws {
        let (x, y) = (place.left + place.width / 2, place.top + place.height / 2)
        _ = try Running.run(
            ["xdotool", "mousemove", "--sync", "--window", window, String(x), String(y), "click", "1"], environment)
    }

    /// Puts a window where it covers no other.
    func move(_ window: String, to x: Int, _ y: Int) throws {
        _ = try Running.run(["xdotool", "windowmove", "--sync", window, String(x), String(y)], environment)
    }

    /// Left, top, width, height.
    private func rectangle(of window: String) throws -> [Int] {
        let said = try Running.run(["xdotool", "getwindowgeometry", "--shell", window], environment)
        let values = Dictionary(
            uniqueKeysWithValues: said.split(separator: "\n").map { line in
                let parts = line.split(separator: "=")
                return (String(parts[0]), String(parts[1]))
            })
        return ["X", "Y", "WIDTH", "HEIGHT"].map { values[$0].flatMap { Int($0) } ?? 0 }
    }

    /// Keeps a picture of the windows and what is between them.
    func keep(_ name: String, of windows: String...) throws {
        try FileManager.default.createDirectory(atPath: Self.results, withIntermediateDirectories: true)
        let all = try windows.map { try rectangle(of: $0) }
        let (left, top) = (all.map { $0[0] }.min() ?? 0, all.map { $0[1] }.min() ?? 0)
        let (right, bottom) = (all.map { $0[0] + $0[2] }.max() ?? 0, all.map { $0[1] + $0[3] }.max() ?? 0)
        let words = [Self.checkout + "/scripts/picture", folder + "/screen/Xvfb_screen0", "\(Self.results)/\(name).png"]
        _ = try Running.run(
            ["/usr/bin/python3"] + words + [left, top, right - left, bottom - top].map { String($0) }, environment)
    }

    /// How wide a window is.
    func width(of window: String) throws -> Int { try whole(window).width }

    /// All of a window.
    func whole(_ window: String) throws -> Reader.Place {
        let all = try rectangle(of: window)
        return Reader.Place(left: 0, top: 0, width: all[2], height: all[3])
    }

    /// What a part of a window looks like now: blue, green, red and nothing, pixel by pixel.
    func pixels(of window: String, _ place: Reader.Place) throws -> [UInt8] {
        let at = try rectangle(of: window)
        let dump = [UInt8](try Data(contentsOf: URL(filePath: folder + "/screen/Xvfb_screen0")))
        func field(_ index: Int) -> Int { dump[(4 * index)..<(4 * index + 4)].reduce(0) { $0 << 8 | Int($1) } }
        return (0..<place.height).flatMap { row in
            let line = field(0) + field(19) * 12 + (at[1] + place.top + row) * field(12)
            let first = line + (at[0] + place.left) * 4
            return dump[first..<(first + place.width * 4)]
        }
    }

    /// How bright the window's ground is, 0 to 255.
    func brightness(of window: String) throws -> Int {
        try pixels(of: window, Reader.Place(left: 6, top: 6, width: 1, height: 1)).prefix(3).reduce(0) { $0 + Int($1) } / 3
    }

    /// What a part of a window looks like once it doesn't change any more: the same three times in a row.
    func settled(_ window: String, _ place: Reader.Place) throws -> [UInt8] {
        var (last, times): ([UInt8], Int) = ([], 0)
        return try wait(for: window, place) { seen in
            times = seen == last ? times + 1 : 0
            last = seen
            return times == 3
        }
    }

    struct NotSeen: Error { let place: Reader.Place }

    /// Waits until a part of a window looks as it should: a screen reader may hear of a change before it is painted.
    func wait(for window: String, _ place: Reader.Place, until isRight: ([UInt8]) -> Bool) throws -> [UInt8] {
        for _ in 0..<(Int(Running.patience) / 50) {
            let seen = try pixels(of: window, place)
            if isRight(seen) { return seen }
            usleep(50_000)
        }
        throw NotSeen(place: place)
    }
}

/// A window as a screen reader finds it.
final class Reader {
    /// Where something is in its window, without what it has around its text.
    struct Place: Hashable, Sendable {
        var left: Int
        var top: Int
        var width: Int
        var height: Int
    }

    struct Part: Hashable, Sendable {
        let role: String
        let name: String
        let hasFocus: Bool
        let isUsable: Bool
        let place: Place
    }

    struct NotShown: Error { let last: [Part] }

    private let program: Running
    private var last: [Part] = []
    private var asked = 0

    /// Returns once it reads: what comes on the display from then on finds a reader there.
    init(on display: Display) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().path + "/reader.py"
        program = try Running(["/usr/bin/python3", script], display.environment)
        guard try program.line() != nil else { throw CannotStart(program: script) }
    }

    /// What is shown, as soon as it is as it should be.
    func wait(until isRight: ([Part]) -> Bool) throws -> [Part] {
        if isRight(last) { return last }
        do {
            while let line = try program.line() {
                last = try Self.parts(line)
                if isRight(last) { return last }
            }
        } catch is Running.Silence {
            throw NotShown(last: last)
        }
        throw NotShown(last: last)
    }

    /// What is shown now: what a look finds that begins after this call.
    func now() throws -> [Part] {
        asked += 1
        let request = "now \(asked)"
        program.say(request)
        do {
            // Lists of earlier looks come before.
            while let line = try program.line() {
                guard line == request, let list = try program.line() else { continue }
                last = try Self.parts(list)
                return last
            }
        } catch is Running.Silence {
            throw NotShown(last: last)
        }
        throw NotShown(last: last)
    }

    private static func parts(_ line: String) throws -> [Part] {
        let parts = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [[Any]] ?? []
        return parts.map { part in
            let place = part.dropFirst(4).map { $0 as? Int ?? 0 }
            return Part(
                role: part[0] as? String ?? "", name: part[1] as? String ?? "", hasFocus: part[2] as? Bool ?? false,
                isUsable: part[3] as? Bool ?? false,
                place: Place(left: place[0], top: place[1], width: place[2], height: place[3]))
        }
    }

    /// What is shown, as soon as all of these are among it.
    func wait(for texts: String...) throws -> [Part] {
        try wait { parts in texts.allSatisfy { text in parts.contains { $0.name == text } } }
    }
}
