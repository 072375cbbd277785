import CThumbLinux
public import ThumbLogging
import ThumbLoop
import ThumbSecrets
import ThumbSystem

/// One line for each event: time, level, our own words, and whom it is about. Nothing secret is ever written here, and of what a peer
/// chose nothing but a call's number.
///
/// Under systemd it goes to the journal by standard error, otherwise to a file in the state folder, which is kept small. A peer can make an
/// event happen again and again, but can't fill the log with it: beyond a limit of lines a minute, the rest is only counted.
public final class Log: Sendable {
    /// Beyond this size a new log is begun, and one older file is kept.
    static let sizeLimit = 1 << 20
    /// That many lines in a minute show what is wrong. More would only push out earlier lines.
    static let linesPerMinute = 120

    private struct State {
        var fd: Int32 = 2
        /// The file's path; nil if there is no file of ours.
        var path: String?
        var size = 0
        var minute = -1
        var lines = 0
        var left = 0
        var text: LogText
    }

    private let state: Locked<State>

    /// - Parameters:
    ///   - folder: where its file is; nil if standard error is the only place.
    public init(state folder: String?, isJournal: Bool, form: LogForm = .logfmt) {
        var state = State(text: LogText(form, marksLevels: isJournal))
        if !isJournal, let folder, isatty(2) != 1 {
            state.path = folder + "/daemon.log"
            Self.open(&state)
        }
        self.state = Locked(state)
    }

    /// A line's level.
    public enum Level: Sendable {
        case error, notice, info

        fileprivate var logged: LogLevel {
            switch self {
            case .error: .error
            case .notice: .notice
            case .info: .info
            }
        }
    }

    /// Writes one event, with the client that it is about, if it is about one.
    public func write(_ level: Level, _ event: String, of client: LogClient? = nil) {
        state.withLock { state in
            let minute = Int(EventLoop.now) / 60
            if minute != state.minute {
                if state.left > 0 { put("\(state.left) more lines were left out", .notice, nil, &state) }
                (state.minute, state.lines, state.left) = (minute, 0, 0)
            }
            state.lines += 1
            if state.lines > Self.linesPerMinute { state.left += 1 } else { put(event, level, client, &state) }
        }
    }

    private func put(_ event: String, _ level: Level, _ client: LogClient?, _ state: inout State) {
        state.text.begin(level.logged, at: Int64(WallClock.now))
        state.text.add(.pid, Int64(getpid()))
        state.text.add(.event, event)
        if let client { state.text.add(client) }
        state.text.end()
        if state.path != nil, state.size > Self.sizeLimit { Self.open(&state) }
        let line = state.text.taken()
        // A log that takes nothing more holds nobody up.
        try? Transfer.write(line, to: state.fd)
        state.size += line.count
    }

    /// Opens the file, or a new one if it has grown past its limit. If it can't be opened, lines go to standard error.
    private static func open(_ state: inout State) {
        guard let path = state.path else { return }
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_size > sizeLimit { unsafe rename(path, path + ".1") }
        let opened = unsafe thumb_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { return }
        if state.fd > 2 { close(state.fd) }
        state.fd = opened
        state.size = unsafe fstat(opened, &status) == 0 ? Int(status.st_size) : 0
    }
}
