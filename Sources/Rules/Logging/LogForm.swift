/// How a log is written.
public enum LogForm: String, Sendable, Hashable, CaseIterable {
    /// `name=value` pairs.
    case logfmt
    /// An object in each line.
    case json
}

/// How grave an event is, in the numbers of syslog.
public enum LogLevel: Int, Sendable, Hashable, CaseIterable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6

    var word: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .notice: "notice"
        case .info: "info"
        }
    }
}

/// What a line can say. The names are ours, so no value can bring a field of its own.
public enum LogField: String, Sendable, Hashable, CaseIterable {
    /// Date and time in UTC.
    case time
    case level
    /// The process that writes.
    case pid
    /// What happened, in our own words.
    case event
    /// Who asked: the address of a server's client, or the process number of a daemon's.
    case client
    /// The user that the client runs as.
    case uid
    /// The request's name, which its answer has too; or a call's number.
    case request
    /// The trace that the request belongs to, as the client says.
    case trace
    case method, route, status
    /// The code of a refusal.
    case code
    /// Microseconds until the answer.
    case micros
}

/// Whom an event is about: a daemon's client, and which of its calls.
public struct LogClient: Sendable, Hashable {
    public let uid: UInt32
    public let pid: Int32
    /// The call's number, if there is one.
    public let call: UInt32?

    public init(uid: UInt32, pid: Int32, call: UInt32? = nil) { (self.uid, self.pid, self.call) = (uid, pid, call) }
}
