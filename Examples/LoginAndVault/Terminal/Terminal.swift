import Dispatch
import Foundation

/// The terminal: draws a screen, reads lines, and notices when the person puts the program aside (Ctrl-Z) and comes back (`fg`).
@MainActor final class Terminal {
    enum Event {
        case line(String)
        /// The program was put aside and is in front again.
        case cameBack
        /// There is nothing more to read.
        case end
    }

    let events: AsyncStream<Event>
    private let happened: AsyncStream<Event>.Continuation
    /// Called before the program stops for Ctrl-Z: what is shown stays on the screen meanwhile.
    var willPutAside: @MainActor () -> Void = {}

    private let reading: any DispatchSourceRead
    private let signals: any DispatchSourceRead
    private var pending: [UInt8] = []
    private let isTerminal = isatty(0) == 1 && isatty(1) == 1

    /// Signals arrive in the middle of anything, so their handler only writes them here. A handler, unlike a blocked or an
    /// ignored signal, isn't passed on to the prompt that the device's library starts.
    private static let signalPipe: (reading: Int32, writing: Int32) = {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "no pipe for signals")
        return (ends[0], ends[1])
    }()

    init() {
        (events, happened) = AsyncStream.makeStream()
        reading = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .main)
        signals = DispatchSource.makeReadSource(fileDescriptor: Self.signalPipe.reading, queue: .main)
        reading.setEventHandler { [unowned self] in MainActor.assumeIsolated { read() } }
        signals.setEventHandler { [unowned self] in MainActor.assumeIsolated { takeSignal() } }
        reading.activate()
        signals.activate()
        for number in [SIGTSTP, SIGINT] {
            signal(number) { number in
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(Terminal.signalPipe.writing, &byte, 1)
            }
        }
    }

    // MARK: Showing

    /// Shows a screen in place of the one before, so that nothing of that one can be read any more.
    func show(_ lines: [String]) {
        let clear = isTerminal ? "\u{1B}[H\u{1B}[2J\u{1B}[3J" : "\n"
        print(clear + lines.joined(separator: "\n"), terminator: "\n> ")
        fflush(nil)
    }

    /// Whether what is typed can't be seen.
    var hidesTyping = false {
        didSet {
            guard isTerminal, hidesTyping != oldValue else { return }
            var settings = termios()
            tcgetattr(0, &settings)
            if hidesTyping { settings.c_lflag &= ~tcflag_t(ECHO) } else { settings.c_lflag |= tcflag_t(ECHO) }
            tcsetattr(0, TCSANOW, &settings)
        }
    }

    // MARK: Reading

    /// Leaves the keyboard to the device's prompt for the length of `body`: two readers of one terminal would share out the keys.
    func lend<Value>(_ body: () async -> Value) async -> Value {
        reading.suspend()
        defer { reading.resume() }
        return await body()
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Foundation.read(0, &buffer, buffer.count)
        if count < 0 && errno == EINTR { return }
        guard count > 0 else {
            reading.cancel()
            happened.yield(.end)
            return
        }
        pending += buffer[..<count]
        while let end = pending.firstIndex(of: 0x0A) {
            happened.yield(.line(String(decoding: pending[..<end], as: UTF8.self)))
            pending.removeSubrange(...end)
        }
    }

    private func takeSignal() {
        var byte: UInt8 = 0
        guard Foundation.read(Self.signalPipe.reading, &byte, 1) == 1 else { return }
        let wasHiding = hidesTyping
        hidesTyping = false
        guard Int32(byte) == SIGTSTP else { exit(128 + SIGINT) }
        willPutAside()
        kill(getpid(), SIGSTOP)
        // Here it goes on when somebody brings it back.
        hidesTyping = wasHiding
        happened.yield(.cameBack)
    }
}
