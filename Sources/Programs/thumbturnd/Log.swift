internal import CThumbLinux
internal import ThumbLoop

/// One line an event: time, level, words of our own. Nothing secret and nothing a peer chose is ever written here.
///
/// Under systemd it goes to the journal by standard error; else to a file in the state folder, which is kept small.
final class Log: Sendable {
    /// Past this a log starts anew, keeping one older file.
    private static let sizeLimit = 1 << 20

    private let fd: Int32
    private let isJournal: Bool

    init(state: String, isJournal: Bool) {
        self.isJournal = isJournal
        if isJournal || isatty(2) == 1 {
            fd = 2
            return
        }
        let path = state + "/daemon.log"
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_size > Self.sizeLimit { unsafe rename(path, path + ".1") }
        let opened = unsafe thumb_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        fd = opened >= 0 ? opened : 2
    }

    enum Level: Int, Sendable {
        case error = 3
        case notice = 5
        case info = 6
    }

    func write(_ level: Level, _ event: String) {
        let line =
            isJournal
            ? "<\(level.rawValue)>\(event)\n" : "time=\(Int(WallClock.now)) level=\(level) pid=\(getpid()) event=\"\(event)\"\n"
        Output.write(line, to: fd)
    }
}
