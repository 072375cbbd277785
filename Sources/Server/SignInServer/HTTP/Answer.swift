import ThumbSignIn

/// An answer to a client.
struct Answer: Sendable {
    enum Media: String {
        case json = "application/json"
        case metrics = "text/plain; version=0.0.4; charset=utf-8"
        case yaml = "application/yaml"
    }

    var status: Int
    var media = Media.json
    var body: [UInt8] = []
    /// The code, if it is a refusal.
    var refusal: SignInRefusal?
    /// Seconds to wait before asking again.
    var retryAfter: Int64?
    /// The methods of the route, if the client used another one.
    var allow: String?

    init(_ status: Int, _ body: [UInt8] = []) {
        self.status = status
        self.body = body
    }

    init(_ refusal: SignInRefusal, retryAfter: Int64? = nil, allow: String? = nil) {
        status = refusal.status
        self.refusal = refusal
        self.retryAfter = retryAfter
        self.allow = allow
        var json = JSONWriter()
        json.add("error", refusal.rawValue)
        json.add("message", refusal.message)
        body = json.ended()
    }
}

extension SignInRefusal {
    /// The status from docs/developers/sign-in.md, Refusals.
    var status: Int {
        switch self {
        case .malformed, .members, .value, .statementMalformed, .signatureMalformed, .keyMalformed: 400
        case .credentials, .session, .challengeUnknown, .deviceUnknown, .signature: 401
        case .origin, .purpose, .challengeForeign, .deviceRevoked, .statementDevice, .statementAccount, .notFresh, .closed,
            .accountLocked:
            403
        case .notFound: 404
        case .method: 405
        case .slow: 408
        case .challengeUsed, .accountExists, .deviceTaken, .tooManyDevices, .noDevice, .lastDevice: 409
        case .challengeExpired: 410
        case .length: 411
        case .tooLarge: 413
        case .target: 414
        case .mediaType: 415
        case .keyUnsuitable, .keyInvalid, .passwordShort, .passwordCommon: 422
        case .slowDown: 429
        case .headers: 431
        case .busy: 503
        }
    }

    /// For people. It contains nothing that a client sent.
    var message: String {
        switch self {
        case .malformed: "The body isn't one JSON object in UTF-8."
        case .members: "A member is missing, isn't known, or isn't a text."
        case .value: "A member's text isn't what it may be."
        case .statementMalformed: "The statement isn't six lines in their form."
        case .signatureMalformed: "The signature isn't DER in its one form, or a number in it is out of range."
        case .keyMalformed: "The key is neither PEM, nor DER, nor an uncompressed point."
        case .keyUnsuitable: "The key isn't one of P-256."
        case .keyInvalid: "The key's point isn't on the curve."
        case .passwordShort: "The new password is shorter than this server takes; eight characters is the least anywhere."
        case .passwordCommon: "The new password is among the first that anybody would try; choose another."
        case .credentials: "Wrong account or password."
        case .session: "There is no such session, or it has ended."
        case .challengeUnknown: "The challenge isn't one of this server's, or was long ago."
        case .deviceUnknown: "The account has no such device."
        case .signature: "The signature isn't that device's over that statement."
        case .origin: "The statement is for another origin."
        case .purpose: "The statement or the challenge is for another purpose."
        case .challengeForeign: "The challenge was given to another account."
        case .deviceRevoked: "The device is revoked."
        case .accountLocked: "The account is locked; the server's operator can unlock it."
        case .statementDevice: "The statement names another device than the key."
        case .statementAccount: "The statement names another account than the session's."
        case .notFresh: "It needs a session that a password began in the last five minutes."
        case .closed: "Accounts aren't made here."
        case .notFound: "There is no such thing here."
        case .method: "That can't be done here; see the header Allow."
        case .slow: "The request took too long to arrive."
        case .challengeUsed: "The challenge was used already."
        case .accountExists: "There is such an account already."
        case .deviceTaken: "The key is registered for another account, or was revoked."
        case .tooManyDevices: "The account has as many devices as it may have."
        case .noDevice: "Without a password nobody could sign in, because no device is registered; register one first."
        case .lastDevice: "It is the last way to sign in; set a password or register another device first, or delete the account."
        case .challengeExpired: "The challenge's time is over."
        case .length: "A body needs its length."
        case .tooLarge: "The body is longer than any good one."
        case .target: "The request's target is longer than any good one."
        case .mediaType: "The body isn't application/json."
        case .slowDown: "Too many requests or wrong passwords; the header Retry-After says when to come back."
        case .headers: "The headers are longer than any good ones."
        case .busy: "The server can't do it now; try again."
        }
    }
}
