import CThumbGTK
import ThumbPrompting

/// The window's widgets. Shows a view, and reports which button or key was pressed.
@safe final class WindowFace {
    enum Button { case accept, fallback, cancel, dismiss, reveal }

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
    private let icon = Widget.icon(48)
    private let command = Widget.label()
    private let polkit = Widget.label("small")
    private let invitation = Widget.label()
    // A screen reader reads this as soon as it changes.
    private let notice = Widget.label("notice", role: GTK_ACCESSIBLE_ROLE_ALERT)
    private let fieldLabel = Widget.label("small")
    private let field = Widget.canvas(280, 20, role: GTK_ACCESSIBLE_ROLE_TEXT_BOX)
    private let eye = Widget.canvas(22, 22, role: GTK_ACCESSIBLE_ROLE_PRESENTATION)
    private let peek: Widget
    private let fieldRow = Widget.row(spacing: 8)
    private let capsLock = Widget.label("caps-lock", role: GTK_ACCESSIBLE_ROLE_ALERT)
    private let accept = Widget.button()
    private let fallback = Widget.button()
    private let cancel = Widget.button()
    private let dismiss = Widget.button()
    private let waiting = Widget.label("small")
    private var painted: () -> Void = {}
    private var drawn: WindowView.Picture?
    private var dots = 0
    private var isRevealed = false
    private var reveal: ((Unicode.Scalar) -> Void) -> Void = { _ in }
    private var pressed: (Button) -> Void = { _ in }
    private var key: (KeyPress) -> Bool = { _ in false }

    init() {
        peek = Widget.button(around: eye)
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
        peek.add(style: "peek")
        for style in ["flat", "small", "dismiss"] { dismiss.add(style: style) }
        field.expand()
        fieldRow.append(field, peek)
        column.append(
            picture, icon, who, signIn, words, command, polkit, invitation, notice, fieldLabel, fieldRow, capsLock, buttons,
            dismiss,
            waiting)
        unsafe gtk_widget_set_focusable(field.pointer, 1)
        unsafe thumb_window_set_child(window.pointer, column.pointer)
    }

    /// From now on the person's input goes to `pressed` and `key`, and `reveal` shows what is typed. The caller keeps this object as long
    /// as the window is open.
    func connect(
        pressed: @escaping (Button) -> Void, key: @escaping (KeyPress) -> Bool,
        reveal: @escaping ((Unicode.Scalar) -> Void) -> Void
    ) {
        self.pressed = pressed
        self.key = key
        self.reveal = reveal
        let own = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe thumb_on_clicked(accept.pointer, { unsafe WindowFace.at($1)?.pressed(.accept) }, own)
        unsafe thumb_on_clicked(fallback.pointer, { unsafe WindowFace.at($1)?.pressed(.fallback) }, own)
        unsafe thumb_on_clicked(cancel.pointer, { unsafe WindowFace.at($1)?.pressed(.cancel) }, own)
        unsafe thumb_on_clicked(dismiss.pointer, { unsafe WindowFace.at($1)?.pressed(.dismiss) }, own)
        unsafe thumb_on_clicked(peek.pointer, { unsafe WindowFace.at($1)?.pressed(.reveal) }, own)
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
        unsafe connectDrawings(own)
    }

    private func connectDrawings(_ own: UnsafeMutableRawPointer) {
        unsafe thumb_on_draw(
            picture.pointer,
            { area, cairo, width, _, own in
                guard let cairo = unsafe cairo, let face = unsafe WindowFace.at(own), let drawn = face.drawn else { return }
                let text = unsafe thumb_foreground(face.picture.pointer)
                unsafe Picture.draw(drawn, on: cairo, size: Double(width), text)
            }, own)
        unsafe thumb_on_draw(
            field.pointer,
            { _, cairo, width, height, own in
                guard let cairo = unsafe cairo, let face = unsafe WindowFace.at(own) else { return }
                unsafe face.drawField(on: cairo, width, height)
            }, own)
        unsafe thumb_on_draw(
            eye.pointer,
            { _, cairo, width, _, own in
                guard let cairo = unsafe cairo, let face = unsafe WindowFace.at(own) else { return }
                let text = unsafe thumb_foreground(face.eye.pointer)
                unsafe Picture.draw(eye: face.isRevealed, on: cairo, size: Double(width), text)
            }, own)
    }

    @unsafe private func drawField(on cairo: OpaquePointer, _ width: Int32, _ height: Int32) {
        let text = unsafe thumb_foreground(field.pointer)
        if isRevealed {
            unsafe Picture.draw(reveal, hasCaret: field.hasFocus, on: cairo, of: field, width: width, height: height, text)
        } else {
            unsafe Picture.draw(dots: dots, hasCaret: field.hasFocus, on: cairo, height: Double(height), text)
        }
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
        command.show(text: view.command)
        polkit.show(text: view.polkit)
        icon.show(icon: view.icon)
        invitation.show(text: view.invitation)
        notice.show(text: view.notice)
        fieldLabel.show(text: view.field?.label)
        fieldRow.show(view.field != nil)
        capsLock.show(text: view.capsLock)
        field.describe(view.field?.label ?? "")
        field.enable(view.field?.isOpen == true)
        peek.enable(view.field?.isOpen == true)
        peek.describe(view.field?.reveal ?? "")
        isRevealed = view.field?.isRevealed == true
        dots = min(typed, Self.mostDots)
        field.redraw()
        eye.redraw()
        cancel.show(title: view.cancel)
        dismiss.show(title: view.dismiss)
        waiting.show(text: view.waiting)
        fallback.show(title: view.fallback)
        accept.show(title: view.accept)
        accept.enable(typed > 0 && view.field?.isOpen == true)
        // Where there is nothing to accept, no button is the one that Return presses.
        unsafe thumb_window_set_default(window.pointer, view.accept == nil ? nil : accept.pointer)
        drawn = view.picture
        picture.describe(view.picture.label)
        picture.redraw()
    }

    /// More dots wouldn't fit into the field.
    private static let mostDots = 20

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
        } else if isFirst || field.hasFocus || peek.hasFocus {
            unsafe thumb_window_set_focus(window.pointer, cancel.pointer)
        }
    }

    func close() {
        unsafe thumb_forget_painted(window.pointer, Unmanaged.passUnretained(self).toOpaque())
        unsafe thumb_window_destroy(window.pointer)
    }
}
