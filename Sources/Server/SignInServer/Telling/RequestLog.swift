import ThumbLogging
import ThumbSignIn

/// Who made a request, and by what it is found again.
struct Asker {
    let client: ClientAddress
    /// What the answer calls the request; nil if there was none, because it never arrived as a whole.
    var request: String?
    /// What the client calls the trace that the request belongs to.
    var trace: TraceID?
}

/// One thread's lines about requests, until they are written. What a client sent is in them only as far as it was understood: its address,
/// and its trace's number.
struct LogLines {
    private var text: LogText
    private(set) var dropped = 0

    init(_ text: LogText) { self.text = text }

    mutating func add(
        _ route: Route, _ method: Method, _ answer: Answer, nanoseconds: UInt64, by asker: Asker, at now: Moment
    ) {
        guard text.bytes.count < Limits.logBytes else {
            dropped += 1
            return
        }
        // The server itself is at fault, or has too much to do.
        text.begin(answer.status >= 500 ? .warning : .info, at: now.seconds)
        text.add(.event, "request")
        text.add(.client, asker.client.text)
        if let request = asker.request { text.add(.request, request) }
        if let trace = asker.trace { text.add(.trace, trace.text) }
        text.add(.method, method.rawValue)
        text.add(.route, route.rawValue)
        text.add(.status, Int64(answer.status))
        if let refusal = answer.refusal { text.add(.code, refusal.rawValue) }
        text.add(.micros, Int64(clamping: nanoseconds / 1000))
        text.end()
    }

    mutating func taken() -> [UInt8] { text.taken() }
}
