import CThumbLinux
import ThumbAccess
import ThumbPrompting
import ThumbSystem

// The prompt in a terminal: shows what the daemon says, reports what was typed, and decides nothing.
//
// Started by a client on its own terminal, with the ticket and the socket's path in a pipe as descriptor 3.

private func fail(_ message: String) -> Never {
    let line = Array("thumbturn-prompt: \(message)\n".utf8)
    unsafe line.withUnsafeBytes { _ = unsafe write(2, $0.baseAddress, $0.count) }
    exit(1)
}

// Only root may read this process, because the passcode is typed here.
_ = thumb_prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
thumb_ignore_signal(SIGPIPE)

guard let ticket = Ticket.read(from: 3) else { fail("Programs that ask for you start this one; it does nothing by itself.") }
guard let link = Link(ticket, surface: .terminal) else { fail("The daemon didn't let this prompt in.") }
// Before the terminal is changed, so that no signal ends the prompt in between.
let signals = EndingSignals()
guard let terminal = Terminal() else { fail("There is no terminal to ask on.") }
func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }
let result = TerminalPrompt(terminal, link, PromptTexts(PromptLanguage(variable)), TerminalAbility(variable), signals).run()
terminal.restore()
exit(result)
