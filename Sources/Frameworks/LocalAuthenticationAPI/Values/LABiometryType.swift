package import ThumbAccess

/// The kind of sensor a device has.
public enum LABiometryType: Int, Sendable, BitwiseCopyable {
    /// No sensor.
    case none = 0
    /// A fingerprint reader.
    case touchID = 1
    /// A camera that knows faces.
    case faceID = 2
    /// A camera that knows irises; no device here has one.
    case opticID = 4

    /// The old name of `none`.
    @available(*, deprecated, renamed: "none")
    public static var LABiometryNone: LABiometryType { .none }

    /// Converts the daemon's value for a kind.
    package init(_ kind: BiometryKind) {
        self =
            switch kind {
            case .none: .none
            case .touchID: .touchID
            case .faceID: .faceID
            }
    }
}
