import CThumbGTK
import ThumbPrompting

/// The window's widgets. Shows a view, and reports which button or key was pressed.
@safe final class WindowFace {
    enum Button { case accept, fallback, cancel, dismiss }

    let window = Widget.window()
    private let picture = Widget.canvas(96, 96, role: GTK_ACCESSIBLE_ROLE_IMG)
    private let caller = Widget.label("caller")
    private let asks = Widget.label()
    private let known = Widget.label("small")
    private let place = Widget.label("place")
    private let account = Widget.label()
    private let signIn = Widget.column(spacing: 0)
    private let reasonLabel = Widget.label("small")
    private let reason = Widget.label("reason")
    private let words = Widget.column(spacing: 2)
    private let invitation = Widget.label()
    // A screen reader reads this as soon as it changes.
    private let notice = Widget.label("notice", role: GTK_ACCESSIBLE_ROLE_ALERT)
    private let fieldLabel = Widget.label("small")
    private let field = Widget.canvas(340, 20, role: GTK_ACCESSIBLE_ROLE_TEXT_BOX)
    private let accept = Widget.button()
    private let fallback = Widget.button()
    private let cancel = Widget.button()
    private let dismiss = Widget.button()
    private let waiting = Widget.label("small")
    private var painted: () -> Void = {}
    private var drawn: WindowView.Picture?
    private var dots = 0
    private var pressed: (Button) -> Void = { _ in }
    private var key: (KeyPress) -> Bool = { _ in false }

    init() {
        let column = Widget.column(spacing: 10)
        column.add(style: "prompt")
        picture.centre()
        field.add(style: "field")
        words.add(style: "words")
        words.append(reasonLabel, reason)
        let who = Widget.column(spacing: 0)
        who.append(caller, asks, known)
        signIn.append(place, account)
        let buttons = Widget.row(spacing: 8)
        buttons.add(style: "buttons")
        buttons.append(cancel, fallback, accept)
        for button in [cancel, fallback, accept] { button.expand() }
        accept.add(style: "suggested-action")
        dismiss.add(style: "flat")
        dismiss.add(style: "small")
        column.append(picture, who, signIn, words, invitation, notice, fieldLabel, field, buttons, dismiss, waiting)
        unsafe gtk_widget_set_focusable(field.pointer, 1)
        unsafe thumb_window_set_child(window.pointer, column.pointer)
    }

    /// From now on the person's input goes to `pressed` and `key`. The caller keeps this object as long as the window is open.
    func connect(pressed: @escaping (Button) -> Void, key: @escaping (KeyPress) -> Bool) {
        self.pressed = pressed
        self.key = key
        let own = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe thumb_on_clicked(accept.pointer, { unsafe WindowFace.at($1)?.pressed(.accept) }, own)
        unsafe thumb_on_clicked(fallback.pointer, { unsafe WindowFace.at($1)?.pressed(.fallback) }, own)
        unsafe thumb_on_clicked(cancel.pointer, { unsafe WindowFace.at($1)?.pressed(.cancel) }, own)
        unsafe thumb_on_clicked(dismiss.pointer, { unsafe WindowFace.at($1)?.pressed(.dismiss) }, own)
        unsafe thumb_on_close(
            window.pointer,
            { _, own in
                unsafe WindowFace.at(own)?.pressed(.cancel)
                // Only the daemon closes the window.
                return 1
            }, own)
        unsafe thumb_on_key(
            window.pointer, GTK_PHASE_CAPTURE,
            { controller, key, _, state, own in
                guard let controller = unsafe controller, let face = unsafe WindowFace.at(own) else { return 0 }
                return unsafe face.take(KeyPress(key, state, controller)) ? 1 : 0
            }, own)
        unsafe thumb_on_draw(
            picture.pointer,
            { area, cairo, width, _, own in
                guard let cairo = unsafe cairo, let face = unsafe WindowFace.at(own), let drawn = face.drawn else { return }
                let text = unsafe thumb_foreground(face.picture.pointer)
                unsafe Picture.draw(drawn, on: cairo, size: Double(width), text)
            }, own)
        unsafe thumb_on_draw(
            field.pointer,
            { _, cairo, _, height, own in
                guard let cairo = unsafe cairo, let face = unsafe WindowFace.at(own) else { return }
                let text = unsafe thumb_foreground(face.field.pointer)
                unsafe Picture.draw(dots: face.dots, hasCaret: face.field.hasFocus, on: cairo, height: Double(height), text)
            }, own)
    }

    private static func at(_ own: UnsafeMutableRawPointer?) -> WindowFace? {
        guard let own = unsafe own else { return nil }
        return unsafe Unmanaged<WindowFace>.fromOpaque(own).takeUnretainedValue()
    }

    /// While a button has the focus, keys are left to GTK, because they aren't meant for the field.
    private func take(_ press: KeyPress) -> Bool {
        let isEscape = KeyMeaning(key: press.key, character: 0, isCommand: false, isControl: false) == .cancel
        guard isEscape || field.hasFocus else { return false }
        return key(press)
    }

    func draw(_ view: WindowView, typed: Int) {
        unsafe thumb_window_set_title(window.pointer, view.title)
        caller.show(text: view.caller)
        asks.show(text: view.asks)
        known.show(text: view.known)
        signIn.show(!view.signIn.isEmpty)
        place.show(text: view.signIn.first)
        account.show(text: view.signIn.last)
        words.show(view.reason != nil)
        reasonLabel.show(text: view.reasonLabel)
        reason.show(text: view.reason)
        invitation.show(text: view.invitation)
        notice.show(text: view.notice)
        fieldLabel.show(text: view.field?.label)
        field.show(view.field != nil)
        field.describe(view.field?.label ?? "")
        field.enable(view.field?.isOpen == true)
        dots = min(typed, Self.mostDots)
        field.redraw()
        cancel.show(title: view.cancel)
        dismiss.show(title: view.dismiss)
        waiting.show(text: view.waiting)
        fallback.show(title: view.fallback)
        accept.show(title: view.accept)
        accept.enable(typed > 0 && view.field?.isOpen == true)
        drawn = view.picture
        picture.describe(view.picture.label)
        picture.redraw()
    }

    /// More dots wouldn't fit into the field.
    private static let mostDots = 24

    func present() { unsafe thumb_window_present(window.pointer) }

    /// Calls back after each drawn frame. The window was presented before.
    func onPainted(_ painted: @escaping () -> Void) {
        self.painted = painted
        let own = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe thumb_on_painted(window.pointer, { unsafe WindowFace.at($1)?.painted() }, own)
    }

    var isVisible: Bool { unsafe thumb_window_is_visible(window.pointer) != 0 }

    /// The field gets the keyboard as soon as it opens. Otherwise *cancel* gets it, so that no other button is pressed by mistake.
    func focus(field isOpen: Bool, isFirst: Bool) {
        if isOpen {
            if isFirst || !field.hasFocus { unsafe thumb_window_set_focus(window.pointer, field.pointer) }
        } else if isFirst || field.hasFocus {
            unsafe thumb_window_set_focus(window.pointer, cancel.pointer)
        }
    }

    func close() {
        unsafe thumb_forget_painted(window.pointer, Unmanaged.passUnretained(self).toOpaque())
        unsafe thumb_window_destroy(window.pointer)
    }
}
