/// What clients can ask of the server: a route and a method. The words are ours, so logs and metrics may contain them.
enum Operation: Int, CaseIterable {
    case makeAccount, beginSession, giveChallenge, signIn
    case readSession, renewSession, endSession
    case listDevices, register, rename, revoke
    case changePassword, removePassword, listSessions, endSessions, deleteAccount
    case health, metrics, openAPI

    var method: Method {
        switch self {
        case .makeAccount, .beginSession, .giveChallenge, .signIn, .renewSession, .register, .revoke, .removePassword,
            .endSessions,
            .deleteAccount:
            .post
        case .readSession, .listDevices, .listSessions, .health, .metrics, .openAPI: .get
        case .changePassword: .put
        case .rename: .patch
        case .endSession: .delete
        }
    }

    var route: Route {
        switch self {
        case .makeAccount: .accounts
        case .beginSession, .listSessions: .sessions
        case .giveChallenge: .challenges
        case .signIn: .signIns
        case .readSession, .endSession: .session
        case .renewSession: .renewal
        case .listDevices, .register: .devices
        case .rename: .device
        case .revoke: .revocation
        case .changePassword: .password
        case .removePassword: .passwordRemoval
        case .endSessions: .sessionRemoval
        case .deleteAccount: .accountRemoval
        case .health: .health
        case .metrics: .metrics
        case .openAPI: .openAPI
        }
    }

    var hasBody: Bool {
        switch self {
        case .makeAccount, .beginSession, .giveChallenge, .signIn, .register, .rename, .revoke, .changePassword, .removePassword,
            .endSessions, .deleteAccount:
            true
        case .readSession, .renewSession, .endSession, .listDevices, .listSessions, .health, .metrics, .openAPI: false
        }
    }

    var needsSession: Bool {
        switch self {
        case .readSession, .renewSession, .endSession, .listDevices, .register, .rename, .revoke, .changePassword,
            .removePassword,
            .listSessions, .endSessions, .deleteAccount:
            true
        case .makeAccount, .beginSession, .giveChallenge, .signIn, .health, .metrics, .openAPI: false
        }
    }
}

enum Method: String, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    /// No route has it, or it is unknown.
    case other = "OTHER"
}

enum Route: String, CaseIterable {
    case accounts = "/v1/accounts"
    case sessions = "/v1/sessions"
    case challenges = "/v1/challenges"
    case signIns = "/v1/sign-ins"
    case session = "/v1/session"
    case renewal = "/v1/session/renewal"
    case devices = "/v1/devices"
    case device = "/v1/devices/DEVICE"
    case revocation = "/v1/devices/DEVICE/revocation"
    case password = "/v1/password"
    case passwordRemoval = "/v1/password/removal"
    case sessionRemoval = "/v1/sessions/removal"
    case accountRemoval = "/v1/account/removal"
    case health = "/health"
    case metrics = "/metrics"
    case openAPI = "/openapi.yaml"
    case unknown = "unknown"

    /// The route of a path, and the part of it that stands for DEVICE. Paths are compared as they were sent; another spelling is no route.
    static func found(_ path: String) -> (Route, device: String?) {
        if let route = byPath[path] { return (route, nil) }
        let start = "/v1/devices/"
        guard path.utf8.starts(with: start.utf8) else { return (.unknown, nil) }
        // Byte by byte: a mark that follows a slash would make one character with it.
        let parts = path.utf8.dropFirst(start.utf8.count).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let device = parts.first, !device.isEmpty else { return (.unknown, nil) }
        if parts.count == 1 { return (.device, device) }
        return parts.count == 2 && parts[1] == "revocation" ? (.revocation, device) : (.unknown, nil)
    }

    private static let byPath = Dictionary(
        uniqueKeysWithValues: allCases.filter { $0 != .device && $0 != .revocation && $0 != .unknown }.map { ($0.rawValue, $0) })

    /// The operations of the route.
    var operations: [Operation] { Self.byRoute[self] ?? [] }

    private static let byRoute = Dictionary(grouping: Operation.allCases, by: \.route)

    /// The methods of a route, in the form of the header Allow.
    var allowed: String { operations.map(\.method.rawValue).joined(separator: ", ") }
}
