import CThumbLinux
import ThumbLoop
import ThumbSecrets

/// One line an event: time, level, words of our own. Nothing secret and nothing a peer chose is ever written here.
///
/// Under systemd it goes to the journal by standard error; else to a file in the state folder, which is kept small. What a peer can make
/// happen again and again, it can't write again and again: past so many lines a minute the rest is counted.
public final class Log: Sendable {
    /// Past this a log starts anew, keeping one older file.
    static let sizeLimit = 1 << 20
    /// So many lines in a minute tell what is wrong; more only push out what was before.
    static let linesPerMinute = 120

    private struct State {
        var fd: Int32 = 2
        /// The file's path; nil where it isn't one of ours.
        var path: String?
        var size = 0
        var minute = -1
        var lines = 0
        var left = 0
    }

    private let state: Locked<State>
    private let isJournal: Bool

    /// - Parameters:
    ///   - folder: where its file is; nil where standard error is the only place.
    public init(state folder: String?, isJournal: Bool) {
        self.isJournal = isJournal
        var state = State()
        if !isJournal, let folder, isatty(2) != 1 {
            state.path = folder + "/daemon.log"
            Self.open(&state)
        }
        self.state = Locked(state)
    }

    /// How much a line matters, by the journal's numbers.
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

    /// Opens the file, as a new one where it has grown past its limit. One that can't be opened is standard error's.
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
