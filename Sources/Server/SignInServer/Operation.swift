/// What can be asked of the server: a route and a method. The words are ours, so they may stand in logs and metrics.
enum Operation: Int, CaseIterable {
    case makeAccount, beginSession, giveChallenge, signIn
    case readSession, renewSession, endSession
    case listDevices, register, rename, revoke
    case health, metrics, openAPI

    var method: Method {
        switch self {
        case .makeAccount, .beginSession, .giveChallenge, .signIn, .renewSession, .register: .post
        case .readSession, .listDevices, .health, .metrics, .openAPI: .get
        case .rename: .patch
        case .endSession, .revoke: .delete
        }
    }

    var route: Route {
        switch self {
        case .makeAccount: .accounts
        case .beginSession: .sessions
        case .giveChallenge: .challenges
        case .signIn: .signIns
        case .readSession, .endSession: .session
        case .renewSession: .renewal
        case .listDevices, .register: .devices
        case .rename, .revoke: .device
        case .health: .health
        case .metrics: .metrics
        case .openAPI: .openAPI
        }
    }

    var hasBody: Bool {
        switch self {
        case .makeAccount, .beginSession, .giveChallenge, .signIn, .register, .rename: true
        default: false
        }
    }

    var needsSession: Bool {
        switch self {
        case .readSession, .renewSession, .endSession, .listDevices, .register, .rename, .revoke: true
        default: false
        }
    }
}

enum Method: String, CaseIterable {
    case get = "GET"
    case post = "POST"
    case patch = "PATCH"
    case delete = "DELETE"
    /// No route has it, or nobody has heard of it.
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
    case health = "/health"
    case metrics = "/metrics"
    case openAPI = "/openapi.yaml"
    case unknown = "unknown"

    /// The route of a path, and what stands for DEVICE in it. Paths are compared as they were sent: no other spelling is a route.
    static func found(_ path: String) -> (Route, device: String?) {
        if let route = byPath[path] { return (route, nil) }
        let start = "/v1/devices/"
        guard path.utf8.starts(with: start.utf8) else { return (.unknown, nil) }
        let device = String(path.dropFirst(start.count))
        return device.isEmpty || device.utf8.contains(UInt8(ascii: "/")) ? (.unknown, nil) : (.device, device)
    }

    private static let byPath = Dictionary(
        uniqueKeysWithValues: allCases.filter { $0 != .device && $0 != .unknown }.map { ($0.rawValue, $0) })

    /// What can be asked there.
    var operations: [Operation] { Self.byRoute[self] ?? [] }

    private static let byRoute = Dictionary(grouping: Operation.allCases, by: \.route)

    /// The methods of a route, as the header Allow has them.
    var allowed: String { operations.map(\.method.rawValue).joined(separator: ", ") }
}
