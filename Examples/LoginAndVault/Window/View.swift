import Thumbturn
import VaultScreens

/// Everything that the window shows. A value, because it is made on the main actor and drawn on GTK's thread.
struct View: Sendable, Equatable {
    var heading: String
    var explanation: String?
    /// The sensor's picture, and the words of its button; no words, no button.
    var symbol: SensorSymbol
    var symbolName: String
    var sensor: String?
    /// What the device waits for. Meanwhile no button does anything.
    var waiting: String?
    var offersPasscode = false
    var offersPassword = false
    /// Whether the field for the password is there, and whether it can be typed into now.
    var hasEntry = false
    var entryIsOpen = false
    var notes: [String] = []
    var note: String?
    var remark: String?

    @MainActor init(_ screens: Screens) {
        let support = screens.support
        symbol = support.symbol
        symbolName = screens.texts.name(support.sensor)
        remark = screens.remark
        switch screens.place {
        case .login:
            heading = "Vault · locked"
            explanation = screens.explanation.joined(separator: "\n")
            // While the device asks, the button stays where it was.
            waiting = screens.asking
            sensor = screens.mayUseSensor || waiting != nil && support.isAvailable ? screens.texts.loginTitle(support) : nil
            offersPasscode = screens.mayGivePasscode
            offersPassword = true
        case .password:
            heading = "Vault · password"
            hasEntry = true
            let seconds = screens.passwordWait
            entryIsOpen = seconds == 0
            if seconds > 0 { remark = "Too many wrong passwords. You can try again in \(seconds) s." }
        case .vault:
            heading = "Vault · open"
            notes = AccountServer.titles
            note = screens.note.map { "\($0.title): \($0.text)" }
        }
    }
}
