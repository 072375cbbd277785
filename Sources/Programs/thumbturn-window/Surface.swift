import CThumbGTK
import ThumbAccess
import ThumbLoop

/// What the windows are drawn on, in the form that a prompt's hello uses.
enum Surface {
    /// nil if that can't be found out. Then no touch counts for these windows.
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

    /// The process that serves the compositor's socket, according to the kernel.
    private static func compositor(at name: String) -> Int32? {
        let path = name.hasPrefix("/") ? name : (Environment.value("XDG_RUNTIME_DIR") ?? "") + "/" + name
        guard case .success(let fd) = UnixSocket.connect(to: path) else { return nil }
        defer { UnixSocket.close(fd) }
        return UnixSocket.peer(of: fd)?.pid
    }
}
