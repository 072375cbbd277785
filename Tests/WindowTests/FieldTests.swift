import Testing
import ThumbAccess
import thumbturn_test_programs

extension Stage.Shown {
    /// Has the typed passcode shown, by keyboard, and goes back to the field; returns once it is painted.
    func reveal(on display: Display) throws { try Self.reveal(window, reader, on: display) }

    static func reveal(_ window: String, _ reader: Reader, on display: Display) throws {
        try display.press("Tab")
        let parts = try reader.wait { $0.contains { $0.name == "Show the passcode" && $0.hasFocus } }
        let field = parts.first { $0.role == "text" }?.place ?? Reader.Place(left: 0, top: 0, width: 0, height: 0)
        // Once the focus is painted away: its going isn't the passcode's coming.
        let dots = try display.settled(window, field)
        try display.press("space")
        _ = try reader.wait(for: "Hide the passcode")
        _ = try display.wait(for: window, field) { $0 != dots }
        try display.press("shift+Tab")
        _ = try reader.wait { $0.contains { $0.role == "text" && $0.hasFocus } }
    }
}

@Suite("The window's field and its buttons", .serialized)
struct FieldTests {
    @Test("Caps Lock is told for as long as it is on")
    func capsLock() async throws {
        let (before, on, off, result) = try await onThread {
            let stage = try Stage()
            let shown = try stage.show()
            let before = try shown.reader.wait { $0.contains { $0.role == "text" && $0.hasFocus } }
            try stage.display.press("Caps_Lock")
            let on = try shown.reader.wait(for: "Caps Lock is on.")
            try stage.display.keep("caps-lock", of: shown.window)
            try stage.display.press("Caps_Lock")
            let off = try shown.reader.wait { !$0.contains { $0.name == "Caps Lock is on." } }
            try stage.display.press("Escape")
            return (before, on, off, try Stage.outcome(shown.app))
        }
        #expect(!before.contains { $0.name == "Caps Lock is on." })
        // The key itself is no character.
        #expect(on.contains { $0.role == "push button" && $0.name == "OK" && !$0.isUsable })
        #expect(off.contains { $0.role == "text" && $0.hasFocus })
        #expect(result == .failure(.userCancel))
    }

    @Test("a window that opens while Caps Lock is on says so at once")
    func capsLockBefore() async throws {
        let result = try await onThread {
            let stage = try Stage()
            try stage.display.press("Caps_Lock")
            let shown = try stage.show()
            _ = try shown.reader.wait(for: "open the vault", "Caps Lock is on.")
            try stage.display.press("Escape")
            return try Stage.outcome(shown.app)
        }
        #expect(result == .failure(.userCancel))
    }

    @Test("what is typed is seen while its owner wants it, by nobody who only listens, and hidden again once it is sent")
    func reveal() async throws {
        let (seen, after, result) = try await onThread {
            let stage = try Stage()
            let shown = try stage.show()
            var seen = try shown.reader.wait { $0.contains { $0.role == "text" && $0.hasFocus } }
            try stage.display.type("wrong-guess-4711")
            seen += try shown.reader.wait { $0.contains { $0.name == "OK" && $0.isUsable } }
            try shown.reveal(on: stage.display)
            try stage.display.keep("revealed", of: shown.window)
            seen += try shown.reader.wait(for: "Hide the passcode")
            // Once more, back to dots.
            try stage.display.press("Tab", "space")
            seen += try shown.reader.wait(for: "Show the passcode")
            try stage.display.press("space")
            seen += try shown.reader.wait(for: "Hide the passcode")
            try stage.display.press("shift+Tab", "Return")
            let after = try shown.reader.wait(for: "That passcode is not right.", "Show the passcode")
            try stage.display.type(Stage.passcode)
            try stage.display.press("Return")
            return (seen, after, try Stage.outcome(shown.app))
        }
        #expect(!(seen + after).contains { $0.name.contains("guess") || $0.name.contains("4711") })
        #expect(after.contains { $0.role == "text" && $0.hasFocus })
        #expect(result == .success(.passcode))
    }

    @Test("dots stand for a passcode again exactly as before, and as many as were typed")
    func hidden() async throws {
        let (dots, shownOnce, again) = try await onThread {
            let stage = try Stage()
            let shown = try stage.show()
            _ = try shown.reader.wait { $0.contains { $0.role == "text" && $0.hasFocus } }
            try stage.display.type("iiii")
            _ = try shown.reader.wait { $0.contains { $0.name == "OK" && $0.isUsable } }
            // Away from the field, so that its caret is in no picture.
            try stage.display.press("Tab")
            let parts = try shown.reader.wait { $0.contains { $0.name == "Show the passcode" && $0.hasFocus } }
            guard let field = parts.first(where: { $0.role == "text" })?.place else { throw Stage.Surprise(what: "no field") }
            let dots = try stage.display.settled(shown.window, field)
            try stage.display.press("space")
            let once = try stage.display.wait(for: shown.window, field) { $0 != dots }
            try stage.display.press("space")
            let again = try stage.display.wait(for: shown.window, field) { $0 == dots }
            try stage.display.press("Escape")
            _ = try Stage.outcome(shown.app)
            return (dots, once, again)
        }
        #expect(Set(dots).count > 1, "there is nothing to be seen in the field")
        #expect(shownOnce != dots && again == dots)
    }

    @Test("buttons are large enough for a finger, and the default one stands out")
    func buttons() async throws {
        let (parts, isBlue) = try await onThread {
            let stage = try Stage()
            let shown = try stage.show()
            _ = try shown.reader.wait { $0.contains { $0.role == "text" && $0.hasFocus } }
            try stage.display.type("x")
            let parts = try shown.reader.wait { $0.contains { $0.name == "OK" && $0.isUsable } }
            func ground(_ name: String) throws -> Reader.Place {
                guard let button = parts.first(where: { $0.role == "push button" && $0.name == name }) else {
                    throw Stage.Surprise(what: "no button \(name)")
                }
                // Beside the title, where the button has nothing but its own colour.
                return Reader.Place(
                    left: button.place.left - 4, top: button.place.top + button.place.height / 2, width: 1, height: 1)
            }
            func isBlue(_ pixel: [UInt8]) -> Bool { Int(pixel[0]) > Int(pixel[2]) + 60 }
            _ = try stage.display.wait(for: shown.window, try ground("OK"), until: isBlue)
            let others = try ["Cancel", "Refuse this program for a minute"].map {
                isBlue(try stage.display.pixels(of: shown.window, try ground($0)))
            }
            try stage.display.keep("buttons", of: shown.window)
            try stage.display.press("Escape")
            _ = try Stage.outcome(shown.app)
            return (parts, others)
        }
        #expect(isBlue == [false, false])
        for name in ["OK", "Cancel"] {
            let button = parts.first { $0.role == "push button" && $0.name == name }
            #expect(button?.place.height ?? 0 >= 44 && button?.place.width ?? 0 >= 88, "\(name)")
        }
        let peek = parts.first { $0.role == "push button" && $0.name == "Show the passcode" }
        #expect(peek?.place.height ?? 0 >= 44 && peek?.place.width ?? 0 >= 44)
        let refuse = parts.first { $0.role == "push button" && $0.name == "Refuse this program for a minute" }
        #expect(refuse?.place.height ?? 0 >= 36)
    }
}
