import CThumbGTK
import CThumbLinux
import ThumbAccess
import ThumbPrompting

/// The open windows, and how long the program lives because of them.
@safe final class Desk {
    private let texts: PromptTexts
    private let loop = unsafe g_main_loop_new(nil, 0)
    private var windows: [PromptWindow] = []
    private(set) var status: Int32 = 0
    /// Called when the last window is gone.
    var onEmpty: () -> Void = {}

    /// nil if there is no display.
    init?(_ texts: PromptTexts) {
        // The name that window managers and screen readers give the program.
        unsafe g_set_prgname("thumbturn-window")
        unsafe g_set_application_name("Thumbturn")
        guard gtk_init_check() != 0 else { return nil }
        self.texts = texts
        Style.apply()
    }

    var isEmpty: Bool { windows.isEmpty }

    /// Takes the ticket to the daemon, and shows what the daemon says on this prompt's turn. Returns false if the ticket isn't good.
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
