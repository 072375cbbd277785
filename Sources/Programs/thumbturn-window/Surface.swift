import CThumbGTK
import ThumbAccess
import ThumbLoop

/// What the windows are drawn on, in the words of a prompt's hello.
enum Surface {
    /// nil where nobody can tell: then no touch counts under these windows.
    static func own() -> PromptSurface? {
        guard let name = unsafe thumb_display_name().map({ unsafe String(cString: $0) }),
            let kind = unsafe thumb_display_kind().map({ unsafe String(cString: $0) })
        else { return nil }
        switch kind {
        case "GdkX11Display": return .x11(display: name)
        case "GdkWaylandDisplay": return compositor(at: name).map { .wayland(compositor: $0) }
        default: return nil
        }
    }

    /// The process behind the compositor's socket, as the kernel names it.
    private static func compositor(at name: String) -> Int32? {
        let path = name.hasPrefix("/") ? name : (Environment.value("XDG_RUNTIME_DIR") ?? "") + "/" + name
        guard case .success(let fd) = UnixSocket.connect(to: path) else { return nil }
        defer { UnixSocket.close(fd) }
        return UnixSocket.peer(of: fd)?.pid
    }
}
