import LocalAuthentication

/// A picture of a sensor, for a button or a settings page.
///
/// Show the desktop's own icon where its theme has one, and our drawing where it hasn't. Beside it stand the words of `Texts`: not everybody
/// knows the picture.
public struct SensorSymbol: Sendable, Hashable {
    /// The icon's name in the desktop's theme, for `gtk_image_new_from_icon_name` or `QIcon::fromTheme`. A theme may lack it.
    public let iconName: String
    /// The same as a drawing of our own: an SVG document, 24 by 24, in lines of the colour `currentColor`.
    public let svg: String

    /// The symbol of a sensor. nil is the passcode, for a device without one.
    public init(_ sensor: Sensor?) {
        switch sensor {
        case .touchID?: (iconName, svg) = ("auth-fingerprint-symbolic", Self.drawing(Self.finger))
        case .faceID?: (iconName, svg) = ("auth-face-symbolic", Self.drawing(Self.face))
        // No theme has an iris; most have an eye.
        case .opticID?: (iconName, svg) = ("view-reveal-symbolic", Self.drawing(Self.eye))
        case nil: (iconName, svg) = ("dialog-password-symbolic", Self.drawing(Self.padlock))
        }
    }

    /// The drawing in a colour, such as `#3584e4`, for whoever draws it without knowing `currentColor`.
    public func svg(in color: String) -> String { svg.replacingOccurrences(of: "currentColor", with: color) }

    // MARK: The drawings, each in lines from the top left corner of a square of 24

    private static func drawing(_ lines: String) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" \
        stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"><path d="\(lines)"/></svg>
        """
    }

    private static let finger = """
        M12 11.6v6.8M9.1 20.6v-9a2.9 2.9 0 0 1 5.8 0v7.6M6.2 18.6v-7a5.8 5.8 0 0 1 9.9-4.1M17.3 9.1a5.8 5.8 0 0 1 .5 2.5v6.8\
        M3.3 15v-3.4a8.7 8.7 0 0 1 17.4 0v3.4
        """
    private static let face = """
        M2.5 6.5v-4h4M17.5 2.5h4v4M21.5 17.5v4h-4M6.5 21.5h-4v-4M8.5 8.5v2M15.5 8.5v2M12.5 9v4h-1.2M8.5 15.6a5 5 0 0 0 7 0
        """
    private static let eye = """
        M1.8 12C5.5 5.4 18.5 5.4 22.2 12C18.5 18.6 5.5 18.6 1.8 12zM12 7.6a4.4 4.4 0 1 1 0 8.8a4.4 4.4 0 1 1 0-8.8z\
        M12 10.8a1.2 1.2 0 1 1 0 2.4a1.2 1.2 0 1 1 0-2.4z
        """
    private static let padlock = """
        M5.5 10.8h13v10h-13zM7.8 10.8v-3.4a4.2 4.2 0 0 1 8.4 0v3.4M12 14.6a.9.9 0 1 1 0 1.8a.9.9 0 1 1 0-1.8M12 16.4v1.6
        """
}

extension BiometrySupport {
    /// The symbol of the sensor that the device has, usable or not; the passcode's, if it has none or that isn't known.
    public var symbol: SensorSymbol { SensorSymbol(sensor) }
}
