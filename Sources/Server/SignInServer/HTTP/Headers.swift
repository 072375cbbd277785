import CThumbHTTP
import CThumbLinux
import ThumbSignIn

/// The headers of a request that are read.
struct Headers {
    private(set) var contentLength: Int?
    private(set) var isChunked = false
    private(set) var isJSON = false
    /// The session's token.
    private(set) var bearer: Digest32?
    /// The client's address, as the proxy nearest to us wrote it.
    private(set) var forwardedFor: ClientAddress?
    /// The trace that the request belongs to.
    private(set) var trace: TraceID?
    private var seen: Set<Name> = []
    private var isTwice = false

    private enum Name: CaseIterable {
        case contentLength, contentType, transferEncoding, authorization, host, forwardedFor, traceParent

        var text: StaticString {
            switch self {
            case .contentLength: "Content-Length"
            case .contentType: "Content-Type"
            case .transferEncoding: "Transfer-Encoding"
            case .authorization: "Authorization"
            case .host: "Host"
            case .forwardedFor: "X-Forwarded-For"
            case .traceParent: "traceparent"
            }
        }

        /// Nil for a header that isn't read. Names don't depend on case.
        @unsafe init?(_ name: UnsafePointer<CChar>) {
            // A static text ends with a zero byte.
            let known = Self.allCases.first { known in
                unsafe known.text.utf8Start.withMemoryRebound(to: CChar.self, capacity: 1) { unsafe strcasecmp($0, name) } == 0
            }
            guard let known else { return nil }
            self = known
        }
    }

    /// - Throws: `.malformed` if one of these occurs twice, because two readers in a row might each believe another one.
    @unsafe init(_ connection: OpaquePointer) throws(SignInRefusal) {
        var headers = Self()
        unsafe withUnsafeMutablePointer(to: &headers) { pointer in
            _ = unsafe MHD_get_connection_values(
                connection, .HEADER_KIND,
                { own, _, name, value in
                    guard let own = unsafe own, let name = unsafe name else { return .YES }
                    unsafe own.assumingMemoryBound(to: Headers.self).pointee.take(name, value)
                    return .YES
                }, pointer)
        }
        self = try headers.whole()
    }

    /// Before the first header.
    init() {}

    /// Reads one header. One that isn't among these changes nothing.
    @unsafe mutating func take(_ name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>?) {
        guard let known = unsafe Name(name) else { return }
        let value = unsafe value.map { unsafe String(cString: $0) } ?? ""
        add(known, value)
    }

    /// The headers after the last one.
    /// - Throws: `.malformed` as above.
    func whole() throws(SignInRefusal) -> Headers {
        if isTwice { throw .malformed }
        return self
    }

    private mutating func add(_ name: Name, _ value: String) {
        // Each proxy adds one, or appends to the one that is there. Whatever comes before may be the client's own invention.
        let isFirst = seen.insert(name).inserted
        if name != .forwardedFor, name != .traceParent, !isFirst { isTwice = true }
        switch name {
        // Digits alone. Any other length counts as too long.
        case .contentLength: contentLength = (value.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(value) : nil) ?? Int.max
        case .contentType: isJSON = Self.isJSON(value)
        case .transferEncoding: isChunked = true
        case .authorization:
            let words = value.split(separator: " ", maxSplits: 1)
            guard words.count == 2, words[0].lowercased() == "bearer" else { return }
            bearer = Digest32(text: words[1])
        case .forwardedFor: forwardedFor = value.split(separator: ",").last.flatMap { ClientAddress(text: $0) }
        // Of two nobody knows which is right. The request is answered all the same: its trace is nothing that it depends on.
        case .traceParent: trace = isFirst ? TraceID(traceparent: value) : nil
        case .host: break
        }
    }

    private static func isJSON(_ type: String) -> Bool {
        if type == "application/json" { return true }
        let media = type.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
        return media.lowercased() == "application/json"
    }
}

/// An answer that is being sent.
enum Response {
    @unsafe static func send(
        _ answer: Answer, as request: String, on connection: OpaquePointer, closes: Bool
    ) -> Bool {
        var body = answer.body
        let made = unsafe body.withUnsafeMutableBytes { bytes in
            unsafe MHD_create_response_from_buffer(bytes.count, bytes.baseAddress, .RESPMEM_MUST_COPY)
        }
        guard let response = unsafe made else { return false }
        defer { unsafe MHD_destroy_response(response) }
        if answer.status != 204 { unsafe MHD_add_response_header(response, "Content-Type", answer.media.rawValue) }
        // Nobody on the way may keep tokens and lists of devices.
        unsafe MHD_add_response_header(response, "Cache-Control", "no-store")
        // By this somebody who reports an answer and somebody who reads the log find each other.
        unsafe MHD_add_response_header(response, "X-Request-Id", request)
        if let seconds = answer.retryAfter { unsafe MHD_add_response_header(response, "Retry-After", String(seconds)) }
        if let methods = answer.allow { unsafe MHD_add_response_header(response, "Allow", methods) }
        if answer.refusal == .session { unsafe MHD_add_response_header(response, "WWW-Authenticate", "Bearer") }
        if closes { unsafe MHD_add_response_header(response, "Connection", "close") }
        return unsafe MHD_queue_response(connection, UInt32(answer.status), response) == .YES
    }
}
