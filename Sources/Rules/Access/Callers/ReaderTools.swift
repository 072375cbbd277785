/// Programs that say less about who wants a secret than the program that started them.
public enum ReaderTools {
    /// Tools that others start to reach their secrets. Each prints a secret, or uses it, for whoever starts it. So a yes for the tool would
    /// be a yes for every program.
    private static let tools: Set<String> = [
        // Print any secret that matches.
        "secret-tool", "lssecret", "kwallet-query",
        // The command of Python's keyring, a script.
        "keyring",
    ]

    /// The beginnings of such tools' names: what git and docker start to get a password, and GnuPG's prompt, which hands out a kept
    /// passphrase without showing anything.
    private static let families = ["git-credential-", "docker-credential-", "pinentry-"]

    /// Programs that run another one, with no will of their own, and stay above it.
    private static let wrappers: Set<String> = [
        "bwrap", "capsh", "chroot", "chrt", "dbus-launch", "dbus-run-session", "env", "firejail", "flock", "gdb", "ionice",
        "lldb",
        "ltrace", "nice", "nohup", "nsenter", "parallel", "prlimit", "run-parts", "screen", "script", "setarch", "setpriv",
        "setsid",
        "sshpass", "start-stop-daemon", "stdbuf", "strace", "systemd-run", "taskset", "time", "timeout", "tmux", "toybox",
        "unshare",
        "valgrind", "watch", "xargs",
    ]

    /// Programs that hold a session. Everything in it is below them.
    private static let sessions: Set<String> = [
        "agetty", "cinnamon-session", "dbus-broker", "dbus-broker-launch", "dbus-daemon", "gdm-wayland-session", "gdm-x-session",
        "gnome-session-binary", "gnome-session-service", "init", "ksmserver", "lightdm", "login", "lxqt-session", "lxsession",
        "mate-session", "plasma_session", "runuser", "sddm-helper", "sshd", "sshd-auth", "sshd-session", "startplasma-wayland",
        "startplasma-x11", "su", "systemd", "systemd-executor", "xfce4-session", "xinit",
    ]

    private static let shells: Set<String> = ["ash", "bash", "busybox", "dash", "fish", "ksh", "sh", "zsh"]

    /// Whether the program is such a tool, by its script's name or its file's.
    public static func isTool(_ facts: PeerFacts) -> Bool {
        guard let name = name(of: facts) else { return false }
        return tools.contains(name) || name == "pinentry" || families.contains(where: name.hasPrefix)
    }

    /// What a process above a tool says about who wants the secret.
    public enum Above: Sendable, Hashable {
        /// It is the one.
        case says
        /// The process above it says more.
        case passes
        /// Nobody above it says anything.
        case ends
    }

    /// What a process with these facts says about who started a tool below it.
    public static func above(_ facts: PeerFacts) -> Above {
        // In a sandbox the app is known by its own name.
        guard case .none = facts.confinement, let path = facts.file?.path, let file = path.lastComponent else { return .says }
        if isTool(facts) { return .passes }
        if wrappers.contains(file) { return .passes }
        if facts.file?.place == .system, sessions.contains(file) { return .ends }
        guard shells.contains(ProgramWords.interpreter(file)) else { return .says }
        switch facts.run {
        case .script?, .unknown?, .module?: return .says
        case .text?, .interactive?, nil: return .passes
        }
    }

    /// The name of what runs: a script's name, or else the file's; nil if that can't be seen.
    public static func name(of facts: PeerFacts) -> String? {
        if case .script(let script)? = facts.run { return script.path.lastComponent }
        return facts.file?.path.lastComponent
    }
}
