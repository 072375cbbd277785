import Testing
import ThumbAccess

@Suite("What is shown of a program") struct ProgramWordsTests {
    private func shown(_ path: String, _ limit: Int = SafePath.limit) -> String {
        SafePath(ExactName(path), limit: limit).description
    }

    @Test("A path of 120 characters is shown whole, and one of 121 loses its middle")
    func limit() {
        let path = "/" + String(repeating: "a", count: 59) + "/" + String(repeating: "b", count: 59)
        #expect(path.count == 120 && shown(path) == path)
        let longer = shown(path + "b")
        #expect(longer != path + "b" && longer.contains("…") && longer.unicodeScalars.count <= 120)
    }

    @Test("A path that is cut keeps its first folders and its file's name, so that whose it is stays to be seen")
    func middle() {
        let deep = "/home/eve/" + (0..<40).map { "folder\($0)/" }.joined() + "thumbturn"
        #expect(shown(deep).hasPrefix("/home/eve/folder0/") && shown(deep).hasSuffix("/…/thumbturn"))
        #expect(shown("/home/eve/" + String(repeating: "x", count: 300) + "/usr/bin/thumbturn").hasPrefix("/home/eve/…/"))
        #expect(shown(String(repeating: "/", count: 400) + "x").unicodeScalars.count <= 120)
    }

    @Test("A name that is too long keeps both its ends")
    func longName() {
        let name = "thumbturn" + String(repeating: " ", count: 300) + ".evil"
        let cut = shown("/home/eve/" + name)
        #expect(cut.hasPrefix("/home/eve/thumbturn") && cut.hasSuffix(".evil") && cut.unicodeScalars.count <= 120)
        for limit in 10...130 { #expect(shown("/home/eve/" + name, limit).unicodeScalars.count <= limit) }
    }

    @Test("A path's control characters, overrides and line ends are shown as what they are: nothing that acts")
    func controls() {
        #expect(shown("/a/\u{1b}[2J\u{202e}b\nc\u{0}") == "/a/\u{fffd}[2J\u{fffd}b c\u{fffd}")
    }

    @Test("In a sentence of the daemon's a program is its proven name, its path, or a process that hides, and never its claim")
    func sentence() {
        #expect(ProgramWords(kind: .protected, name: "vault", path: "/usr/bin/vault", claim: "bank").inWords == "vault")
        #expect(ProgramWords(path: "/home/eve/thumbturn", claim: "thumbturn").inWords == "/home/eve/thumbturn")
        #expect(ProgramWords(claim: "thumbturn", process: 12).inWords == "a program that hides itself (process 12)")
    }

    @Test("An interpreter is called by the script that it runs and by its own path; without a script it has its path alone")
    func sentenceOfScript() {
        let python: ExactName = "/usr/bin/python3.11"
        #expect(
            ProgramWords(path: python, runs: .named("/home/ada/a.py")).inWords == "/home/ada/a.py, run by /usr/bin/python3.11")
        #expect(ProgramWords(path: python, runs: .commands).inWords == "/usr/bin/python3.11")
    }

    @Test("What an interpreter runs is said as far as it is known")
    func runs() {
        func said(_ run: PeerFacts.Run?) -> ProgramWords.Runs? {
            let python = PeerFacts.File(path: "/usr/bin/python3.11", place: .system, stamp: [1], isName: true)
            return PeerFacts(file: python, confinement: .none, run: run).words(process: 1).runs
        }
        #expect(said(.module("keyring")) == .named("keyring"))
        #expect(said(.text(digest: [1])) == .commands && said(.interactive) == .commands)
        #expect(said(.unknown) == nil && said(nil) == nil)
    }

    @Test("What is said of an interpreter's place is the worse of its own and its script's", arguments: ProgramPlace.allCases)
    func places(_ place: ProgramPlace) {
        func found(_ program: ProgramPlace, _ script: ProgramPlace) -> ProgramPlace {
            let python = PeerFacts.File(path: "/venv/bin/python3", place: program, stamp: [1], isName: true)
            let file = PeerFacts.File(path: "/usr/bin/meld", place: script, stamp: [2], isName: true)
            return PeerFacts(file: python, confinement: .none, run: .script(file)).words(process: 1).place
        }
        // Whoever can change either of the two decides what runs.
        #expect(found(place, .system) == place && found(.system, place) == place)
    }

    @Test("In quotation marks a path or a name can't end its quotation, and a program that hides isn't quoted")
    func quoted() {
        #expect(ProgramWords(path: "/home/eve/x’ and ‘y").quoted == "‘/home/eve/x' and 'y’")
        #expect(ProgramWords(kind: .sandboxed, name: "a’b", path: "/usr/bin/app").quoted == "‘a'b’")
        #expect(ProgramWords(process: 12).quoted == "a program that hides itself (process 12)")
    }

    @Test("Its short name is what is proven, else its file's name, and never its claim")
    func short() {
        #expect(ProgramWords(name: "vault", path: "/usr/bin/other", claim: "bank").shortName == "vault")
        #expect(ProgramWords(path: "/usr/bin/other", claim: "bank").shortName == "other")
        #expect(ProgramWords(claim: "bank").shortName == "")
    }

    @Test("A file that runs other files is known by its name, whatever version follows it")
    func interpreters() {
        for file in [
            "python", "python3.11", "perl5.36.0", "wine64", "ruby-3.1", "bash", "ld-linux-x86-64.so.2", "qemu-arm",
            "ld-musl-x86_64.so.1", "ld-2.31.so", "luajit-2.1.0-beta3", "mono-sgen", "php-cgi8.2", "wine64-preloader", "beam.smp",
            "ocamlrun", "pypy3-c", "tcsh", "mksh", "sh", "dash", "zsh", "ksh", "ksh93", "fish", "csh", "yash", "busybox", "nu",
            "pwsh", "node", "nodejs", "deno", "bun", "electron", "gjs", "gjs-console", "java", "dotnet", "mono", "php8.2",
            "lua5.4", "luajit", "tclsh8.6", "wish8.6", "expect", "mawk", "guile", "racket", "sbcl", "ocaml", "runghc", "julia",
            "R", "Rscript", "irb", "box64", "box86", "ld.so",
        ] {
            #expect(ProgramWords(path: ExactName("/usr/bin/" + file)).isInterpreter, "\(file)")
        }
        for file in ["vault", "pythonista", "bash-helper", "3", "notpython3", "sh.txt"] {
            #expect(!ProgramWords(path: ExactName("/usr/bin/" + file)).isInterpreter, "\(file)")
        }
        // The folder says nothing, nor does a program without a path.
        #expect(!ProgramWords(path: "/usr/lib/python3/vault").isInterpreter && !ProgramWords(name: "python").isInterpreter)
    }

    @Test("A program that runs any other is known by its name: what runs scripts, and what starts or traces programs")
    func runsAnything() {
        for file in [
            "env", "python3.11", "bash", "busybox", "xargs", "sudo", "gdb", "vim.basic", "ld-linux-x86-64.so.2", "qemu-arm",
            // What runs a program as somebody else, or somewhere else.
            "su", "doas", "pkexec", "runuser", "setpriv", "capsh", "chroot", "nsenter", "unshare", "bwrap", "firejail", "flatpak",
            "ssh", "sshpass", "setarch",
            // What runs one later, elsewhere on the machine, or again and again.
            "systemd-run", "start-stop-daemon", "setsid", "nohup", "nice", "ionice", "chrt", "taskset", "prlimit", "stdbuf",
            "time", "timeout", "flock", "watch", "parallel", "run-parts", "script", "screen", "tmux", "dbus-launch",
            "dbus-run-session", "toybox", "ld",
            // What looks into one while it runs.
            "lldb", "strace", "ltrace", "valgrind",
            // What has a command or an option for it.
            "find", "git", "make", "tar", "man", "less", "more", "awk", "gawk", "nawk", "sed", "ed", "vi", "view", "vim", "nvim",
            "emacs",
        ] {
            #expect(ProgramWords.runsAnything(ExactName("/usr/bin/" + file)), "\(file)")
        }
        for path: ExactName in ["/usr/bin/vault", "/usr/bin/environment", "/usr/bin/git-vault", "/opt/env/vault", "/", ""] {
            #expect(!ProgramWords.runsAnything(path), "\(path)")
        }
    }
}
