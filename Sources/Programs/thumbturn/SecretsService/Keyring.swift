import CThumbLinux
import ThumbClient

/// A keyring of a desktop, as far as somebody who takes over from it has to know it.
enum Keyring: String, CaseIterable, Sendable {
    case gnome, kwallet, keepassxc, oo7

    /// The keyring with such a process; nil for one that we don't know. The kernel tells fifteen letters of a program's name.
    init?(process: String) {
        guard let keyring = Self.allCases.first(where: { $0.processes.contains { $0.prefix(15) == process } }) else { return nil }
        self = keyring
    }

    private var processes: [String] {
        switch self {
        case .gnome: ["gnome-keyring-daemon"]
        case .kwallet: ["kwalletd5", "kwalletd6", "ksecretd"]
        case .keepassxc: ["keepassxc"]
        case .oo7: ["oo7-daemon"]
        }
    }

    var name: String {
        switch self {
        case .gnome: "gnome-keyring"
        case .kwallet: "KWallet"
        case .keepassxc: "KeePassXC"
        case .oo7: "oo7"
        }
    }

    /// Whether a program may end it: nobody sees it, and it starts again by itself.
    var mayBeEnded: Bool {
        switch self {
        case .gnome, .kwallet, .oo7: true
        case .keepassxc: false
        }
    }

    /// The names of its own by which the bus starts it. The others are started by the Secret Service's name.
    var names: [String] {
        switch self {
        case .kwallet: ["org.kde.secretservicecompat", "org.kde.kwalletd6", "org.kde.kwalletd5"]
        case .gnome, .keepassxc, .oo7: []
        }
    }

    /// What keeps it from answering again.
    func changes(_ folders: UserFolders, _ installed: InstalledFiles) -> [Change] {
        switch self {
        case .gnome:
            // Its other names start it too, and its units start it with the session.
            ["org.gnome.keyring", "org.freedesktop.impl.portal.Secret"].filter { folders.activationFile($0) != nil }.map {
                .link(folders.activation($0), to: installed.file("\($0).service"))
            }
                + ["gnome-keyring-secrets.desktop"].filter { name in
                    folders.systemConfig.contains { unsafe access("\($0)/autostart/\(name)", F_OK) == 0 }
                }.map { .link(folders.autostart($0), to: installed.file($0)) }
                + masks(["gnome-keyring-daemon.socket", "gnome-keyring-daemon.service"], folders)
        case .kwallet: [.kwallet(folders.config + "/kwalletrc")]
        case .oo7: masks(["oo7-daemon.service"], folders)
        case .keepassxc: []
        }
    }

    private func masks(_ units: [String], _ folders: UserFolders) -> [Change] {
        units.filter(UserFolders.hasUnit).map { .link(folders.unit($0), to: Self.nothing) }
    }

    /// What systemd takes for a unit that must not start.
    static let nothing = "/dev/null"
    /// The units to stop when it is ended.
    var units: [String] {
        switch self {
        case .gnome: ["gnome-keyring-daemon.socket", "gnome-keyring-daemon.service"]
        case .oo7: ["oo7-daemon.service"]
        case .kwallet, .keepassxc: []
        }
    }
}

/// The files that `make install` and the packages put beside the provider, for users to link to. As links they do nothing any more once
/// Thumbturn is removed.
struct InstalledFiles: Sendable {
    static let provider = "thumbturn-secrets"
    let program: String

    init() throws(Failure) {
        guard let program = Installed.program(Self.provider) else { throw .programMissing(Self.provider, code: "noProvider") }
        self.program = program
    }

    func file(_ name: String) -> String { "\(folder)/takeover/\(name)" }

    private var folder: String { program.lastIndex(of: "/").map { String(program[..<$0]) } ?? "." }
}
