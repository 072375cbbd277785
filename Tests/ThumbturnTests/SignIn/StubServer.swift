import Foundation
import LocalAuthentication

/// A sign-in server of the test's own, over real HTTP on this machine: the routes that a device needs, one account, one request a
/// connection. What a test wants otherwise, it says.
///
/// @unchecked: what changes is touched by the one thread that answers, and read by the test between its calls.
final class StubServer: @unchecked Sendable {
    struct Request: Sendable {
        var method: String
        var path: String
        var token: String?
        var body: [String: String] = [:]

        var route: String { "\(method) \(path.hasPrefix("/v1/devices/") ? "/v1/devices/DEVICE/revocation" : path)" }
    }

    struct Reply: Sendable {
        var status: Int
        var body = Data()
        var type: String? = "application/json"
        var extra: [String: String] = [:]
        /// Whether it is said before the body how long that is; if not, the body ends with the connection.
        var isLengthTold = true
        /// The connection is closed without a word.
        var isLost = false

        static func refused(_ status: Int, _ code: String) -> Reply {
            Reply(status: status, body: Data("{\"error\": \"\(code)\", \"message\": \"words\"}".utf8))
        }
    }

    private(set) var origin = ""
    /// Asked first; nil: as the server does.
    var answerInstead: (Request) -> Reply? = { _ in nil }
    /// Routes that do what they should, and whose answer doesn't arrive. A test changes them while the server's thread may be at the
    /// last answer still.
    var lost: Set<String> {
        get { lock.withLock { lostRoutes } }
        set { lock.withLock { lostRoutes = newValue } }
    }
    private var lostRoutes: Set<String> = []
    private let lock = NSLock()
    private(set) var requests: [Request] = []
    private(set) var devices: [String: (key: SecKey, isRevoked: Bool)] = [:]
    private(set) var sessions: [String: (kind: String, device: String?)] = [:]
    private(set) var signIns: [Request] = []
    private var challenges: [String: String] = [:]
    private(set) var password = "tulips in spring"
    private(set) var isPasswordless = false
    private let listener: Listener
    /// Seconds that a session lasts.
    var lasting: Int64 = 86_400

    init() throws {
        let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        listener = Listener(fd)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(fd, $0, length) == 0 && listen(fd, 16) == 0 && getsockname(fd, $0, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        origin = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        Thread.detachNewThread { [listener, weak self] in
            while case let peer = accept(listener.fd, nil, nil), peer >= 0 {
                self?.serve(peer)
                close(peer)
            }
        }
    }

    /// The listening socket. It is open as long as the server or its thread holds it, so its number is nobody else's when it is shut down.
    private final class Listener: Sendable {
        let fd: Int32

        init(_ fd: Int32) { self.fd = fd }

        func stop() { shutdown(fd, Int32(SHUT_RDWR)) }

        deinit { close(fd) }
    }

    /// Nobody listens any more.
    func stop() { listener.stop() }

    deinit { stop() }

    func revoke(_ device: String) {
        devices[device]?.isRevoked = true
        sessions = sessions.filter { $0.value.device != device }
    }

    /// What it says to a request of the test's own.
    func reply(to request: Request) -> Reply { answer(request) }

    func forgetDevices() { devices = [:] }
    func endSessions() { sessions = [:] }
    func routes() -> [String] { requests.map(\.route) }

    // MARK: HTTP

    private func serve(_ peer: Int32) {
        guard let request = read(peer) else { return }
        requests.append(request)
        let reply = answerInstead(request) ?? answer(request)
        if reply.isLost || lost.contains(request.route) { return }
        var head = "HTTP/1.1 \(reply.status) Words\r\nConnection: close\r\n"
        if reply.isLengthTold { head += "Content-Length: \(reply.body.count)\r\n" }
        if let type = reply.type { head += "Content-Type: \(type)\r\n" }
        for (name, value) in reply.extra { head += "\(name): \(value)\r\n" }
        let bytes = Array(Data((head + "\r\n").utf8) + reply.body)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            sent += count
        }
    }

    private func read(_ peer: Int32) -> Request? {
        var bytes = Data()
        let end = Data("\r\n\r\n".utf8)
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            if let range = bytes.range(of: end) {
                let lines = String(decoding: bytes[..<range.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
                let headers = Dictionary(
                    lines.dropFirst().map { line in
                        let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
                        return (parts[0].lowercased(), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
                    }, uniquingKeysWith: { $1 })
                let length = headers["content-length"].flatMap(Int.init) ?? 0
                if bytes.count - range.upperBound >= length {
                    let words = lines[0].split(separator: " ").map(String.init)
                    var request = Request(method: words[0], path: words[1])
                    request.token = headers["authorization"].map { String($0.dropFirst("Bearer ".count)) }
                    let body = bytes[range.upperBound...]
                    request.body = (try? JSONDecoder().decode([String: String].self, from: body)) ?? [:]
                    return request
                }
            }
            let count = recv(peer, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes.append(contentsOf: buffer[..<count])
        }
    }

    // MARK: What a server does

    private func answer(_ request: Request) -> Reply {
        let body = request.body
        let session = request.token.flatMap { sessions[$0] }
        switch request.route {
        case "POST /v1/sessions":
            guard !isPasswordless, body["password"] == password else { return .refused(401, "credentials") }
            return begin("password", nil)
        case "POST /v1/challenges":
            let challenge = Self.random()
            challenges[challenge] = body["purpose"]
            return Self.json(201, ["challenge": challenge, "expires": Int64(Date().timeIntervalSince1970) + 60])
        case "POST /v1/devices":
            guard session?.kind == "password" else { return .refused(403, "not-fresh") }
            guard let device = body["statement"].flatMap(Self.device), let key = body["key"].flatMap(Self.key) else {
                return .refused(400, "key-malformed")
            }
            if devices[device]?.isRevoked == true { return .refused(409, "device-taken") }
            guard uses(body, "register", key) else { return .refused(401, "signature") }
            devices[device] = (key, false)
            return Self.json(201, ["device": device])
        case "POST /v1/sign-ins":
            signIns.append(request)
            guard let device = body["statement"].flatMap(Self.device), let known = devices[device] else {
                return .refused(401, "device-unknown")
            }
            if known.isRevoked { return .refused(403, "device-revoked") }
            guard uses(body, "sign-in", known.key) else { return .refused(409, "challenge-used") }
            return begin("device", device)
        case "POST /v1/session/renewal":
            guard let session, let token = request.token else { return .refused(401, "session") }
            sessions[token] = nil
            return begin(session.kind, session.device)
        case "GET /v1/session":
            return session == nil ? .refused(401, "session") : Self.json(200, ["account": "anna"])
        case "DELETE /v1/session":
            guard session != nil, let token = request.token else { return .refused(401, "session") }
            sessions[token] = nil
            return Reply(status: 204, type: nil)
        case "POST /v1/devices/DEVICE/revocation":
            let device = String(request.path.dropFirst("/v1/devices/".count).dropLast("/revocation".count))
            if let refusal = refusal(request, session != nil, "revoke-device") { return refusal }
            guard devices[device] != nil else { return .refused(404, "not-found") }
            if isPasswordless, devices.count(where: { !$0.value.isRevoked }) == 1 { return .refused(409, "last-device") }
            revoke(device)
            return Reply(status: 204, type: nil)
        case "PUT /v1/password", "POST /v1/password/removal", "POST /v1/sessions/removal":
            let purposes = ["PUT /v1/password": "change-password", "POST /v1/password/removal": "remove-password"]
            if let refusal = refusal(request, session != nil, purposes[request.route] ?? "end-sessions") { return refusal }
            guard let session, let token = request.token else { return .refused(401, "session") }
            if body["session"] != nil { return Reply(status: 204, type: nil) }
            if body["sessions"] == "keep" { sessions[token] = nil } else { sessions = [:] }
            if request.route == "PUT /v1/password" { password = body["new_password"] ?? "" }
            isPasswordless = request.route == "POST /v1/password/removal"
            var reply = begin(session.kind, session.device)
            reply.status = 200
            return reply
        case "POST /v1/account/removal":
            if let refusal = refusal(request, session != nil, "delete-account") { return refusal }
            (devices, sessions) = ([:], [:])
            return Reply(status: 204, type: nil)
        default: return .refused(404, "not-found")
        }
    }

    /// Why an act isn't done: no session, or no proof of that purpose.
    private func refusal(_ request: Request, _ hasSession: Bool, _ purpose: String) -> Reply? {
        guard hasSession else { return .refused(401, "session") }
        if let given = request.body["password"] {
            return !isPasswordless && given == password ? nil : .refused(401, "credentials")
        }
        guard let device = request.body["statement"].flatMap(Self.device), let known = devices[device] else {
            return .refused(401, "device-unknown")
        }
        if known.isRevoked { return .refused(403, "device-revoked") }
        return uses(request.body, purpose, known.key) ? nil : .refused(403, "purpose")
    }

    /// Whether it is signed by that key over a challenge that was given for this and not yet used, which it then is.
    private func uses(_ body: [String: String], _ purpose: String, _ key: SecKey) -> Bool {
        guard let text = body["statement"], let signature = body["signature"].flatMap(Self.bytes) else { return false }
        let lines = text.split(separator: "\n")
        guard lines.count == 6, lines[1] == "origin \(origin)", lines[2] == "account anna", lines[3] == "purpose \(purpose)"
        else {
            return false
        }
        let isSigned = SecKeyVerifySignature(
            key, .ecdsaSignatureMessageX962SHA256, Data(text.utf8) as CFData, signature as CFData, nil)
        return isSigned && challenges.removeValue(forKey: String(lines[4].dropFirst("challenge ".count))) == purpose
    }

    private func begin(_ kind: String, _ device: String?) -> Reply {
        let token = Self.random()
        sessions[token] = (kind, device)
        let expires = Int64(Date().timeIntervalSince1970) + lasting
        return Self.json(201, ["token": token, "account": "anna", "kind": kind, "expires": expires])
    }

    static func json(_ status: Int, _ members: [String: Any]) -> Reply {
        Reply(status: status, body: (try? JSONSerialization.data(withJSONObject: members)) ?? Data())
    }

    private static func random() -> String {
        let bytes = Data((0..<32).map { _ in UInt8.random(in: 0...255) })
        return bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func bytes(_ text: String) -> Data? {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
    }

    private static func device(_ statement: String) -> String? {
        statement.split(separator: "\n").last.map { String($0.dropFirst("device ".count)) }
    }

    private static func key(_ text: String) -> SecKey? {
        guard let der = bytes(text), der.count == 91 else { return nil }
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass as String: kSecAttrKeyClassPublic,
        ]
        return SecKeyCreateWithData(der.suffix(65) as CFData, attributes as CFDictionary, nil)
    }
}
