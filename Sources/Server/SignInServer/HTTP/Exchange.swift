import CThumbHTTP
import ThumbSecrets
import ThumbSignIn

/// One request and its answer: arriving, waiting, answered.
///
/// It belongs to HTTP's thread, except while it is suspended. Then it belongs to the thread that produces what it waits for, which gives it
/// back by resuming it.
@safe final class Exchange: @unchecked Sendable {
    private unowned let peer: Peer
    private let connection: OpaquePointer
    private let targetLength: Int
    private let peers: Peers
    private let serving: Serving

    private(set) var hasBegun = false
    /// By what its answer and the log have it.
    private let id: String
    private var asker: Asker
    private var route = Route.unknown
    private var method = Method.other
    private var request: Request?
    /// An answer that was decided before the body was looked at. The body is read anyway, because a client that is still sending doesn't
    /// listen.
    private var early: Answer?
    private var swallowed = 0
    private var wholeAt: UInt64 = 0
    /// What goes on after resuming.
    private var next: (() throws(SignInRefusal) -> Step)?
    private var turn: AccountName?
    /// Whether the server's end waits for it.
    private var isCounted = false
    private var isAnswered = false
    private var closes = false

    @unsafe init(_ peer: Peer, _ connection: OpaquePointer, targetLength: Int) {
        self.peer = peer
        peers = peer.peers
        serving = peer.peers.serving
        unsafe self.connection = unsafe connection
        self.targetLength = targetLength
        id = peer.peers.newRequest()
        asker = Asker(client: peer.address, request: id)
    }

    deinit {
        leaveTurn()
        if isCounted { peers.requestIsOver() }
    }

    // MARK: Arriving

    /// Called when the headers have arrived.
    /// - Returns: false if the connection must be cut.
    func begin(_ methodWord: String, _ path: String) -> Bool {
        hasBegun = true
        method = Method(rawValue: methodWord) ?? .other
        let (route, device) = Route.found(path)
        self.route = route
        var headers: Headers?
        do throws(SignInRefusal) {
            headers = try unsafe Headers(connection)
        } catch {
            refuse(error)
        }
        if let wait = count(headers) {
            early = Answer(.slowDown, retryAfter: wait)
        } else if let headers {
            do throws(SignInRefusal) { request = try admitted(headers, device) } catch { refuse(error) }
        }
        guard let early, let length = headers?.contentLength, length > Limits.swallowed else { return true }
        // The body is too long to be read to its end, so the answer goes out now, and the connection is closed after it.
        closes = true
        return answer(early)
    }

    private func refuse(_ refusal: SignInRefusal) {
        early = refusal == .method ? Answer(.method, allow: route.allowed) : Answer(refusal)
        if refusal == .malformed || refusal == .length { closes = true }
    }

    /// Counts the request for its client, whether or not its headers can be read. Returns after how many seconds the client may ask again if
    /// it asked too often.
    private func count(_ headers: Headers?) -> Int64? {
        // Behind a proxy only the headers tell whose request it is.
        if headers == nil, serving.isBehindProxy { return nil }
        let address = serving.isBehindProxy ? headers?.forwardedFor ?? peer.address : peer.address
        asker = Asker(client: address, request: id, trace: headers?.trace)
        return serving.rate.refused(Client(address), milliseconds: Uptime.nanoseconds() / 1_000_000)
    }

    private func admitted(_ headers: Headers, _ device: String?) throws(SignInRefusal) -> Request {
        if targetLength > Limits.target { throw .target }
        if unsafe thumb_http_header_size(connection) > Limits.headers + targetLength { throw .headers }
        if route == .unknown { throw .notFound }
        guard let operation = route.operations.first(where: { $0.method == method }) else { throw .method }
        if headers.isChunked { throw .length }
        let length = headers.contentLength ?? 0
        if length > Limits.body { throw .tooLarge }
        if operation.hasBody {
            if headers.contentLength == nil { throw .length }
            guard headers.isJSON else { throw .mediaType }
        } else if length > 0 {
            throw .members
        }
        var token: Digest32?
        if operation.needsSession {
            guard let bearer = headers.bearer else { throw .session }
            token = try serving.flows.keys.sha256(bearer.bytes)
        }
        return Request(operation: operation, device: device, token: token, body: operation.hasBody ? Body(capacity: length) : nil)
    }

    /// Takes a piece of the body.
    /// - Returns: false if the connection must be cut.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if isAnswered { return true }
        if early == nil, let body = request?.body {
            if unsafe !body.add(bytes) { early = Answer(.tooLarge) }
            return true
        }
        swallowed += bytes.count
        return swallowed <= Limits.swallowed
    }

    // MARK: Answering

    /// Called when the request is complete, or when what it waited for is there.
    func proceed() -> Bool {
        if isAnswered { return true }
        if wholeAt == 0 {
            wholeAt = Uptime.nanoseconds()
            peers.move(peer, to: .working)
        }
        if let early { return answer(early) }
        if let next {
            self.next = nil
            return run(next)
        }
        guard let request else { return false }
        let flows = serving.flows
        return run { () throws(SignInRefusal) in try flows.begin(request) }
    }

    private func run(_ flow: () throws(SignInRefusal) -> Step) -> Bool {
        let step: Step
        do throws(SignInRefusal) { step = try flow() } catch { return answer(Answer(error)) }
        if case .answer(let answer) = step { return self.answer(answer) }
        guard isCounted || peers.countRequest() else { return answer(Answer(.busy)) }
        isCounted = true
        unsafe MHD_suspend_connection(connection)
        // From here on the exchange belongs to another thread, which may resume it before this call returns.
        switch step {
        case .answer: preconditionFailure("an answer waits for nothing")
        case .settle(let deed, let then): settle(deed, Continuation(then))
        case .turn(let account, let then): takeTurn(account, Continuation { (_: Void) throws(SignInRefusal) in try then() })
        case .stretch(let password, let salt, let passes, let kibibytes, let then):
            stretch(password, salt, passes, kibibytes, Continuation(then))
        }
        return true
    }

    /// A closure that moves between threads with its exchange. One of them runs it, once.
    private struct Continuation<Value>: @unchecked Sendable {
        let body: (Value) throws(SignInRefusal) -> Step
        init(_ body: @escaping (Value) throws(SignInRefusal) -> Step) { self.body = body }
    }

    private func settle(_ deed: Deed, _ then: Continuation<DeedOutcome>) {
        serving.writer.settle(deed) { result in
            self.resume { () throws(SignInRefusal) in
                guard case .success(let outcome) = result else { throw .busy }
                return try then.body(outcome)
            }
        }
    }

    private func takeTurn(_ account: AccountName, _ then: Continuation<Void>) {
        let begin: @Sendable () -> Void = {
            self.turn = account
            self.resume { () throws(SignInRefusal) in try then.body(()) }
        }
        switch serving.turns.enter(account, of: Client(asker.client), begin) {
        case .now: begin()
        case .later: break
        case .never: resume { () throws(SignInRefusal) in throw .busy }
        }
    }

    private func stretch(
        _ password: SecretBytes, _ salt: [UInt8], _ passes: UInt32, _ kibibytes: UInt32, _ then: Continuation<SecretBytes?>
    ) {
        let isTaken = serving.stretchers.run(of: Client(asker.client)) {
            self.serving.metrics.countStretched()
            let secret = Passwords.stretched(password, salt: salt, passes: passes, kibibytes: kibibytes)
            self.resume { () throws(SignInRefusal) in try then.body(secret) }
        }
        if !isTaken { resume { () throws(SignInRefusal) in throw .busy } }
    }

    private func resume(_ flow: @escaping () throws(SignInRefusal) -> Step) {
        next = flow
        unsafe MHD_resume_connection(connection)
    }

    private func answer(_ answer: Answer) -> Bool {
        isAnswered = true
        leaveTurn()
        peers.move(peer, to: .answering(Uptime.seconds()))
        let nanoseconds = wholeAt == 0 ? 0 : Uptime.nanoseconds() - wholeAt
        peers.note(route, method, answer, nanoseconds: nanoseconds, by: asker)
        return unsafe Response.send(answer, as: id, on: connection, closes: closes || peers.isRetired)
    }

    private func leaveTurn() {
        guard let account = turn else { return }
        turn = nil
        serving.turns.leave(account)
    }
}
