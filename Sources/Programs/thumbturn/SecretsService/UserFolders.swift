import CThumbLinux

/// The folders in which a user's desktop looks before it looks in the system's.
struct UserFolders: Sendable {
    let data: String
    let config: String
    /// Where the system has what a user has in `data` and in `config`.
    let systemData: [String]
    let systemConfig: [String]

    /// nil if the environment names no home.
    init?() {
        func variable(_ name: String) -> String? {
            guard let value = unsafe getenv(name) else { return nil }
            let text = unsafe String(cString: value)
            // The record of what was changed has a line for each path.
            return text.hasPrefix("/") && !text.utf8.contains { $0 < 0x20 } ? text : nil
        }
        func list(_ name: String, _ usual: [String]) -> [String] {
            guard let value = unsafe getenv(name) else { return usual }
            return unsafe String(cString: value).split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        }
        guard let home = variable("HOME") else { return nil }
        data = variable("XDG_DATA_HOME") ?? home + "/.local/share"
        config = variable("XDG_CONFIG_HOME") ?? home + "/.config"
        systemData = list("XDG_DATA_DIRS", ["/usr/local/share", "/usr/share"])
        systemConfig = list("XDG_CONFIG_DIRS", ["/etc/xdg"])
    }

    /// The user's file by which the session bus starts a program for a name. The bus prefers it to the system's.
    func activation(_ name: String) -> String { "\(data)/dbus-1/services/\(name).service" }

    /// The first of the user's and the system's files for a name, in the order of the bus.
    func activationFile(_ name: String) -> String? {
        ([data] + systemData).map { "\($0)/dbus-1/services/\(name).service" }.first { unsafe access($0, F_OK) == 0 }
    }

    func autostart(_ name: String) -> String { "\(config)/autostart/\(name)" }

    func unit(_ name: String) -> String { "\(config)/systemd/user/\(name)" }

    /// Whether the system has a unit of that name for users' own managers.
    static func hasUnit(_ name: String) -> Bool {
        ["/etc", "/usr/local/lib", "/usr/lib"].contains { unsafe access("\($0)/systemd/user/\(name)", F_OK) == 0 }
    }
}
