import Foundation
import Testing
import ThumbAccess
import ThumbCrypto
import ThumbSignIn
import thumbturn_test_programs

/// The requests that must fail, each with the status and the code that docs/developers/sign-in.md has for it.
enum Attack: String, CaseIterable, Sendable {
    case replayedStatement, unknownChallenge, foreignChallenge, challengeOfOtherPurpose, otherOrigin, otherPurpose
    case otherDevice, revokedDevice, keyOfAnotherAccount, otherKeysSignature, changedStatement
    case truncatedSignature, longFormSignature, paddedSignature, signatureWithMore, rawSignature, zeroSignature
    case otherLineEnds, shortStatement
    case wrongCurve, wrongCurvePoint, rsaKey, pointOffCurve, compressedPoint, noKey, otherPrivateKey, keyOfOther
    case statementOfOtherAccount, statementOfOtherDevice, accountExists
    case shortPassword, commonPassword, ownNameAsPassword, runAsPassword
    case megabyte, tooLarge, nesting, nestingOfFive, invalidUTF8, duplicateNames, duplicateByEscape, trailingBytes, array, empty
    case missingMember, unknownMember, numberForText, account, lookAlike, otherWordForPurpose, wrongPassword
    case noMedia, otherMedia, noToken, wrongToken, malformedToken, deviceSessionRegisters
    case unknownRoute, foreignPath, escapedPath, chunked, noLength, longTarget, longHeaders, longHeadersBeyond, longTargetBeyond
    case wrongMethod, inventedMethod, head, options, twoLengths, twoTokens, noHost, noHTTP, bodyWhereNoneIs, closedSignUp

    var expected: (status: Int, error: String?) {
        switch self {
        case .replayedStatement: (409, "challenge-used")
        case .unknownChallenge: (401, "challenge-unknown")
        case .foreignChallenge: (403, "challenge-foreign")
        case .challengeOfOtherPurpose, .otherPurpose: (403, "purpose")
        case .otherOrigin: (403, "origin")
        case .otherDevice, .keyOfAnotherAccount: (401, "device-unknown")
        case .revokedDevice: (403, "device-revoked")
        case .otherKeysSignature, .changedStatement, .otherPrivateKey: (401, "signature")
        case .truncatedSignature, .longFormSignature, .paddedSignature, .signatureWithMore, .rawSignature, .zeroSignature:
            (400, "signature-malformed")
        case .otherLineEnds, .shortStatement: (400, "statement-malformed")
        case .wrongCurve, .wrongCurvePoint, .rsaKey: (422, "key-unsuitable")
        case .pointOffCurve: (422, "key-invalid")
        case .compressedPoint, .noKey: (400, "key-malformed")
        case .keyOfOther: (409, "device-taken")
        case .statementOfOtherAccount: (403, "statement-account")
        case .statementOfOtherDevice: (403, "statement-device")
        case .accountExists: (409, "account-exists")
        case .shortPassword: (422, "password-short")
        case .commonPassword, .ownNameAsPassword, .runAsPassword: (422, "password-common")
        case .megabyte, .tooLarge: (413, "too-large")
        case .nesting, .nestingOfFive, .invalidUTF8, .duplicateNames, .duplicateByEscape, .trailingBytes, .array, .empty:
            (400, "malformed")
        case .missingMember, .unknownMember, .numberForText, .bodyWhereNoneIs: (400, "members")
        case .account, .lookAlike, .otherWordForPurpose: (400, "value")
        case .wrongPassword: (401, "credentials")
        case .noMedia, .otherMedia: (415, "media-type")
        case .noToken, .wrongToken, .malformedToken: (401, "session")
        case .deviceSessionRegisters: (403, "not-fresh")
        case .unknownRoute, .foreignPath, .escapedPath: (404, "not-found")
        case .chunked, .noLength: (411, "length")
        case .longTarget: (414, "target")
        case .longHeaders: (431, "headers")
        case .wrongMethod, .inventedMethod, .options: (405, "method")
        case .twoLengths, .twoTokens: (400, "malformed")
        // Those that the library answers itself, or whose answer has no body.
        case .head: (405, nil)
        case .longHeadersBeyond: (431, nil)
        case .longTargetBeyond: (414, nil)
        case .noHost, .noHTTP: (400, nil)
        case .closedSignUp: (403, "closed")
        }
    }
}

@Suite("What must fail")
struct RefusalTests {
    /// One server and its people, for all of these tests.
    struct Town: Sendable {
        let bank: ServerProgram
        let closed: ServerProgram
        let anna: TestDevice
        let otto: TestDevice
        let revoked: TestDevice
        let token: String

        static let shared = Result { try Town() }

        init() throws {
            bank = try ServerProgram()
            closed = try ServerProgram(["--client-rate", "0"])
            let wire = try bank.wire()
            anna = try TestDevice()
            otto = try TestDevice()
            revoked = try TestDevice()
            token = try bank.newAccount(wire, "anna")
            _ = try bank.register(wire, anna, "anna", token: token)
            _ = try bank.register(wire, revoked, "anna", token: token)
            _ = try wire.ask(
                "POST", "/v1/devices/\(try revoked.id.text)/revocation", ["password": "correct horse"], token: token)
            _ = try bank.register(wire, otto, "otto", token: try bank.newAccount(wire, "otto"))
        }
    }

    @Test("Each attack is refused with its own status, and the server lives on", arguments: Attack.allCases)
    func attack(attack: Attack) async throws {
        let (reply, alive, signedIn) = try await onThread {
            let town = try Town.shared.get()
            let reply = try Self.run(attack, town)
            let wire = try town.bank.wire()
            return (
                reply, try wire.ask("GET", "/health").status, try town.bank.signIn(wire, town.anna, "anna").status
            )
        }
        #expect(reply?.status == attack.expected.status, "\(reply?.text ?? "")")
        if let error = attack.expected.error { #expect(reply?.error == error) }
        #expect(alive == 200)
        #expect(signedIn == 201)
    }

    private static func run(_ attack: Attack, _ town: Town) throws -> Wire.Reply? {
        let wire = try town.bank.wire()
        switch attack {
        case .replayedStatement, .unknownChallenge, .foreignChallenge, .challengeOfOtherPurpose, .otherOrigin, .otherPurpose,
            .otherDevice, .revokedDevice, .keyOfAnotherAccount, .otherKeysSignature, .changedStatement, .truncatedSignature,
            .longFormSignature, .paddedSignature, .signatureWithMore, .rawSignature, .zeroSignature, .otherLineEnds,
            .shortStatement:
            return try signingIn(attack, town, wire)
        case .wrongCurve, .wrongCurvePoint, .rsaKey, .pointOffCurve, .compressedPoint, .noKey, .otherPrivateKey, .keyOfOther,
            .statementOfOtherAccount, .statementOfOtherDevice, .deviceSessionRegisters:
            return try registering(attack, town, wire)
        case .megabyte, .tooLarge, .nesting, .nestingOfFive, .invalidUTF8, .duplicateNames, .duplicateByEscape, .trailingBytes,
            .array, .empty, .missingMember, .unknownMember, .numberForText, .account, .lookAlike, .otherWordForPurpose:
            return try wire.ask("POST", "/v1/challenges", body: body(attack))
        case .wrongPassword: return try wire.ask("POST", "/v1/sessions", ["account": "otto", "password": "wrong"])
        case .accountExists:
            return try wire.ask("POST", "/v1/accounts", ["account": "otto", "password": "tulips in spring"])
        case .shortPassword: return try wire.ask("POST", "/v1/accounts", ["account": "eve", "password": "tulips7"])
        case .commonPassword: return try wire.ask("POST", "/v1/accounts", ["account": "eve", "password": "Trustno1"])
        case .ownNameAsPassword:
            return try wire.ask("POST", "/v1/accounts", ["account": "eve@bank.example", "password": "EVE@bank.example"])
        case .runAsPassword: return try wire.ask("POST", "/v1/accounts", ["account": "eve", "password": "hgfedcba"])
        case .closedSignUp:
            return try town.closed.wire().ask("POST", "/v1/accounts", ["account": "eve", "password": "x"])
        default:
            wire.send(bytes(attack, town))
            return try wire.reply(isHead: attack == .head)
        }
    }

    private static func signingIn(_ attack: Attack, _ town: Town, _ wire: Wire) throws -> Wire.Reply {
        let origin = town.bank.origin
        let challenge = try town.bank.challenge(wire, "anna")
        var members = try town.anna.members(origin, "anna", challenge)
        var signature = Base64URL.decoded(members["signature"]!) ?? []  // It was encoded just now.
        func sign(_ statement: String) throws {
            members["statement"] = statement
            signature = try town.anna.signature(Array(statement.utf8))
        }
        switch attack {
        case .replayedStatement: _ = try wire.ask("POST", "/v1/sign-ins", members)
        case .unknownChallenge:
            members = try town.anna.members(origin, "anna", Base64URL.encoded([UInt8](repeating: 7, count: 32)))
        case .foreignChallenge: members = try town.anna.members(origin, "anna", try town.bank.challenge(wire, "otto"))
        case .challengeOfOtherPurpose:
            members = try town.anna.members(origin, "anna", try town.bank.challenge(wire, "anna", "register"))
        case .otherOrigin: members = try town.anna.members("https://bank.example", "anna", challenge)
        case .otherPurpose: members = try town.anna.members(origin, "anna", challenge, purpose: "register")
        case .otherDevice: members = try TestDevice().members(origin, "anna", challenge)
        case .revokedDevice: members = try town.revoked.members(origin, "anna", challenge)
        case .keyOfAnotherAccount: members = try town.otto.members(origin, "anna", challenge)
        case .otherKeysSignature:
            members = try town.otto.members(origin, "anna", challenge, device: try town.anna.id.text)
        case .changedStatement:
            let other = try town.bank.challenge(wire, "anna")
            members["statement"] = members["statement"]?.replacingOccurrences(of: challenge, with: other)
        case .truncatedSignature: signature.removeLast()
        case .longFormSignature: signature = [0x30, 0x81] + signature.dropFirst()
        case .paddedSignature:
            let (r, rest) = split(signature)
            signature = sequence([0x02, UInt8(r.count + 1), 0] + r + rest)
        case .signatureWithMore: signature.append(0)
        case .rawSignature:
            let (r, rest) = split(signature)
            signature = Array((r.suffix(32) + rest.dropFirst(2).suffix(32)).prefix(64))
        case .zeroSignature: signature = [0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00]
        case .otherLineEnds: try sign(members["statement"]!.replacingOccurrences(of: "\n", with: "\r\n"))  // It is there.
        case .shortStatement: try sign(String(members["statement"]!.dropLast()))  // It is there.
        default: break
        }
        switch attack {
        case .truncatedSignature, .longFormSignature, .paddedSignature, .signatureWithMore, .rawSignature, .zeroSignature,
            .otherLineEnds, .shortStatement:
            members["signature"] = Base64URL.encoded(signature)
        default: break
        }
        return try wire.ask("POST", "/v1/sign-ins", members)
    }

    /// The first number of a DER signature, and all that follows it.
    private static func split(_ signature: [UInt8]) -> ([UInt8], [UInt8]) {
        let count = Int(signature[3])
        return (Array(signature[4..<4 + count]), Array(signature[(4 + count)...]))
    }

    private static func sequence(_ content: [UInt8]) -> [UInt8] { [0x30, UInt8(content.count)] + content }

    private static func registering(_ attack: Attack, _ town: Town, _ wire: Wire) throws -> Wire.Reply {
        let device = try TestDevice()
        let challenge = try town.bank.challenge(wire, "anna", "register")
        var members = try device.members(town.bank.origin, "anna", challenge, purpose: "register")
        members["name"] = "laptop"
        members["key"] = device.pem
        var token = town.token
        var point = device.key.publicKey.external
        switch attack {
        case .wrongCurve: members["key"] = try TestDevice(.p384).pem
        case .wrongCurvePoint: members["key"] = Base64URL.encoded(try TestDevice(.p521).key.publicKey.external)
        case .rsaKey: members["key"] = try PrivateKey.generate(.rsa(bits: 2048)).publicKey.pem
        case .pointOffCurve:
            point[64] ^= 1
            members["key"] = Base64URL.encoded(point)
        case .compressedPoint: members["key"] = Base64URL.encoded([0x02 | point[64] & 1] + point[1...32])
        case .noKey: members["key"] = "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"
        case .otherPrivateKey:
            // Somebody else's key, named in a statement that one's own has signed.
            let other = try TestDevice()
            members = try device.members(town.bank.origin, "anna", challenge, purpose: "register", device: try other.id.text)
            members["name"] = "laptop"
            members["key"] = other.pem
        case .keyOfOther:
            members = try town.otto.members(town.bank.origin, "anna", challenge, purpose: "register")
            members["name"] = "laptop"
            members["key"] = town.otto.pem
        case .statementOfOtherAccount:
            members.merge(try device.members(town.bank.origin, "otto", challenge, purpose: "register")) { $1 }
        case .statementOfOtherDevice: members["key"] = try TestDevice().pem
        case .deviceSessionRegisters: token = try town.bank.signIn(wire, town.anna, "anna").string("token")
        default: break
        }
        return try wire.ask("POST", "/v1/devices", members, token: token)
    }

    private static func body(_ attack: Attack) -> [UInt8] {
        let right = #"{"account":"anna","purpose":"sign-in"}"#
        return switch attack {
        case .megabyte: Array(#"{"account":""#.utf8) + [UInt8](repeating: 97, count: 1 << 20) + Array(#""}"#.utf8)
        case .tooLarge: Array(right.utf8) + [UInt8](repeating: 32, count: 16 * 1024 + 1 - right.utf8.count)
        case .nesting: [UInt8](repeating: UInt8(ascii: "["), count: 10_000)
        case .nestingOfFive: Array(#"{"account":[[[[0]]]],"purpose":"sign-in"}"#.utf8)
        case .invalidUTF8: Array(#"{"account":"an"#.utf8) + [0xC3, 0x28] + Array(#"","purpose":"sign-in"}"#.utf8)
        case .duplicateNames: Array(#"{"account":"anna","account":"otto","purpose":"sign-in"}"#.utf8)
        case .duplicateByEscape: Array(#"{"account":"anna","\u0061ccount":"otto","purpose":"sign-in"}"#.utf8)
        case .trailingBytes: Array((right + "x").utf8)
        case .array: Array("[\(right)]".utf8)
        case .empty: []
        case .missingMember: Array(#"{"account":"anna"}"#.utf8)
        case .unknownMember: Array(#"{"account":"anna","purpose":"sign-in","admin":"yes"}"#.utf8)
        case .numberForText: Array(#"{"account":1,"purpose":"sign-in"}"#.utf8)
        case .account: Array(#"{"account":"an na","purpose":"sign-in"}"#.utf8)
        case .lookAlike: Array(#"{"account":"аnna","purpose":"sign-in"}"#.utf8)
        case .otherWordForPurpose: Array(#"{"account":"anna","purpose":"pay"}"#.utf8)
        default: []
        }
    }

    private static func bytes(_ attack: Attack, _ town: Town) -> [UInt8] {
        let right = Array(#"{"account":"anna","purpose":"sign-in"}"#.utf8)
        let host = "Host: localhost\r\n"
        let media = "Content-Type: application/json\r\n"
        let text = String(decoding: right, as: UTF8.self)
        switch attack {
        case .noToken: return Wire.request("GET", "/v1/session")
        case .wrongToken: return Wire.request("GET", "/v1/session", token: Base64URL.encoded([UInt8](repeating: 1, count: 32)))
        case .malformedToken: return Wire.request("GET", "/v1/session", token: "abc")
        case .unknownRoute: return Wire.request("GET", "/v2/session")
        case .foreignPath: return Wire.request("GET", "/v1/devices/../session")
        case .escapedPath: return Wire.request("GET", "/v1/%73ession")
        case .noMedia: return Array("POST /v1/challenges HTTP/1.1\r\n\(host)Content-Length: \(right.count)\r\n\r\n\(text)".utf8)
        case .otherMedia:
            return Array(
                "POST /v1/challenges HTTP/1.1\r\n\(host)Content-Type: text/plain\r\nContent-Length: \(right.count)\r\n\r\n\(text)"
                    .utf8)
        case .chunked:
            return Array(
                "POST /v1/challenges HTTP/1.1\r\n\(host)\(media)Transfer-Encoding: chunked\r\n\r\n26\r\n\(text)\r\n0\r\n\r\n".utf8
            )
        case .noLength: return Array("POST /v1/challenges HTTP/1.1\r\n\(host)\(media)\r\n".utf8)
        case .longTarget: return Wire.request("GET", "/health?" + String(repeating: "a", count: 1017))
        case .longTargetBeyond: return Wire.request("GET", "/health?" + String(repeating: "a", count: 60_000))
        case .longHeaders: return Wire.request("GET", "/health", headers: ["X: " + String(repeating: "a", count: 8 * 1024)])
        case .longHeadersBeyond: return Wire.request("GET", "/health", headers: ["X: " + String(repeating: "a", count: 60_000)])
        case .wrongMethod: return Wire.request("DELETE", "/v1/challenges")
        case .inventedMethod: return Wire.request("BREW", "/health")
        case .head: return Wire.request("HEAD", "/health")
        case .options: return Wire.request("OPTIONS", "/v1/session")
        case .twoLengths:
            return Array(
                "POST /v1/challenges HTTP/1.1\r\n\(host)\(media)Content-Length: \(right.count)\r\nContent-Length: 3\r\n\r\n\(text)"
                    .utf8)
        case .twoTokens:
            return Wire.request("GET", "/v1/session", token: town.token, headers: ["Authorization: Bearer \(town.token)"])
        case .noHost: return Array("GET /health HTTP/1.1\r\n\r\n".utf8)
        case .noHTTP: return Array("\u{16}\u{3}\u{1} hello\r\n\r\n".utf8)
        case .bodyWhereNoneIs: return Wire.request("GET", "/health", Array("{}".utf8))
        default: return []
        }
    }
}
