import ThumbAccess
import ThumbJSON
import ThumbSecrets
import ThumbSignIn

@testable import ThumbSignInServer

/// The bodies of requests to the sign-in server.
enum JSONTarget {
    static let target = FuzzTarget(
        "json", longest: 512,
        sources: [
            "Sources/Rules/JSON/JSONObject.swift",
            "Sources/Server/SignInServer/JSON/JSONWriter.swift#JSONWriter.put",
            "Sources/Server/SignInServer/Flows/Step.swift#Members", "Sources/Server/SignInServer/HTTP/Body.swift",
        ],
        words: ["\"account\":", "\"password\":", "\\u0061", "\\ud83d\\ude00", "true", "false", "null", "1e5", "-0.5"],
        seeds: { seeds },
        parse: { input in
            let object = try accepted { () throws(JSONMalformed) -> JSONObject in
                try JSONObject(input.span)
            } or: {
                $0 == JSONMalformed()
            }
            let account = try members(input, isObject: object != nil)
            guard let object else { return nil }
            try must(Set(object.members.map(\.name)).count == object.members.count, "a name is there twice")
            for (name, value) in object.members {
                try must(String(validating: name, as: UTF8.self) != nil, "a name isn't UTF-8")
                if case .text(let range, let hasEscapes) = value {
                    try writeAgain(JSONText.decoded(input.span, range, hasEscapes: hasEscapes))
                }
            }
            return account
        })

    /// A text must be read as it is written.
    private static func writeAgain(_ text: [UInt8]) throws {
        try must(String(validating: text, as: UTF8.self) != nil, "a text isn't UTF-8")
        var writer = JSONWriter()
        writer.add("number", 1)
        writer.add("flag", true)
        writer.add("text", String(decoding: text, as: UTF8.self))
        writer.add("list", [Array("{}".utf8), Array("{}".utf8)])
        let body = writer.ended()
        let object = try JSONObject(body.span)
        guard case .text(let range, let hasEscapes)? = object.value("text") else { throw Wrong("a text is written as none") }
        try must(JSONText.decoded(body.span, range, hasEscapes: hasEscapes) == text, "a text isn't read as it is written")
    }

    /// The members of a first sign-in, as the server's flows take them; returns the account.
    private static func members(_ input: [UInt8], isObject: Bool) throws -> [UInt8]? {
        let body = Body(capacity: input.count)
        try must(input.withUnsafeBytes { body.add($0) }, "a body doesn't fit its own length")
        try must([UInt8(0)].withUnsafeBytes { !body.add($0) } || input.isEmpty, "a body takes more than its length")
        let members = try accepted { () throws(SignInRefusal) -> Members in
            try Members(body, needed: ["account", "password"], allowed: ["sessions"])
        } or: {
            $0 == .members || $0 == .malformed && !isObject
        }
        guard let members else { return nil }
        let password = try accepted { () throws(SignInRefusal) -> SecretBytes in
            try members.password()
        } or: {
            $0 == .value
        }
        try must((password?.count ?? 0) <= Limits.passwordBytes, "a password is taken that is longer than any")
        let account = try accepted { () throws(SignInRefusal) -> AccountName in
            if members.has("sessions") { _ = try members.optionalText("sessions") }
            _ = try? members.decoded("password")
            return try members.account()
        } or: {
            $0 == .value
        }
        return account.map { Array($0.text.utf8) }
    }

    private static var seeds: [[UInt8]] {
        [
            #"{"account":"anna","password":"hunter22"}"#, #"{ "account" : "anna" , "password" : "hunter22", "sessions":"end"}"#,
            #"{"a":"\"\\\/\b\f\n\r\té\u00e9\uD83D\uDE00\u0000","ä":"é 😀","":""}"#,
            #"{"a":null,"b":true,"c":false,"d":0,"e":-0,"f":10.25,"g":1e5,"h":1E-5,"i":-1.5e+20}"#,
            #"{"a":[],"b":{},"c":[1,[2,[3]]],"d":{"e":{"f":{}}}}"#, #"{"a":1,"\u0061":2}"#, #"{"a":"\uD800"}"#, "{}", " {\t}\r\n",
            "[]", #"{"a":"b",}"#, #"{"account":"anna","password":""}"#,
        ].map { Array($0.utf8) }
    }
}

/// The first line and the headers of a request to the sign-in server, without libmicrohttpd.
enum HTTPTarget {
    private static let server = "Sources/Server/SignInServer/"

    static let target = FuzzTarget(
        "http", longest: 512,
        sources: [
            server + "Flows/Operation.swift", server + "HTTP/Headers.swift#Headers.Name",
            server + "HTTP/Headers.swift#Headers.take",
            server + "HTTP/Headers.swift#Headers.add", server + "HTTP/Headers.swift#Headers.whole",
            server + "HTTP/Headers.swift#Headers.isJSON", server + "HTTP/Client.swift",
            server + "HTTP/ListenAddress.swift#ListenAddress", server + "HTTP/TraceID.swift",
        ],
        words: [
            "GET ", "DELETE ", "/v1/devices/", "/revocation", "Content-Length: ", "Content-Type: application/json", "Host: ",
            "Transfer-Encoding: chunked", "Authorization: Bearer ", "X-Forwarded-For: ", "[::1]",
            "traceparent: 00-",
        ],
        seeds: { seeds },
        parse: { input in
            // A text of C ends at its first zero byte.
            var feed = ByteFeed(input.filter { $0 != 0 })
            let method = Method(rawValue: feed.text(before: 0x20)) ?? .other
            let device = try route(feed.text(before: 0x0a), method)
            var headers = Headers()
            while !feed.isAtEnd {
                var line = ByteFeed(feed.bytes(before: 0x0a))
                let (name, value) = (
                    line.text(before: 0x3a), String(decoding: line.remainder().drop { $0 == 0x20 }, as: UTF8.self)
                )
                name.withCString { name in value.withCString { headers.take(name, $0) } }
                try address(value)
            }
            let whole = try accepted { () throws(SignInRefusal) -> Headers in
                try headers.whole()
            } or: {
                $0 == .malformed
            }
            try must(whole?.contentLength ?? 0 >= 0, "a body is shorter than nothing")
            if let trace = whole?.trace?.text {
                try must(TraceID(traceparent: "00-\(trace)-0000000000000001-00")?.text == trace, "'\(trace)' is a trace")
            }
            if let client = whole?.forwardedFor { try must(ClientAddress(text: client.text[...]) == client, "'\(client.text)'") }
            return device
        })

    private static func route(_ path: String, _ method: Method) throws(Wrong) -> [UInt8]? {
        let (route, device) = Route.found(path)
        let operations = route.operations
        try must((route == .unknown) == operations.isEmpty, "\(route) has \(operations.count) operations")
        try must(
            operations.allSatisfy { $0.route == route && route.allowed.contains($0.method.rawValue) }, "\(route) lacks a method")
        let operation = operations.first { $0.method == method }
        try must(operation?.hasBody != true || method != .get, "a body is read of a GET")
        _ = operation?.needsSession
        guard let device else {
            try must(route == .unknown || path.utf8.elementsEqual(route.rawValue.utf8), "'\(path)' is \(route)")
            return nil
        }
        let end = route == .revocation ? "/revocation" : ""
        try must(route == .device || route == .revocation, "\(route) names a device")
        try must(!device.isEmpty && !device.utf8.contains(0x2f), "'\(device)' is a device")
        try must(path.utf8.elementsEqual("/v1/devices/\(device)\(end)".utf8), "'\(path)' names the device '\(device)'")
        return Array(device.utf8)
    }

    /// A place to listen at, and the client that comes from there.
    private static func address(_ text: String) throws(Wrong) {
        guard let address = ListenAddress(text) else { return }
        try must(ListenAddress("\(address.host):\(address.port)") == address, "'\(text)' isn't read again as it is written")
        let client = address.withSocketAddress { pointer, _ in Client(pointer) }
        try must(client != nil && client == Client(text: address.host[...]), "'\(address.host)' is two clients")
        _ = Client(nil)
    }

    private static var seeds: [[UInt8]] {
        let digest = Base64URL.encoded([UInt8](repeating: 7, count: 32))
        let heads = [
            "POST /v1/sign-ins\nContent-Length: 12\nContent-Type: application/json; charset=utf-8\nHost: 127.0.0.1:8470\n",
            "GET /v1/devices/\(digest)\nAuthorization: Bearer \(digest)\nX-Forwarded-For: 10.0.0.1, [2001:db8::1]\n",
            "POST /v1/devices/\(digest)/revocation\nTransfer-Encoding: chunked\nHost: [::1]:8470\n",
            "GET /health\nHost: localhost:0\nHost: [::ffff:10.0.0.1]:80\nX-Forwarded-For: ::ffff:10.0.0.1\n",
            "PATCH /v1/devices/a/b/c\nContent-Length: -5\nContent-Type: text/plain\n", "DELETE /v1/session\n",
            "PUT /v1/password\n",
            "GET /health\ntraceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\nX-Forwarded-For: 192.0.2.7\n",
            "GET /health\ntraceparent: 01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more\n",
        ]
        return (heads + Route.allCases.map { "GET \($0.rawValue)\n" }).map { Array($0.utf8) }
    }
}

/// What a device signs to sign in.
enum StatementTarget {
    private static let room = "Sources/Rules/SignIn/"

    static let target = FuzzTarget(
        "statement", longest: Statement.longest + 8,
        sources: ["Statement", "StatementWords", "SignInCheck", "AskedPurpose", "RandomWords"].map { room + $0 + ".swift" },
        words: Purpose.allCases.map(\.rawValue) + ["origin ", "account ", "purpose ", "challenge ", "device "], seeds: { seeds },
        parse: { input in
            let statement = try accepted { () throws(SignInRefusal) -> Statement in
                try Statement(input)
            } or: {
                $0 == .statementMalformed
            }
            guard let statement else { return nil }
            try must(statement.bytes == input && input.count <= Statement.longest, "a statement has two forms")
            try must(Purpose(StatementPurpose(statement.purpose)) == statement.purpose, "a purpose is asked for as another")
            let request = StatementRequest(
                origin: statement.origin, account: statement.account, purpose: statement.purpose, challenge: statement.challenge)
            try must(request.statement(of: statement.device) == statement, "a statement is asked for as another")
            try claim(statement, input)
            return Array(statement.account.text.utf8)
        })

    private static func claim(_ statement: Statement, _ bytes: [UInt8]) throws {
        let crypto = CountingCrypto()
        let claim = try SignInClaim(statement: bytes, signature: signature, at: statement.origin, for: statement.purpose)
        let other = try accepted { () throws(SignInRefusal) -> SignInClaim in
            try SignInClaim(
                statement: bytes, signature: signature, at: statement.origin,
                for: statement.purpose == .signIn ? .register : .signIn)
        } or: {
            $0 == .purpose
        }
        try must(other == nil, "a statement counts for another purpose")
        var record = DeviceRecord(
            id: statement.device, key: [1], name: "", unverifiedProtection: "", registered: Moment(seconds: 0))
        let proof = try claim.proof(by: record, crypto)
        try must(proof.account == statement.account && proof.device == statement.device, "a proof is of another account")
        record.revoked = Moment(seconds: 1)
        for device in [nil, record] {
            let proof = try accepted { () throws(SignInRefusal) -> SignInProof in
                try claim.proof(by: device, crypto)
            } or: {
                $0 == (device == nil ? .deviceUnknown : .deviceRevoked)
            }
            try must(proof == nil, "a device proves something that is revoked or unknown")
        }
        _ = try accepted { () throws(SignInRefusal) -> SignInProof in
            try claim.proof(registering: [1], for: statement.account, crypto)
        } or: {
            $0 == .statementDevice
        }
    }

    private static let signature: [UInt8] = [0x30, 6, 2, 1, 1, 2, 1, 1]

    /// Every signature is genuine, and a hash is the first bytes of what is hashed.
    private struct CountingCrypto: SignInCrypto {
        func sha256(_ bytes: [UInt8]) throws(SignInRefusal) -> Digest32 {
            let padded = Array((bytes + [UInt8](repeating: 0, count: 32)).prefix(32))
            guard let digest = Digest32(padded) else { throw .busy }
            return digest
        }

        func isSignature(
            _ signature: SignatureForm, ofSHA256 digest: Digest32, by key: [UInt8], of device: DeviceID
        ) throws(SignInRefusal) -> Bool { true }
    }

    private static var seeds: [[UInt8]] {
        let digest = Base64URL.encoded([UInt8](repeating: 7, count: 32))
        let texts = Purpose.allCases.map { purpose in
            "thumbturn sign-in 1\norigin https://a.example:8443\naccount anna@a.example\npurpose \(purpose.rawValue)\n"
                + "challenge \(digest)\ndevice \(digest)\n"
        }
        return texts.map { Array($0.utf8) } + [Array("thumbturn sign-in 1\n".utf8)]
    }
}
