import CThumbLinux
import ThumbSystem

/// A program that holds the clipboard's contents. It reads them from standard input, goes on in the background, and ends as soon as another
/// program takes the clipboard.
enum ClipboardTool: String, Sendable, CaseIterable {
    case wlCopy = "wl-copy"
    case xclip, xsel

    /// The one for this session. Fails if there is no session, or none that is installed speaks to it.
    static func chosen() throws(Failure) -> ClipboardTool {
        let (isWayland, isX11) = (isSet("WAYLAND_DISPLAY"), isSet("DISPLAY"))
        if isWayland, wlCopy.isInstalled { return wlCopy }
        // A Wayland session mostly has an X server too.
        if isX11, let tool = [xclip, xsel].first(where: \.isInstalled) { return tool }
        throw .secret(isWayland ? .noClipboardTool("wl-clipboard") : isX11 ? .noClipboardTool("xclip or xsel") : .noDisplay)
    }

    /// The command line by which it takes the clipboard.
    var words: [String] {
        switch self {
        // Otherwise it has another program look what the text may be.
        case .wlCopy: [rawValue, "--type", "text/plain"]
        case .xclip: [rawValue, "-selection", "clipboard", "-in"]
        case .xsel: [rawValue, "--clipboard", "--input"]
        }
    }

    /// Whether it keeps the contents in a file below `$TMPDIR`.
    var keepsFile: Bool { self == .wlCopy }

    /// The command line by which it lets go of the clipboard and removes that file; nil if it is ended instead.
    var clearingWords: [String]? { self == .wlCopy ? [rawValue, "--clear"] : nil }

    private var isInstalled: Bool { ProgramPath.found(rawValue) != nil }

    private static func isSet(_ variable: String) -> Bool {
        unsafe getenv(variable).map { unsafe $0.pointee != 0 } ?? false
    }
}
