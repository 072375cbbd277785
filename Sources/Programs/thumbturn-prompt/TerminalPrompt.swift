import CThumbLinux
import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbPrompting
import ThumbSecrets
import ThumbSystem

/// The conversation with a person: lines on the terminal, a passcode field that shows nothing, two keys.
final class TerminalPrompt {
    private static let interrupt: UInt8 = 0x03
    private static let endOfText: UInt8 = 0x04
    private static let fallbackKey: UInt8 = 0x06
    private static let dismissKey: UInt8 = 0x18
    private static let escape: UInt8 = 0x1b
    private static let eraseLine: UInt8 = 0x15

    /// How long the daemon may take to hear that the owner cancelled. A daemon that is stopped never does, and the owner wants the terminal.
    private static let secondsToCancel = 3.0

    private let terminal: Terminal
    private let link: Link
    private let texts: PromptTexts
    private let ability: TerminalAbility
    private let signals: EndingSignals
    /// nil until the turn has come.
    private var content: PromptContent?
    /// Whether the cursor is behind a field or a countdown, so that the next line needs an end of this one first.
    private var lineIsOpen = false
    private var countdown: Countdown?
    /// When the prompt leaves by itself, because nobody has heard that it was cancelled.
    private var leaves: Double?
    /// How many programs come first, according to the daemon's last word.
    private var before: UInt16 = 0
    /// Whether the owner did something since the last report to the daemon, and when the next report is due.
    private var acts = false
    private var nextWord = EventLoop.now + PromptLimit.secondsBetweenWords

    init(
        _ terminal: Terminal, _ link: Link, _ texts: PromptTexts, _ ability: TerminalAbility, _ signals: EndingSignals
    ) {
        self.terminal = terminal
        self.link = link
        self.texts = texts
        self.ability = ability
        self.signals = signals
    }

    /// Runs until the daemon dismisses the prompt or goes away. Returns the program's exit status.
    func run() -> Int32 {
        guard let field = try? SecretField(capacity: PasscodeLimit.most) else {
            terminal.write("No memory could be locked for the passcode.\r\n")
            return 1
        }
        while link.isOpen {
            var waits = [
                pollfd(fd: link.fd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: terminal.fd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let pause = Int32(max(0, (nextWord - EventLoop.now) * 1000)) + 1
            do throws(SystemError) { _ = try polled(&waits, milliseconds: pause) } catch { break }
            if waits[2].revents != 0 { break }
            if let leaves, EventLoop.now >= leaves { break }
            if EventLoop.now >= nextWord, !sayHere() { break }
            count()
            if waits[0].revents != 0 {
                switch link.order() {
                case .show(let content)?: if !show(content) { return 1 }
                case .wait(let line)?: wait(behind: line.programs)
                case .dismiss(let ending)?: return dismiss(ending)
                case nil: break
                }
            }
            if waits[1].revents != 0 {
                acts = true
                if !take(field.readKey(from: terminal.fd), field) { break }
            }
        }
        closeLine()
        terminal.write("\(texts.takenBack)\r\n")
        return 1
    }

    /// Tells the daemon that the prompt is still there. Returns false if nobody hears it.
    private func sayHere() -> Bool {
        nextWord = EventLoop.now + PromptLimit.secondsBetweenWords
        defer { acts = false }
        return link.tell(Here(acts: acts))
    }

    // MARK: Keys

    /// Returns false if there is nobody left to talk to.
    private func take(_ key: SecretField.Key, _ field: SecretField) -> Bool {
        switch key {
        case .text, .nothingYet: return true
        case .full:
            terminal.write("\u{7}")
            return true
        case .ended: return false
        case .control(Self.interrupt), .control(Self.endOfText), .control(Self.escape):
            field.clear()
            return refuse(Cancelled())
        case .control(Self.fallbackKey): return content?.offersFallback == true ? link.tell(Fallback()) : true
        case .control(Self.dismissKey):
            field.clear()
            return refuse(DismissProgram())
        case .control(0x0d), .control(0x0a): return enter(field)
        case .control(0x7f), .control(0x08):
            field.removeLast()
            return true
        case .control(Self.eraseLine):
            field.clear()
            return true
        case .control: return true
        }
    }

    /// Says no. The prompt leaves soon, also if nobody hears it.
    private func refuse(_ word: some Word) -> Bool {
        leaves = leaves ?? EventLoop.now + Self.secondsToCancel
        return link.tell(word)
    }

    private func enter(_ field: SecretField) -> Bool {
        // While the countdown runs no passcode is checked, so none is sent.
        guard content?.acceptsPasscode == true, countdown == nil, field.count > 0, let passcode = try? field.take() else {
            field.clear()
            return true
        }
        closeLine()
        return link.tell(Typed(passcode))
    }

    // MARK: Lines

    private func wait(behind programs: UInt16) {
        guard content == nil, programs != before else { return }
        before = programs
        terminal.write("\(texts.before(Int(programs)))\r\n")
    }

    /// Returns false if the daemon doesn't hear that the content is on the screen.
    private func show(_ new: PromptContent) -> Bool {
        let before = content
        content = new
        let isCounting = countdown != nil
        // A countdown that runs goes on, whatever else has changed: the daemon names the seconds of its beginning.
        if countdown?.named != new.passcodeWait { countdown = new.passcodeWait > 0 ? Countdown(new.passcodeWait) : nil }
        closeLine()
        // When a countdown is over nothing has happened that isn't on the screen already.
        if !isCounting || new.passcodeWait > 0 { describe(new, after: before) }
        if let countdown {
            write(countdown.shown)
        } else if new.acceptsPasscode {
            terminal.write("\(texts.field(of: new)) ")
            lineIsOpen = true
        }
        guard before == nil else { return true }
        // A touch can only be meant for what has reached the screen.
        terminal.drain()
        return link.tell(Shown())
    }

    /// Writes the lines of a content: all of them the first time, then those that are new.
    private func describe(_ new: PromptContent, after before: PromptContent?) {
        if before == nil { introduce(new) }
        if let notice = texts.notice(of: new) { terminal.write("  \(notice)\r\n") }
        if before?.purpose != new.purpose || new.listening != .none || before?.companion != new.companion {
            terminal.write("  \(invitation(new))\r\n")
        }
        if before == nil, let waiting = texts.waiting(new) { terminal.write("  \(waiting)\r\n") }
        if new.offersFallback {
            terminal.write("  Ctrl-F: \(texts.title(new.words.fallbackTitle, or: texts.fallback))\r\n")
        }
    }

    /// Says who asks, and what for.
    private func introduce(_ new: PromptContent) {
        let asking = texts.asking(new)
        terminal.write(ability.isStyled ? "\u{1b}[1m\(asking)\u{1b}[0m\r\n" : "\(asking)\r\n")
        if let machine = texts.machine(new) { terminal.write("  \(machine)\r\n") }
        for line in texts.about(new) + texts.signIn(new) + texts.polkit(new) { terminal.write("  \(line)\r\n") }
        guard !new.words.reason.isEmpty, new.signIn == nil else { return }
        // Only the program's words are in quotes, and words of ours introduce them.
        let said = texts.reason(new.words)
        terminal.write(new.words.areOurs ? "  \(texts.reasonLabel(new)) \(said)\r\n" : "  “\(said.withoutMarks)”\r\n")
    }

    // MARK: The countdown

    /// Shows the seconds that are left. A terminal that can't write over a line has the number of the beginning.
    private func count() {
        guard lineIsOpen, ability.rewritesLines, let left = countdown?.next() else { return }
        terminal.write("\r\u{1b}[K")
        write(left)
    }

    private func write(_ seconds: Int) {
        terminal.write("  \(texts.wait(seconds))")
        lineIsOpen = true
    }

    private func invitation(_ content: PromptContent) -> String {
        let cancel = "Ctrl-C: \(texts.title(content.words.cancelTitle, or: texts.cancelKey))"
        let keys = "\(cancel). Ctrl-X: \(texts.dismissKey)."
        return texts.invitation(content).map { "\($0) \(keys)" } ?? keys
    }

    private func closeLine() {
        if lineIsOpen { terminal.write("\r\n") }
        lineIsOpen = false
    }

    private func dismiss(_ ending: PromptEnding) -> Int32 {
        closeLine()
        switch ending {
        case .success: return 0
        case .failure:
            terminal.write("  \(texts.failed)\r\n")
            return 1
        case .cancelled:
            terminal.write("  \(texts.cancelled)\r\n")
            return 1
        }
    }
}
