internal import CThumbHTTP
internal import ThumbSignIn

/// What is read of a request's headers.
struct Headers {
    private(set) var contentLength: Int?
    private(set) var isChunked = false
    private(set) var isJSON = false
    /// The session's token.
    private(set) var bearer: Digest32?
    /// The client's address, as the proxy nearest to us wrote it.
    private(set) var forwardedFor: Client?
    private var seen: Set<Name> = []
    private var isTwice = false

    private enum Name: String, CaseIterable {
        case contentLength = "content-length"
        case contentType = "content-type"
        case transferEncoding = "transfer-encoding"
        case authorization = "authorization"
        case host = "host"
    }

    /// - Throws: `.malformed` where one of those stands twice: two readers in a row might each believe another one.
    @unsafe init(_ connection: OpaquePointer) throws(SignInRefusal) {
        var headers = Self()
        unsafe withUnsafeMutablePointer(to: &headers) { pointer in
            _ = unsafe MHD_get_connection_values(
                connection, .HEADER_KIND,
                { own, _, name, value in
                    guard let own = unsafe own, let name = unsafe name else { return .YES }
                    let value = unsafe value.map { unsafe String(cString: $0) } ?? ""
                    unsafe own.assumingMemoryBound(to: Headers.self).pointee.add(String(cString: name), value)
                    return .YES
                }, pointer)
        }
        if headers.isTwice { throw .malformed }
        self = headers
    }

    private init() {}

    private mutating func add(_ name: String, _ value: String) {
        let name = name.lowercased()
        if name == "x-forwarded-for" {
            // Each proxy adds to the end; what stands before may be the client's own invention.
            forwardedFor = value.split(separator: ",").last.flatMap { Client(text: $0) }
            return
        }
        guard let known = Name(rawValue: name) else { return }
        if !seen.insert(known).inserted { isTwice = true }
        switch known {
        case .contentLength: contentLength = Int(value) ?? Int.max
        case .contentType:
            let media = value.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
            isJSON = media.lowercased() == "application/json"
        case .transferEncoding: isChunked = true
        case .authorization:
            let words = value.split(separator: " ", maxSplits: 1)
            guard words.count == 2, words[0].lowercased() == "bearer" else { return }
            bearer = Digest32(text: words[1])
        case .host: break
        }
    }
}

/// An answer on its way out.
enum Response {
    @unsafe static func send(_ answer: Answer, on connection: OpaquePointer, closes: Bool) -> Bool {
        var body = answer.body
        let made = unsafe body.withUnsafeMutableBytes { bytes in
            unsafe MHD_create_response_from_buffer(bytes.count, bytes.baseAddress, .RESPMEM_MUST_COPY)
        }
        guard let response = unsafe made else { return false }
        defer { unsafe MHD_destroy_response(response) }
        if answer.status != 204 { unsafe MHD_add_response_header(response, "Content-Type", answer.media.rawValue) }
        // Tokens and lists of devices are nobody's to keep on the way.
        unsafe MHD_add_response_header(response, "Cache-Control", "no-store")
        if let seconds = answer.retryAfter { unsafe MHD_add_response_header(response, "Retry-After", String(seconds)) }
        if let methods = answer.allow { unsafe MHD_add_response_header(response, "Allow", methods) }
        if answer.refusal == .session { unsafe MHD_add_response_header(response, "WWW-Authenticate", "Bearer") }
        if closes { unsafe MHD_add_response_header(response, "Connection", "close") }
        return unsafe MHD_queue_response(connection, UInt32(answer.status), response) == .YES
    }
}
