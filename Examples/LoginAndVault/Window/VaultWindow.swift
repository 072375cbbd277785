import CVaultGTK
import Foundation
import Thumbturn

/// What a person did with the window.
enum Event: Sendable {
    case sensor, passcode, password, back, lock
    case logIn(String)
    case note(Int)
    /// The window is in front; another one is; it was minimized.
    case active, inactive, minimized
    case closed
}

/// The window. It shows what it is given and tells what a person does; it decides nothing.
///
/// It has a thread of its own: GTK takes all its calls from one thread and waits there, and the main thread is the main actor's.
final class VaultWindow: @unchecked Sendable {
    // @unchecked: what can change is touched on GTK's thread alone.

    let events: AsyncStream<Event>
    private let happened: AsyncStream<Event>.Continuation
    private var parts: OpaquePointer?
    private var last: View?
    private var isMinimized = false

    init() {
        (events, happened) = AsyncStream.makeStream()
        Thread.detachNewThread { [self] in run() }
    }

    /// Shows this from now on.
    func show(_ view: View) { onItsThread { $0.draw(view) } }

    // MARK: GTK's thread

    private func run() {
        // The name that window managers know the window by.
        g_set_prgname("login-and-vault-window")
        guard gtk_init_check() != 0 else {
            FileHandle.standardError.write(Data("login-and-vault-window: There is no display.\n".utf8))
            exit(1)
        }
        vault_use_style(style)
        parts = gtk_builder_new_from_string(layout, -1)
        for (name, event) in [
            ("sensor", .sensor), ("passcode", .passcode), ("password", .password), ("back", .back), ("lock", .lock),
            ("note-0", .note(0)), ("note-1", .note(1)), ("note-2", .note(2)),
        ] as [(String, Event)] {
            on(self[name], "clicked") { _ in event }
        }
        for (name, signal) in [("entry", "activate"), ("log-in", "clicked")] {
            on(self[name], signal) { $0.takePassword() }
        }
        on(self["window"], "close-request") { _ in .closed }
        on(self["window"], "notify::is-active") { vault_flag($0["window"], "is-active") != 0 ? .active : .inactive }
        vault_present(self["window"])
        on(vault_surface(self["window"]), "notify::state") { $0.takeState() }
        g_main_loop_run(g_main_loop_new(nil, 0))
    }

    /// A part of the layout.
    private subscript(name: String) -> UnsafeMutablePointer<GObject> {
        guard let part = gtk_builder_get_object(parts, name) else { preconditionFailure("the layout has no \(name)") }
        return part
    }

    /// Not every desktop tells a window that is back from the dock that it is in front as well.
    private func takeState() -> Event? {
        let before = isMinimized
        isMinimized = vault_is_minimized(vault_surface(self["window"])) != 0
        return isMinimized == before ? nil : isMinimized ? .minimized : .active
    }

    /// What was typed, which is in the field no longer.
    private func takePassword() -> Event {
        let typed = String(cString: vault_typed(self["entry"]))
        vault_set_text(self["entry"], "text", "")
        return .logIn(typed)
    }

    /// What a signal means: an event, or nothing.
    private final class Meaning {
        let window: VaultWindow
        let event: (VaultWindow) -> Event?

        init(_ window: VaultWindow, _ event: @escaping (VaultWindow) -> Event?) { (self.window, self.event) = (window, event) }
    }

    /// Kept as long as the program runs, as the window is.
    private func on(
        _ part: UnsafeMutablePointer<GObject>?, _ signal: String, _ event: @escaping (VaultWindow) -> Event?
    ) {
        vault_on(
            part, signal,
            { own in
                guard let own else { return 0 }
                let meaning = Unmanaged<Meaning>.fromOpaque(own).takeUnretainedValue()
                if let event = meaning.event(meaning.window) { meaning.window.happened.yield(event) }
                return 0
            }, Unmanaged.passRetained(Meaning(self, event)).toOpaque())
    }

    private final class Work {
        let window: VaultWindow
        let body: @Sendable (VaultWindow) -> Void

        init(_ window: VaultWindow, _ body: @escaping @Sendable (VaultWindow) -> Void) {
            (self.window, self.body) = (window, body)
        }
    }

    private func onItsThread(_ body: @escaping @Sendable (VaultWindow) -> Void) {
        g_idle_add_once(
            { own in
                guard let own else { return }
                let work = Unmanaged<Work>.fromOpaque(own).takeRetainedValue()
                work.body(work.window)
            }, Unmanaged.passRetained(Work(self, body)).toOpaque())
    }

    // MARK: Drawing

    private func draw(_ view: View) {
        guard view != last else { return }
        let before = last
        last = view
        put(view.heading, "heading")
        put(view.explanation, "explanation")
        put(view.remark, "remark")
        put(view.note, "note")
        if view.symbol != before?.symbol { draw(view.symbol) }
        put(view.sensor, "sensor-title")
        vault_set_name(self["sensor"], view.sensor ?? "")
        vault_set_name(self["symbol"], view.symbolName)
        put(view.waiting, "waiting-text")
        for (name, isShown) in [
            ("sensor", view.sensor != nil), ("waiting", view.waiting != nil), ("passcode", view.offersPasscode),
            ("password", view.offersPassword), ("entry", view.hasEntry), ("log-in", view.hasEntry), ("back", view.hasEntry),
            ("notes", !view.notes.isEmpty), ("lock", !view.notes.isEmpty),
        ] {
            vault_set_flag(self[name], "visible", isShown ? 1 : 0)
        }
        for number in 0..<3 { vault_set_text(self["note-\(number)"], "label", view.notes.dropFirst(number).first ?? "") }
        for name in ["sensor", "passcode", "password"] { vault_set_flag(self[name], "sensitive", view.waiting == nil ? 1 : 0) }
        drawEntry(view, before)
    }

    private func drawEntry(_ view: View, _ before: View?) {
        for name in ["entry", "log-in"] { vault_set_flag(self[name], "sensitive", view.entryIsOpen ? 1 : 0) }
        if before?.hasEntry == true && !view.hasEntry { vault_set_text(self["entry"], "text", "") }
        if view.entryIsOpen && before?.entryIsOpen != true { vault_focus(self["entry"]) }
    }

    /// A text, or nothing and no place for it.
    private func put(_ text: String?, _ name: String) {
        vault_set_text(self[name], "label", text ?? "")
        vault_set_flag(self[name], "visible", text == nil ? 0 : 1)
    }

    /// The desktop's own icon, or our drawing where the desktop has none.
    private func draw(_ symbol: SensorSymbol) {
        if vault_desktop_has_icon(symbol.iconName) != 0 { return vault_set_text(self["symbol"], "icon-name", symbol.iconName) }
        let color = vault_color(self["symbol"])
        let parts = [color.red, color.green, color.blue].map { String(format: "%02x", Int($0 * 255)) }
        _ = vault_draw(self["symbol"], symbol.svg(in: "#" + parts.joined()), 64)
    }
}
