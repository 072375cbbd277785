import CThumbLinux
import ThumbLoop
import ThumbSecrets

/// One line for each event: time, level, our own words. Nothing secret and nothing that a peer chose is ever written here.
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
    }

    private let state: Locked<State>
    private let isJournal: Bool

    /// - Parameters:
    ///   - folder: where its file is; nil if standard error is the only place.
    public init(state folder: String?, isJournal: Bool) {
        self.isJournal = isJournal
        var state = State()
        if !isJournal, let folder, isatty(2) != 1 {
            state.path = folder + "/daemon.log"
            Self.open(&state)
        }
        self.state = Locked(state)
    }

    /// A line's level, in the journal's numbers.
    public enum Level: Int, Sendable {
        case error = 3
        case notice = 5
        case info = 6
    }

    /// Writes one event.
    public func write(_ level: Level, _ event: String) {
        state.withLock { state in
            let minute = Int(EventLoop.now) / 60
            if minute != state.minute {
                if state.left > 0 { put("\(state.left) more lines were left out", .notice, &state) }
                (state.minute, state.lines, state.left) = (minute, 0, 0)
            }
            state.lines += 1
            if state.lines > Self.linesPerMinute { state.left += 1 } else { put(event, level, &state) }
        }
    }

    private func put(_ event: String, _ level: Level, _ state: inout State) {
        let line =
            isJournal
            ? "<\(level.rawValue)>\(event)\n" : "time=\(Int(WallClock.now)) level=\(level) pid=\(getpid()) event=\"\(event)\"\n"
        if state.path != nil, state.size > Self.sizeLimit { Self.open(&state) }
        Output.write(line, to: state.fd)
        state.size += line.utf8.count
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
