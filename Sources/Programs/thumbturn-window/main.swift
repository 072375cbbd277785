import CThumbLinux
import ThumbClient
import ThumbConversation
import ThumbPrompting

// The prompt in a window: shows what the daemon says, reports what was typed, and decides nothing.
//
// A client starts it with ticket and socket in a pipe as descriptor 3, and a descriptor 4 on which to say `R`. Or, with --agent, the user's
// manager starts it to show the prompts of its session.

private func fail(_ status: Int32, _ message: String) -> Never {
    let line = Array("thumbturn-window: \(message)\n".utf8)
    unsafe line.withUnsafeBytes { _ = unsafe write(2, $0.baseAddress, $0.count) }
    exit(status)
}

/// The listening socket that the user's manager passed, if it passed exactly one.
private func passedListener() -> Int32? {
    guard Environment.value("LISTEN_PID").flatMap({ Int32($0) }) == getpid(), Environment.value("LISTEN_FDS") == "1" else {
        return nil
    }
    _ = thumb_fcntl(3, F_SETFD, Int(FD_CLOEXEC))
    return 3
}

private let words = CommandLine.arguments.dropFirst()
private let isAgent = words.first == "--agent"
guard isAgent ? words.count == 1 || words.count == 3 && Array(words)[1] == "--socket" : words.isEmpty else {
    fail(64, "Use it as thumbturn-window --agent [--socket PATH]; programs that ask for you start it by themselves.")
}

// Only root may read this process, because the passcode is typed here.
_ = thumb_prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
private var none = rlimit(rlim_cur: 0, rlim_max: 0)
unsafe setrlimit(numericCast(thumb_RLIMIT_CORE), &none)
thumb_ignore_signal(SIGPIPE)
private let listener = isAgent ? passedListener() : nil
private let ticket = isAgent ? nil : Ticket.read(from: 3)
guard isAgent || ticket != nil else { fail(1, "Programs that ask for you start this one; it does nothing by itself.") }
private let texts = PromptTexts(PromptLanguage(Environment.value))
Environment.trim()
guard let desk = Desk(texts) else { fail(3, "There is no display.") }

if let ticket {
    guard desk.show(ticket) else { fail(1, "The daemon didn't let this prompt in.") }
    desk.onEmpty = { desk.quit() }
    unsafe [UInt8(ascii: "R")].withUnsafeBytes { _ = unsafe write(4, $0.baseAddress, 1) }
    close(4)
    desk.run()
    exit(desk.status)
}

guard let place = DevicePlace(named: words.count == 3 ? words.last : nil) else {
    fail(78, "There is no folder for the daemon's socket that only you can write to.")
}
private let agent = Agent(desk, socket: place.socket, owners: place.owners, listener: listener)
withExtendedLifetime(agent) { desk.run() }
exit(0)
