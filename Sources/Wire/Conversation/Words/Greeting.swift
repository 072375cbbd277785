public import ThumbAccess

// How a connection begins, and how the daemon ends it.

/// What a peer says first.
public struct Hello: Word, Equatable {
    public static let wireKind = WordKind.hello

    public enum Role: UInt8, Sendable, WireChoice {
        case app = 1
        case prompt = 2
        /// Shows prompts in a window, for the callers of its own session.
        case agent = 3
        /// The system's login, which runs as root: it may offer passwords, nothing else.
        case login = 4
        /// Polkit's agent in a user's session, which has the owner asked for what polkit wants.
        case polkit = 5
    }

    public var lowestVersion: UInt16
    public var highestVersion: UInt16
    public var role: Role
    /// The app's bundle identifier: a label to show, not proof.
    public var label: String?
    /// Why the app wants face recognition, in its own words.
    public var faceUsage: String?
    public var ticket: [UInt8]?
    /// What a prompt draws on.
    public var surface: PromptSurface?

    public init(
        role: Role, label: String? = nil, faceUsage: String? = nil, ticket: [UInt8]? = nil, surface: PromptSurface? = nil
    ) {
        lowestVersion = WireLimit.version
        highestVersion = WireLimit.version
        self.role = role
        self.label = label
        self.faceUsage = faceUsage
        self.ticket = ticket
        self.surface = surface
    }

    public func encode(to encoder: inout Encoder) {
        encoder.put(lowestVersion, highestVersion, role, label, faceUsage, ticket, surface)
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        lowestVersion = try decoder.value()
        highestVersion = try decoder.value()
        role = try decoder.value()
        label = try decoder.value()
        faceUsage = try decoder.value()
        ticket = try decoder.value()
        surface = try decoder.value()
        guard lowestVersion <= highestVersion, (label?.utf8.count ?? 0) <= WireLimit.labelBytes,
            (faceUsage?.utf8.count ?? 0) <= WireLimit.faceUsageBytes
        else { throw .malformed }
    }
}

extension PromptSurface: WireValue {
    public func encode(to encoder: inout Encoder) {
        switch self {
        case .terminal: encoder.put(UInt8(1))
        case .x11(let display): encoder.put(UInt8(2), display)
        case .wayland(let compositor): encoder.put(UInt8(3), UInt32(bitPattern: compositor))
        }
    }

    public init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.value(UInt8.self) {
        case 1: self = .terminal
        case 2:
            let display = try decoder.value(String.self)
            guard display.utf8.count <= WireLimit.displayBytes else { throw .malformed }
            self = .x11(display: display)
        case 3: self = .wayland(compositor: Int32(bitPattern: try decoder.value()))
        default: throw .malformed
        }
    }
}

/// The daemon takes a peer in.
public struct Welcome: Word, Equatable {
    public static let wireKind = WordKind.welcome

    public let version: UInt16
    public let mode: DeviceMode

    public init(version: UInt16 = WireLimit.version, mode: DeviceMode) { (self.version, self.mode) = (version, mode) }

    public func encode(to encoder: inout Encoder) { encoder.put(version, mode) }
    public init(from decoder: inout Decoder) throws(Refusal) {
        self.init(version: try decoder.value(), mode: try decoder.value())
    }
}

/// The daemon says why it closes the connection.
extension Refusal: Word, WireChoice { public static let wireKind = WordKind.refused }

/// What was asked is done.
public struct Done: BareWord {
    public static let wireKind = WordKind.done
    public init() {}
}

/// Yes or no.
public struct Flag: Word {
    public static let wireKind = WordKind.flag

    public let value: Bool

    public init(_ value: Bool) { self.value = value }
    public func encode(to encoder: inout Encoder) { encoder.put(value) }
    public init(from decoder: inout Decoder) throws(Refusal) { value = try decoder.value() }
}
