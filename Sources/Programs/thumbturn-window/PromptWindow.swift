import CThumbGTK
import ThumbAccess
import ThumbConversation
import ThumbPrompting
import ThumbSecrets

/// One prompt's conversation with a person. It draws what the daemon says, reports what was typed and pressed, and decides nothing.
final class PromptWindow {
    private let link: Link
    private let texts: PromptTexts
    private let keys: PasscodeKeys
    private let face = WindowFace()
    private let capsLock = CapsLock()
    private let ended: (PromptWindow, Int32) -> Void
    private var source: guint = 0
    private var clock: guint = 0
    /// The timer for telling the daemon that the window is there, and whether its owner did something since it was last told.
    private var beat: guint = 0
    private var acts = false
    /// nil until the turn has come. Until then there is no window.
    private var content: PromptContent?
    private var isPainted = false
    private var shownAt: gint64 = 0
    private var sensor = BiometryKind.none
    private var isOver = false
    /// Whether the owner asked to see what is typed.
    private var isRevealed = false

    /// The window is up from the first content that the daemon sends until the daemon dismisses it or goes away. Then it calls `ended` with
    /// the program's exit status. nil if no memory can be locked for the passcode.
    init?(_ link: Link, _ texts: PromptTexts, ended: @escaping (PromptWindow, Int32) -> Void) {
        guard let keys = try? PasscodeKeys() else { return nil }
        self.link = link
        self.texts = texts
        self.keys = keys
        self.ended = ended
        face.connect(
            pressed: { [unowned self] in press($0) },
            key: { [unowned self] in take(keys.take($0, in: face.window)) },
            reveal: { keys.reveal($0) })
        capsLock.watch { [unowned self] in draw() }
        unsafe source = g_unix_fd_add(
            link.fd, GIOCondition(G_IO_IN.rawValue | G_IO_HUP.rawValue | G_IO_ERR.rawValue),
            { _, _, own in
                guard let own = unsafe own else { return 0 }
                unsafe Unmanaged<PromptWindow>.fromOpaque(own).takeUnretainedValue().hear()
                return 1
            }, Unmanaged.passUnretained(self).toOpaque())
        unsafe beat = g_timeout_add(
            guint(PromptLimit.secondsBetweenWords * 1000),
            { own in
                guard let own = unsafe own else { return 0 }
                unsafe Unmanaged<PromptWindow>.fromOpaque(own).takeUnretainedValue().sayHere()
                return 1
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    // MARK: The daemon

    private func hear() {
        while !isOver, let order = link.order() {
            switch order {
            case .show(let content): show(content)
            case .dismiss(let ending): end(ending == .success ? 0 : 1)
            // A window that waits for its turn isn't on the screen yet.
            case .wait: break
            }
        }
        if !isOver, !link.isOpen { end(1) }
    }

    private func show(_ new: PromptContent) {
        let isFirst = content == nil
        content = new
        shownAt = g_get_monotonic_time()
        if new.listening != .none { sensor = new.listening }
        keys.isOpen = new.acceptsPasscode && new.passcodeWait == 0
        if !keys.isOpen { forget() }
        draw()
        if isFirst { present() }
        face.focus(field: keys.isOpen, isFirst: isFirst)
        if new.passcodeWait > 0 { startClock() }
    }

    /// Opens the window, and tells the daemon once it is on the screen. Only from then on is a touch meant for what it shows.
    private func present() {
        face.present()
        face.onPainted { [unowned self] in
            guard !isPainted, !isOver, face.isVisible else { return }
            isPainted = true
            tell(Shown())
        }
    }

    /// Tells the daemon that the window is there. A minimized window counts as gone.
    private func sayHere() {
        if isPainted, !face.isVisible { return }
        tell(Here(acts: acts))
        acts = false
    }

    private func draw() {
        guard let content else { return }
        let waited = Double(g_get_monotonic_time() - shownAt) / 1e6
        let view = WindowView(
            content, texts, sensor: sensor, waited: waited, isRevealed: isRevealed, capsLock: capsLock.isOn)
        face.draw(view, typed: keys.characters)
    }

    /// Counts the seconds until a passcode may be checked again.
    private func startClock() {
        guard clock == 0 else { return }
        clock = unsafe g_timeout_add_seconds(
            1,
            { own in
                guard let own = unsafe own else { return 0 }
                return unsafe Unmanaged<PromptWindow>.fromOpaque(own).takeUnretainedValue().tick() ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func tick() -> Bool {
        if content?.passcodeWait == 0 { clock = 0 } else { draw() }
        return clock != 0
    }

    private func end(_ status: Int32) {
        isOver = true
        forget()
        capsLock.stop()
        g_source_remove(source)
        g_source_remove(beat)
        if clock != 0 { g_source_remove(clock) }
        face.close()
        ended(self, status)
    }

    // MARK: The person

    private func press(_ button: WindowFace.Button) {
        acts = true
        switch button {
        case .accept: enter()
        case .fallback: if content?.offersFallback == true { tell(Fallback()) }
        case .cancel: cancel()
        case .dismiss:
            forget()
            tell(DismissProgram())
        case .reveal:
            isRevealed.toggle()
            draw()
        }
    }

    /// Whether the key was meant for the field or the window. All others are left to GTK.
    private func take(_ meaning: KeyMeaning) -> Bool {
        acts = true
        switch meaning {
        case .cancel: cancel()
        case .enter: enter()
        case .character, .composing, .removeLast, .clear: draw()
        case .other: return false
        }
        return true
    }

    /// Empties the field. The next passcode is hidden again.
    private func forget() {
        keys.clear()
        isRevealed = false
    }

    private func cancel() {
        forget()
        tell(Cancelled())
    }

    private func enter() {
        guard keys.isOpen, let passcode = keys.take() else { return }
        isRevealed = false
        draw()
        tell(Typed(passcode))
    }

    private func tell(_ word: some Word) {
        if !isOver, !link.tell(word) { end(1) }
    }
}
