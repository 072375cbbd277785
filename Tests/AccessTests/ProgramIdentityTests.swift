import Testing

@testable import ThumbAccess

@Suite("A program's identity")
struct ProgramIdentityTests {
    private static let digest = [UInt8](repeating: 0xa1, count: 32)
    private static let shown = String(repeating: "a1", count: 32)

    private static func file(
        _ path: ExactName, _ place: ProgramPlace = .system, digest: [UInt8] = [], isName: Bool = true
    ) -> PeerFacts.File {
        PeerFacts.File(path: path, place: place, stamp: [1], isName: isName, digest: digest)
    }

    private func identity(
        _ file: PeerFacts.File?, _ run: PeerFacts.Run? = nil, _ confinement: PeerFacts.Confinement = .none
    ) -> ExactName? {
        ProgramIdentity.of(PeerFacts(file: file, confinement: confinement, run: run))
    }

    @Test("each of the page's forms")
    func forms() {
        let python = Self.file("/usr/bin/python3.11")
        let own = Self.file("/home/ada/a.py", .changeable, digest: Self.digest)
        let sum = Self.shown
        #expect(identity(Self.file("/usr/bin/vault")) == "/usr/bin/vault")
        #expect(identity(own)?.text == "/home/ada/a.py sha256:\(sum)")
        #expect(identity(python, .script(own))?.text == "/usr/bin/python3.11 /home/ada/a.py sha256:\(sum)")
        #expect(identity(python, .script(Self.file("/usr/bin/meld"))) == "/usr/bin/python3.11 /usr/bin/meld")
        #expect(identity(python, .text(digest: Self.digest))?.text == "/usr/bin/python3.11 text sha256:\(sum)")
        #expect(identity(python, .module("keyring")) == "/usr/bin/python3.11 module keyring")
        #expect(identity(python, .interactive) == "/usr/bin/python3.11 interactive")
        let env = Self.file("/home/ada/venv/bin/python3", .changeable, digest: Self.digest)
        #expect(identity(env, .script(own))?.text == "/home/ada/venv/bin/python3 sha256:\(sum) /home/ada/a.py sha256:\(sum)")
        #expect(ProgramIdentity.of("/usr/bin/secret-tool", for: "/usr/bin/git") == "/usr/bin/secret-tool for /usr/bin/git")
        #expect(identity(python, nil, .sandbox(.flatpak("org.example.App"))) == "flatpak:org.example.App")
        #expect(identity(nil, nil, .sandbox(.snap("example"))) == "snap:example")
    }

    @Test("a program that can't be told from another has none")
    func none() {
        let python = Self.file("/usr/bin/python3.11")
        #expect(identity(nil) == nil && identity(Self.file("/usr/bin/vault"), nil, .unnamed) == nil)
        for place in [ProgramPlace.gone, .elsewhere, .unseen] {
            #expect(identity(Self.file("/usr/bin/vault", place, digest: Self.digest)) == nil)
            #expect(identity(python, .script(Self.file("/home/ada/a.py", place, digest: Self.digest))) == nil)
        }
        #expect(identity(Self.file("/usr/bin/vault", isName: false)) == nil)
        #expect(identity(python, .unknown) == nil && identity(python) == nil)
        // No digest, as for a file that is too large, or one of another length.
        #expect(identity(Self.file("/home/ada/a", .changeable)) == nil)
        #expect(identity(Self.file("/home/ada/a", .changeable, digest: [1])) == nil)
        #expect(
            identity(python, .text(digest: [])) == nil
                && identity(python, .script(Self.file("/home/ada/a.py", .changeable))) == nil)
        for module in ["", "a b", "a/b", "a for /usr/bin/x", "ä", String(repeating: "m", count: 256)] {
            #expect(identity(python, .module(ExactName(module))) == nil, "\(module)")
        }
        #expect(identity(python, .module(ExactName(String(repeating: "m", count: 255)))) != nil)
    }

    @Test("a path that reads like two parts of an identity has none, and one with other blanks has")
    func separators() {
        for path in [
            "/home/eve/python3 /home/ada/a.py", "/home/eve/x sha256:a1", "/home/eve/x for /usr/bin/git", "/home/eve/x  /y",
        ] {
            #expect(identity(Self.file(ExactName(path), .changeable, digest: Self.digest)) == nil, "\(path)")
            #expect(identity(Self.file(ExactName(path))) == nil, "\(path)")
        }
        for path in ["/home/ada/My Apps/app", "/home/ada/notes for school/x", "/opt/a module b/c", "/opt/ x"] {
            #expect(identity(Self.file(ExactName(path), .changeable, digest: Self.digest)) != nil, "\(path)")
        }
    }

    @Test("a tool is known by its file's or its script's name")
    func tools() {
        for name in [
            "secret-tool", "lssecret", "kwallet-query", "keyring", "git-credential-libsecret", "docker-credential-secretservice",
            "pinentry-gnome3", "pinentry",
        ] {
            #expect(ReaderTools.isTool(PeerFacts(file: Self.file(ExactName("/usr/bin/" + name)), confinement: .none)), "\(name)")
        }
        let keyring = PeerFacts(
            file: Self.file("/usr/bin/python3.11"), confinement: .none, run: .script(Self.file("/usr/bin/keyring")))
        #expect(ReaderTools.isTool(keyring))
        for name in ["git", "docker", "secret-tools", "chromium", "pinentryx"] {
            #expect(!ReaderTools.isTool(PeerFacts(file: Self.file(ExactName("/usr/bin/" + name)), confinement: .none)), "\(name)")
        }
        #expect(!ReaderTools.isTool(PeerFacts(file: nil, confinement: .none)))
    }

    private func above(_ path: String, _ run: PeerFacts.Run? = nil, _ place: ProgramPlace = .system) -> ReaderTools.Above {
        ReaderTools.above(PeerFacts(file: Self.file(ExactName(path), place), confinement: .none, run: run))
    }

    @Test("above a tool a program speaks; wrappers, shells without a script and tools pass it on; a session ends it")
    func above() {
        #expect(above("/usr/bin/git") == .says && above("/usr/bin/python3.11", .interactive) == .says)
        #expect(above("/usr/bin/bash", .script(Self.file("/home/ada/x"))) == .says && above("/usr/bin/bash", .unknown) == .says)
        #expect(above("/usr/bin/bash", .interactive) == .passes && above("/usr/bin/dash", .text(digest: Self.digest)) == .passes)
        #expect(above("/usr/bin/timeout") == .passes && above("/usr/bin/secret-tool") == .passes)
        #expect(above("/usr/lib/systemd/systemd") == .ends)
        // Anybody can call a program of theirs so.
        #expect(above("/home/eve/systemd", nil, .changeable) == .says)
        #expect(ReaderTools.above(PeerFacts(file: nil, confinement: .none)) == .says)
        let app = PeerFacts(file: Self.file("/usr/bin/bash"), confinement: .sandbox(.snap("a")), run: .interactive)
        #expect(ReaderTools.above(app) == .says)
    }

    @Test(
        "whatever is typed in a shell is no program that could speak, and its script is one",
        arguments: ["ash", "bash", "busybox", "dash", "fish", "ksh", "ksh93", "sh", "zsh", "zsh5"])
    func shells(name: String) {
        let path = "/usr/bin/" + name
        #expect(above(path, .interactive) == .passes && above(path, .text(digest: Self.digest)) == .passes)
        #expect(above(path, .script(Self.file("/home/ada/x"))) == .says && above(path, .unknown) == .says)
    }

    @Test("each wrapper passes it on, also one that its user can change: it has no will of its own")
    func wrappers() {
        for name in [
            "bwrap", "capsh", "chroot", "chrt", "dbus-launch", "dbus-run-session", "env", "firejail", "flock", "gdb", "ionice",
            "lldb", "ltrace", "nice", "nohup", "nsenter", "parallel", "prlimit", "run-parts", "screen", "script", "setarch",
            "setpriv", "setsid", "sshpass", "start-stop-daemon", "stdbuf", "strace", "systemd-run", "taskset", "time", "timeout",
            "tmux", "toybox", "unshare", "valgrind", "watch", "xargs",
        ] {
            #expect(above("/usr/bin/" + name) == .passes && above("/home/ada/" + name, nil, .changeable) == .passes, "\(name)")
        }
    }

    @Test("each of the system's programs that hold a session ends it: all of a user's programs are below one")
    func sessions() {
        for name in [
            "agetty", "cinnamon-session", "dbus-broker", "dbus-broker-launch", "dbus-daemon", "gdm-wayland-session",
            "gdm-x-session", "gnome-session-binary", "gnome-session-service", "init", "ksmserver", "lightdm", "login",
            "lxqt-session", "lxsession", "mate-session", "plasma_session", "runuser", "sddm-helper", "sshd", "sshd-auth",
            "sshd-session", "startplasma-wayland", "startplasma-x11", "su", "systemd", "systemd-executor", "xfce4-session",
            "xinit",
        ] {
            #expect(above("/usr/bin/" + name) == .ends && above("/home/eve/" + name, nil, .changeable) == .says, "\(name)")
        }
    }
}
