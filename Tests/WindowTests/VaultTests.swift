import Foundation
import Testing
import ThumbAccess
import thumbturn_test_programs

/// The example in a window (Examples/LoginAndVault), and everything around it: a device, a display, and the prompt's window.
private final class VaultStage {
    static let name = "login-and-vault-window"
    static let password = "no capes"

    let stage: Stage
    let reader: Reader
    let window: String
    private let program: Running
    private let path: String

    init(sensor: BiometryKind = .touchID, _ more: [String: String] = [:]) throws {
        stage = try Stage(sensor: sensor)
        reader = try Reader(on: stage.display)
        // For the pictures of the pages in a folder that a program would lie in, which takes root.
        path = (ProcessInfo.processInfo.environment["THUMBTURN_PICTURE_FOLDER"] ?? stage.folder) + "/vault"
        try copyProgram(Self.name, to: path)
        let own = ["THUMBTURN_SOCKET": stage.socket, "THUMBTURN_LIBEXEC": builtPrograms.path, "THUMBTURN_PROMPT": "window"]
        program = try Running([path], stage.display.environment.merging(own) { $1 }.merging(more) { $1 })
        window = try stage.display.window(of: Self.name)
        // Beside the place where prompts come up.
        try stage.display.move(window, to: 600, 0)
    }

    deinit {
        program.end()
        try? FileManager.default.removeItem(atPath: path)  // Temporary, wherever it lies.
    }

    /// Presses a button once the window stands still, for a button that moves isn't where one clicks.
    func press(_ name: String, in other: String? = nil) throws {
        _ = try reader.wait { $0.contains { Self.is($0, name) } }
        let window = other ?? window
        _ = try stage.display.settled(window, try stage.display.whole(window))
        guard let button = try reader.now().first(where: { Self.is($0, name) }) else {
            throw Stage.Surprise(what: "\(name) is gone")
        }
        try stage.display.click(window, button.place)
    }

    private static func `is`(_ part: Reader.Part, _ name: String) -> Bool {
        part.role == "push button" && part.name == name && part.isUsable && part.place.width > 0
    }

    /// Keeps a picture of the window as it is when nothing moves.
    func keep(_ name: String) throws {
        _ = try stage.display.settled(window, try stage.display.whole(window))
        try stage.display.keep(name, of: window)
    }

    /// Logs in by password, as the first time.
    func logIn() throws {
        try press("Log in with your password")
        _ = try reader.wait { $0.contains { $0.role == "password text" && $0.hasFocus } }
        try stage.display.type(Self.password)
        try stage.display.press("Return")
        _ = try reader.wait(for: "Vault · open")
    }

    /// At the login, with a token that the sensor releases.
    func atLogin(_ title: String = "Log in with your fingerprint") throws -> [Reader.Part] {
        try logIn()
        try press("Lock")
        return try reader.wait { $0.contains { Self.is($0, title) } && $0.contains { $0.name == "Vault · locked" } }
    }

    /// The prompt's window, once it asks.
    func prompt(for reason: String = "Open the vault") throws -> String {
        let prompt = try stage.display.window()
        _ = try reader.wait(for: reason)
        return prompt
    }

    /// How much what is at a symbol's place looks like each sensor's picture: our drawing, and the desktop's icon where there is one.
    func likeness(at symbol: String) throws -> (drawings: [String: Double], icons: [String: Double]) {
        _ = try stage.display.settled(window, try stage.display.whole(window))
        guard let place = try reader.now().first(where: { $0.role == "image" && $0.name == symbol })?.place else {
            throw Stage.Surprise(what: "no symbol of \(symbol)")
        }
        let pixels = try stage.display.pixels(of: window, Drawing.surroundings(of: place))
        func likeness(_ path: String) throws -> Double { try Drawing(path, stage.display.environment).likeness(to: pixels) }
        var (drawings, icons): ([String: Double], [String: Double]) = ([:], [:])
        for (sensor, name) in [("Fingerprint", "fingerprint"), ("Face recognition", "face")] {
            drawings[sensor] = try likeness("\(Display.checkout)/docs/pictures/symbol-\(name).svg")
            let icon = "/usr/share/icons/Adwaita/scalable/devices/auth-\(name)-symbolic.svg"
            if FileManager.default.fileExists(atPath: icon) { icons[sensor] = try likeness(icon) }
        }
        return (drawings, icons)
    }
}

@Suite("The example in a window", .serialized)
struct VaultTests {
    @Test("at first there is only the app's own login, and after it the vault")
    func first() async throws {
        let (login, password, vault, note) = try await onThread {
            let vault = try VaultStage()
            let login = try vault.reader.wait(for: "Vault · locked", "Log in with your password")
            try vault.press("Log in with your password")
            let password = try vault.reader.wait { $0.contains { $0.role == "password text" && $0.hasFocus } }
            try vault.keep("vault-password")
            try vault.stage.display.type(VaultStage.password)
            try vault.stage.display.press("Return")
            let open = try vault.reader.wait(for: "Vault · open", "Designs")
            try vault.press("Designs")
            let note = try vault.reader.wait { parts in
                parts.contains { $0.name == "Designs: No capes." } && parts.contains { $0.name == "Lock" && $0.isUsable }
            }
            try vault.keep("vault-open")
            return (login, password, open, note)
        }
        #expect(login.contains { $0.name.contains("You can log in with your fingerprint.") })
        #expect(!login.contains { $0.name == "Log in with your fingerprint" }, "there is nothing yet that a finger could open")
        #expect(!(login + password).contains { $0.name.contains("Designs") })
        #expect(!password.contains { $0.name == VaultStage.password } && !vault.contains { $0.role == "password text" })
        #expect(note.contains { $0.name == "Designs: No capes." } && note.contains { $0.name == "Lock" && $0.isUsable })
    }

    @Test(
        "the button has the symbol and the words of the sensor that is there, and of no other",
        arguments: [
            (BiometryKind.touchID, "Fingerprint", "Log in with your fingerprint", "vault-login"),
            (.faceID, "Face recognition", "Log in with your face", "vault-face"),
        ])
    func sensor(kind: BiometryKind, symbol: String, title: String, picture: String) async throws {
        let (parts, likeness) = try await onThread {
            let vault = try VaultStage(sensor: kind)
            let parts = try vault.atLogin(title)
            try vault.keep(picture)
            return (parts, try vault.likeness(at: symbol))
        }
        let others = ["Fingerprint", "Face recognition"].filter { $0 != symbol }
        #expect(!parts.contains { part in others.contains { part.name.hasPrefix($0) } })
        let shown = likeness.icons.isEmpty ? likeness.drawings : likeness.icons
        // GTK draws the icon of a face in another way than it is in the file, in some lines; another picture's likeness is below 0.4.
        #expect(shown[symbol] ?? 0 > 0.7, "\(likeness)")
        for other in others { #expect(shown[other] ?? 0 < 0.6, "\(likeness)") }
    }

    @Test(
        "on a desktop without such an icon, our drawing of the sensor is the symbol",
        arguments: [
            (BiometryKind.touchID, "Fingerprint", "Log in with your fingerprint", "vault-drawn"),
            (.faceID, "Face recognition", "Log in with your face", "vault-drawn-face"),
        ])
    func drawn(kind: BiometryKind, symbol: String, title: String, picture: String) async throws {
        let likeness = try await onThread {
            let vault = try VaultStage(sensor: kind, ["XDG_DATA_DIRS": "/nonexistent"])
            _ = try vault.atLogin(title)
            try vault.keep(picture)
            return try vault.likeness(at: symbol)
        }
        #expect(likeness.drawings[symbol] ?? 0 > 0.9, "\(likeness)")
        let others = likeness.drawings.filter { $0.key != symbol }.map(\.value) + likeness.icons.map(\.value)
        #expect(!others.isEmpty && others.allSatisfy { $0 < 0.7 }, "\(likeness)")
    }

    @Test("while the device asks, the window says what it waits for and can't be pressed; a finger opens it")
    func asking() async throws {
        let (asking, open) = try await onThread {
            let vault = try VaultStage()
            _ = try vault.atLogin()
            try vault.press("Log in with your fingerprint")
            let prompt = try vault.prompt()
            let asking = try vault.reader.wait(for: "Waiting for your finger…", "Touch the fingerprint reader.")
            try vault.stage.display.keep("vault-asking", of: prompt, vault.window)
            vault.stage.see(owner: true)
            return (asking, try vault.reader.wait(for: "Vault · open", "Super-suit prototypes"))
        }
        for name in ["Log in with your fingerprint", "Log in with your password"] {
            #expect(asking.contains { $0.role == "push button" && $0.name == name && !$0.isUsable }, "\(name)")
        }
        #expect(!asking.contains { $0.name == "Super-suit prototypes" })
        #expect(!open.contains { $0.name == "Waiting for your finger…" })
    }

    @Test("after a miss the prompt has the app's fallback, which leads to its own login")
    func fallback() async throws {
        let (missed, password) = try await onThread {
            let vault = try VaultStage()
            _ = try vault.atLogin()
            try vault.press("Log in with your fingerprint")
            let prompt = try vault.prompt()
            vault.stage.see(owner: false)
            let missed = try vault.reader.wait(for: "Not recognized. Tries left: 2.", "Use password")
            try vault.stage.display.keep("vault-fallback", of: prompt, vault.window)
            try vault.press("Use password", in: prompt)
            return (missed, try vault.reader.wait(for: "Vault · password", "Log in with your password."))
        }
        #expect(missed.contains { $0.name == "Waiting for your finger…" })
        #expect(password.contains { $0.role == "password text" && $0.isUsable })
    }

    @Test("three wrong passwords shut the field for some seconds, which the window counts")
    func waiting() async throws {
        let remark = "Too many wrong passwords. You can try again in "
        let (shut, counts, open) = try await onThread {
            let vault = try VaultStage()
            try vault.press("Log in with your password")
            _ = try vault.reader.wait { $0.contains { $0.role == "password text" && $0.hasFocus } }
            try vault.stage.display.type("incredible")
            try vault.stage.display.press("Return")
            _ = try vault.reader.wait(for: "That isn't the password.")
            for _ in 1...2 {
                try vault.stage.display.type("incredible")
                try vault.stage.display.press("Return")
            }
            let shut = try vault.reader.wait { parts in
                parts.contains { $0.role == "password text" && !$0.isUsable }
                    && parts.contains { $0.name.hasPrefix(remark) }
            }
            try vault.stage.display.keep("vault-wait", of: vault.window)
            var counts: Set<String> = []
            _ = try vault.reader.wait { parts in
                counts.formUnion(parts.map(\.name).filter { $0.hasPrefix(remark) })
                return parts.contains { $0.role == "password text" && $0.isUsable && $0.hasFocus }
            }
            try vault.stage.display.type(VaultStage.password)
            try vault.stage.display.press("Return")
            return (shut, counts, try vault.reader.wait(for: "Vault · open"))
        }
        // A reader that is starved may miss a second, but not four of them.
        #expect(counts.count > 1 && counts.isSubset(of: (1...5).map { "\(remark)\($0) s." }), "\(counts)")
        #expect(shut.contains { $0.name == "Log in" && !$0.isUsable } && shut.contains { $0.name == "Back" && $0.isUsable })
        #expect(!open.contains { $0.name.contains("wrong passwords") })
    }

    @Test("who comes back finds it locked, with nothing of the vault, and is asked once")
    func comingBack() async throws {
        let (away, back, open) = try await onThread {
            let vault = try VaultStage()
            try vault.logIn()
            try vault.press("Mission dossiers")
            _ = try vault.reader.wait { $0.contains { $0.name.contains("Nomanisan") } }
            try vault.stage.display.minimize(vault.window)
            let away = try vault.reader.wait(for: "Vault · locked")
            try vault.stage.display.bringBack(vault.window)
            // Whoever comes back pressed no button, so the reason is the everyday layer's own.
            let prompt = try vault.prompt(for: "Show by your fingerprint that it is you")
            let back = try vault.reader.wait(for: "Waiting for your finger…", "Touch the fingerprint reader.")
            try vault.stage.display.keep("vault-returned", of: prompt, vault.window)
            vault.stage.see(owner: true)
            return (away, back, try vault.reader.wait(for: "Vault · open"))
        }
        #expect(!(away + back).contains { $0.name.contains("Nomanisan") || $0.name == "Mission dossiers" })
        #expect(!open.contains { $0.name.contains("Nomanisan") }, "a note is open until somebody leaves, no longer")
    }

    @Test("a sensor that missed too often says so, and the passcode makes it good again")
    func lockout() async throws {
        let (locked, after) = try await onThread {
            let vault = try VaultStage()
            _ = try vault.atLogin()
            try vault.press("Log in with your fingerprint")
            _ = try vault.prompt()
            for left in [2, 1] {
                vault.stage.see(owner: false)
                _ = try vault.reader.wait(for: "Not recognized. Tries left: \(left).")
            }
            vault.stage.see(owner: false)
            _ = try vault.reader.wait(for: "The fingerprint wasn't recognized.")
            try vault.press("Log in with your fingerprint")
            _ = try vault.prompt()
            vault.stage.see(owner: false)
            // Of five misses in a row this is the fourth.
            _ = try vault.reader.wait { $0.contains { $0.name.hasPrefix("Not recognized.") } }
            vault.stage.see(owner: false)
            let locked = try vault.reader.wait(for: "Give the passcode")
            try vault.keep("vault-lockout")
            try vault.press("Give the passcode")
            _ = try vault.stage.display.window()
            _ = try vault.reader.wait { $0.contains { $0.role == "text" && $0.hasFocus } }
            try vault.stage.display.type(Stage.passcode)
            try vault.stage.display.press("Return")
            return (locked, try vault.reader.wait(for: "Log in with your fingerprint"))
        }
        #expect(locked.contains { $0.name.contains("locked after too many attempts") })
        #expect(!locked.contains { $0.name == "Log in with your fingerprint" })
        #expect(after.contains { $0.name == "Vault · locked" } && !after.contains { $0.name == "Give the passcode" })
    }
}
