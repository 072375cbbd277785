import CThumbGTK
import CThumbLinux
import ThumbAccess
import ThumbPrompting

/// The windows that stand, and the program's life around them.
@safe final class Desk {
    private let texts: PromptTexts
    private let loop = unsafe g_main_loop_new(nil, 0)
    private var windows: [PromptWindow] = []
    private(set) var status: Int32 = 0
    /// Called when the last window has gone.
    var onEmpty: () -> Void = {}

    /// nil where there is no display.
    init?(_ texts: PromptTexts) {
        // What a window manager and a screen reader call the program.
        unsafe g_set_prgname("thumbturn-window")
        unsafe g_set_application_name("Thumbturn")
        guard gtk_init_check() != 0 else { return nil }
        self.texts = texts
        Style.apply()
    }

    var isEmpty: Bool { windows.isEmpty }

    /// Goes to the daemon with the ticket, and shows what it says when the turn has come; false where the ticket isn't good.
    func show(_ ticket: Ticket) -> Bool {
        guard let link = Link(ticket, surface: Surface.own()) else { return false }
        let window = PromptWindow(link, texts) { [unowned self] window, status in
            self.status = status
            windows.removeAll { $0 === window }
            if windows.isEmpty { onEmpty() }
        }
        guard let window else { return false }
        windows.append(window)
        return true
    }

    func run() { unsafe g_main_loop_run(loop) }

    func quit() { unsafe g_main_loop_quit(loop) }
}
