import Foundation
import ThumbAccess
import ThumbSignIn

@testable import Thumbturn

/// The names of a sign-in: origins, accounts, devices, sessions.
enum OriginTarget {
    private static let room = "Sources/Rules/SignIn/"

    static let target = FuzzTarget(
        "origins", longest: 280,
        sources: [
            room + "Origin.swift", room + "Host.swift", room + "StatementWords.swift#AccountName",
            room + "AccountAct.swift#SessionID", room + "Base64URL.swift", room + "SignInLimit.swift#DeviceWords",
            "Sources/Rules/Access/Texts/Base64.swift",
        ],
        words: ["https://", "http://", "localhost", "127.0.0.1", "[::1]", ":8443", "0x7f", "xn--"], seeds: { seeds },
        parse: { input in
            let text = String(decoding: input, as: UTF8.self)
            try names(text)
            try place(text)
            guard let origin = Origin(text) else { return nil }
            try must(origin.text.utf8.elementsEqual(input) && input.count <= Origin.longest, "an origin is another than its text")
            try must(
                input.allSatisfy { (0x21...0x7e).contains($0) && !(0x41...0x5a).contains($0) }, "'\(text)' has two forms")
            return Array(input.drop { $0 != 0x2f }.dropFirst(2))
        })

    /// An origin that is made of a place must be one that is read.
    private static func place(_ text: String) throws(Wrong) {
        for isSecure in [true, false] {
            for port in [443, 80, 8443] as [UInt16] {
                guard let origin = Origin(isSecure: isSecure, host: text, port: port) else { continue }
                try must(Origin(origin.text) == origin, "'\(origin.text)' is made and isn't read")
                try must(isSecure || ["localhost", "127.0.0.1", "[::1]"].contains(text), "'\(text)' is this machine")
            }
        }
    }

    private static func names(_ text: String) throws(Wrong) {
        if let account = AccountName(text) {
            try must(account.text == text && text.utf8.count <= AccountName.longest, "an account is another than its text")
        }
        if let session = SessionID(text: text) {
            try must(session.text == text && session.tag.count == SessionID.tagBytes, "a session's name has two forms")
        }
        if let device = DeviceID(text: text) { try must(device.text == text, "a device's name has two forms") }
        if let bytes = Base64URL.decoded(text) { try must(Base64URL.encoded(bytes) == text, "base64url has two forms") }
        if let bytes = Base64.padded.decoded(text) { try must(Base64.padded.encoded(bytes) == text, "base64 has two forms") }
        try must(!DeviceWords.isName(text) || text.unicodeScalars.count <= SignInLimit.nameCharacters, "a name is too long")
        try must(!DeviceWords.isProtection(text) || text.utf8.count <= SignInLimit.protectionBytes, "a protection is too long")
    }

    private static var seeds: [[UInt8]] {
        [
            "https://a.example", "https://a.example:8443", "http://localhost:8470", "http://127.0.0.1", "http://[::1]:8470",
            "https://[2001:db8::1]", "https://[1:2:3:4:5:6:7:8]:99", "https://10.0.0.1", "https://xn--a.example", "web.example",
            "[2001:db8::1]", "anna@a.example", SessionID(began: Moment(seconds: 7), tag: [UInt8](repeating: 1, count: 16)).text,
            Base64URL.encoded([UInt8](repeating: 7, count: 32)), "QUJD", "QUI=", "QQ==", "HTTPS://A.example",
            "https://a.example/",
            "https://a.example:443", "https://0x7f.1", "https://1.2.3", "Anna's phone",
        ].map { Array($0.utf8) }
    }
}

/// What a sign-in server answers an app: the status, the media type, Retry-After, and the body behind the third line.
enum AnswerTarget {
    private static let file = "Sources/Frameworks/Thumbturn/SignIn/RemoteServer.swift"

    static let target = FuzzTarget(
        "server-answers", longest: 640,
        sources: ["taken", "value", "failure", "checked"].map { file + "#RemoteServer." + $0 },
        words: [
            "\"token\":", "\"account\":", "\"kind\":\"device\"", "\"expires\":", "\"error\":\"slow-down\"", "application/json",
        ],
        seeds: { seeds },
        parse: { input in
            var feed = ByteFeed(input)
            let status = Int(feed.text(before: 0x0a)) ?? 201
            let (type, seconds) = (feed.text(before: 0x0a), feed.text(before: 0x0a))
            let answer = SignInTransfer.Answer(
                status: status, type: type.isEmpty ? nil : type, retryAfter: seconds.isEmpty ? nil : seconds,
                body: Data(feed.remainder()))
            try refusal(answer)
            let session = try accepted { () throws(RemoteServer.Failure) -> RemoteServer.Session in
                let session: RemoteServer.Session = try server.value(try server.taken(answer, expecting: 201))
                return try server.checked(session, account, "device")
            } or: {
                isSafe($0)
            }
            guard let session else { return nil }
            try must(status == 201 && session.account == account.text, "an answer for another account is taken")
            return Array(session.token.utf8)
        })

    // Both are ones that may be.
    private static let server = RemoteServer(origin: Origin("https://a.example")!)
    private static let account = AccountName("anna")!

    /// Whatever the server says, the app is told something that it can wait for.
    private static func isSafe(_ failure: RemoteServer.Failure) -> Bool {
        guard case .refused(let refusal) = failure else { return true }
        return (1...86_400).contains(refusal.seconds)
    }

    /// The other forms that an answer may have.
    private static func refusal(_ answer: SignInTransfer.Answer) throws(Wrong) {
        _ = try accepted { () throws(RemoteServer.Failure) -> SignInTransfer.Answer in
            try server.taken(answer, expecting: 204)
        } or: {
            isSafe($0) && $0.error != .cancelled
        }
        _ = try accepted { () throws(RemoteServer.Failure) -> RemoteServer.Listed in
            try server.value(answer)
        } or: {
            $0 == .other(.badAnswer)
        }
        _ = try accepted { () throws(RemoteServer.Failure) -> RemoteServer.ListedDevice in
            try server.value(answer)
        } or: {
            $0 == .other(.badAnswer)
        }
    }

    private static var seeds: [[UInt8]] {
        let digest = Base64URL.encoded([UInt8](repeating: 7, count: 32))
        return [
            "201\napplication/json\n\n{\"token\":\"\(digest)\",\"account\":\"anna\",\"kind\":\"device\",\"expires\":1800000000}",
            "201\napplication/json; charset=utf-8\n\n"
                + "{\"token\":\"\(digest)\",\"account\":\"bert\",\"kind\":\"device\",\"expires\":1}",
            "429\napplication/json\n5\n{\"error\":\"slow-down\",\"message\":\"later\"}",
            "403\napplication/json\n\n{\"error\":\"device-revoked\",\"message\":\"no\"}",
            "409\napplication/json\n\n{\"error\":\"another\"}", "502\ntext/html\n\n<html>", "204\n\n\n", "301\n\n\n",
            "200\napplication/json\n\n"
                + "{\"session\":\"a\",\"kind\":\"device\",\"device\":null,\"began\":1,\"expires\":2,\"current\":true}",
            "200\napplication/json\n\n{\"device\":\"a\",\"name\":\"b\",\"registered\":1,\"last_used\":2,\"revoked\":null}",
        ].map { Array($0.utf8) }
    }
}
