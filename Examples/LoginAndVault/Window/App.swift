import Thumbturn
import VaultScreens

/// The screens in a window.
@MainActor final class App {
    /// The vault stays open for a minute while another window is in front. Minimizing this one locks it at once.
    private let screens = Screens(expiry: 60)
    private let window = VaultWindow()
    private var counting: Task<Void, Never>?

    func run() async {
        screens.changed = { [unowned self] in show() }
        show()
        for await event in window.events {
            if case .closed = event { return }
            take(event)
        }
    }

    private func take(_ event: Event) {
        switch event {
        // What asks takes as long as a person does. Until then other things happen.
        case .sensor: Task { await screens.unlock() }
        case .passcode: Task { await screens.givePasscode() }
        case .active: Task { await screens.comeBack() }
        case .inactive: screens.loseFront()
        case .minimized: screens.putAside()
        case .password: screens.startPassword()
        case .back: screens.leavePassword()
        case .logIn(let password): if !password.isEmpty { screens.logIn(password) }
        case .note(let number): screens.open(number)
        case .lock: screens.lockNow()
        case .closed: break
        }
    }

    private func show() {
        window.show(View(screens))
        guard screens.passwordWait > 0, counting == nil else { return }
        counting = Task {
            while screens.passwordWait > 0 {
                try? await Task.sleep(for: .milliseconds(200))
                window.show(View(screens))
            }
            counting = nil
            // Its seconds are over, and so is what it was about.
            if screens.place == .password { screens.startPassword() }
        }
    }
}
