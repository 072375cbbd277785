import ThumbAccess

/// A server as statements name it. Scheme, host and port have one form each, so that equal origins are equal texts.
public struct Origin: Sendable, Hashable {
    public static let longest = 255
    private let name: ExactName

    public var text: String { name.text }

    /// - Returns: nil unless it is `https://HOST[:PORT]`, or `http://` with a host that is this machine. It must be in lower case, without
    ///   the scheme's own port, and with nothing after it.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.longest else { return nil }
        let scheme: Scheme
        if bytes.starts(with: Scheme.https.start.utf8) {
            scheme = .https
        } else if bytes.starts(with: Scheme.http.start.utf8) {
            scheme = .http
        } else {
            return nil
        }
        let place = bytes.dropFirst(scheme.start.utf8.count)
        // What follows an address's bracket, or a name's first colon, is the port.
        let hostEnd =
            if place.first == UInt8(ascii: "[") {
                place.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 }
            } else {
                place.firstIndex(of: UInt8(ascii: ":")) ?? place.endIndex
            }
        guard let hostEnd, Host.isHost(place[..<hostEnd]) else { return nil }
        let host = String(decoding: place[..<hostEnd], as: UTF8.self)
        if scheme == .http && !Host.ofThisMachine.contains(host) { return nil }
        let rest = place[hostEnd...]
        if !rest.isEmpty {
            guard rest.first == UInt8(ascii: ":"), let port = Self.port(rest.dropFirst()), port != scheme.port else { return nil }
        }
        name = ExactName(text)
    }

    /// The origin of a server at that place. An IPv6 address needs its brackets.
    ///
    /// - Returns: nil if there is none: the host isn't valid, or it isn't this machine and there is no TLS.
    public init?(isSecure: Bool, host: String, port: UInt16) {
        let scheme: Scheme = isSecure ? .https : .http
        // A port inside the host would be read as the origin's own.
        guard Host.isHost(Array(host.utf8)[...]) else { return nil }
        self.init(scheme.start + host + (port == scheme.port ? "" : ":\(port)"))
    }

    private enum Scheme {
        case https
        case http

        var start: String {
            switch self {
            case .https: "https://"
            case .http: "http://"
            }
        }

        var port: UInt16 {
            switch self {
            case .https: 443
            case .http: 80
            }
        }
    }

    private static func port(_ digits: ArraySlice<UInt8>) -> UInt16? {
        guard let first = digits.first, first != UInt8(ascii: "0"), digits.allSatisfy(Host.isDigit) else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self))
    }
}
