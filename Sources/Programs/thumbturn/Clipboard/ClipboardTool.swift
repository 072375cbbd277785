import CThumbLinux
import ThumbSystem

/// A program that holds the clipboard's contents. It reads them from standard input, goes on in the background, and ends as soon as another
/// program takes the clipboard.
enum ClipboardTool: String, Sendable, CaseIterable {
    case wlCopy = "wl-copy"
    case xclip, xsel

    /// The one for this session. Fails if there is no session, or none that is installed speaks to it and keeps the secret off the disk.
    static func chosen() throws(Failure) -> ClipboardTool {
        let (isWayland, isX11) = (isSet("WAYLAND_DISPLAY"), isSet("DISPLAY"))
        let path = isWayland ? ProgramPath.found(wlCopy.rawValue) : nil
        if let path, staysInMemory(path) { return wlCopy }
        // A Wayland session mostly has an X server too.
        if isX11, let tool = [xclip, xsel].first(where: \.isInstalled) { return tool }
        if path != nil { throw .secret(.clipboardOnDisk(hasX11: isX11)) }
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

    /// Whether it keeps the contents in a file, which is below `$TMPDIR` if it obeys that.
    var keepsFile: Bool { self == .wlCopy }

    /// The command line by which it lets go of the clipboard and removes that file; nil if it is ended instead.
    var clearingWords: [String]? { self == .wlCopy ? [rawValue, "--clear"] : nil }

    /// Whether the file of this wl-copy would be in memory. Up to version 2.2.1 it is below /tmp, whatever `$TMPDIR` says. A program that obeys
    /// the variable has to name it.
    private static func staysInMemory(_ path: String) -> Bool {
        if MemoryFolder.isInMemory(usualFolder) { return true }
        guard let program = Transfer.file(path, atMost: mostProgramBytes) else { return false }
        let name = Array("TMPDIR".utf8)
        return program.indices.contains { program[$0] == name[0] && program[$0...].starts(with: name) }
    }

    /// Where a wl-copy that doesn't obey `$TMPDIR` has its file.
    private static let usualFolder = "/tmp"
    /// The real one has less than a tenth of that.
    private static let mostProgramBytes = 1 << 20

    private var isInstalled: Bool { ProgramPath.found(rawValue) != nil }

    private static func isSet(_ variable: String) -> Bool {
        unsafe getenv(variable).map { unsafe $0.pointee != 0 } ?? false
    }
}
