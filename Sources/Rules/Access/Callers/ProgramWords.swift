/// Where a program's file is. The numbers travel on the wire.
public enum ProgramPlace: UInt8, Sendable, Hashable, CaseIterable {
    /// Root owns the file and every folder above it, and nobody else can write any of them.
    case system = 1
    /// Somebody other than root can change the file, or a folder on the way to it.
    case changeable = 2
    /// The file was replaced or removed since the program began.
    case gone = 3
    /// Another file is at that path: the program was started in a view of the folders that isn't everybody's.
    case elsewhere = 4
    /// The daemon can't look there.
    case unseen = 5
}

extension PeerFacts {
    /// The program as a prompt shows it, as far as these facts tell.
    public func words(process: UInt32) -> ProgramWords {
        var words = ProgramWords(process: process)
        switch confinement {
        case .none:
            words.path = file?.path
            words.place = file?.place ?? .unseen
            switch run {
            case .script(let script)?:
                words.runs = .named(script.path)
                // What is said of the place is said of all that runs.
                if words.place == .system { words.place = script.place }
            case .module(let name)?: words.runs = .named(name)
            case .text?, .interactive?: words.runs = .commands
            case .unknown?, nil: break
            }
            if words.place == .system, run != nil, script == nil { words.place = .changeable }
        case .sandbox(let sandbox):
            words.kind = .sandboxed
            if case .program(let app, _) = GroupName.owner(of: GroupName.sandboxed(sandbox)) { words.name = ExactName(app) }
        case .unnamed: words.kind = .sandboxed
        }
        return words
    }
}

extension PeerFacts {
    /// The script that an interpreter runs.
    private var script: File? { if case .script(let script)? = run { script } else { nil } }
}

extension ProgramWords {
    /// The words for a program that root protected.
    public init(_ program: ProtectedProgram, process: UInt32) {
        self.init(kind: .protected, name: ExactName(program.name), path: program.path, place: .system, process: process)
    }
}

/// The program that asks, as the daemon found it. A prompt says nothing else about it.
///
/// What the program says about itself is a claim. It is shown as one, never in place of the program's name.
public struct ProgramWords: Sendable, Hashable {
    public var kind: CallerClass
    /// A name that proves more than a path: the one under which root protected it, or the sandbox's name for it.
    public var name: ExactName?
    /// The whole path of its file; nil if it hides that.
    public var path: ExactName?
    public var place: ProgramPlace
    /// What it calls itself: its bundle identifier.
    public var claim: ExactName?
    /// What it runs if it is an interpreter, and somebody knows.
    public var runs: Runs?
    /// The number of its process, for a program that has no other name.
    public var process: UInt32

    /// What an interpreter runs, as far as a prompt shows it.
    public enum Runs: Sendable, Hashable {
        /// A script by its path, or a module by its name.
        case named(ExactName)
        /// What its command line says, or what somebody types or sends to it.
        case commands
    }

    public init(
        kind: CallerClass = .consented, name: ExactName? = nil, path: ExactName? = nil, place: ProgramPlace = .unseen,
        claim: ExactName? = nil, runs: Runs? = nil, process: UInt32 = 0
    ) {
        self.kind = kind
        self.name = name
        self.path = path
        self.place = place
        self.claim = claim
        self.runs = runs
        self.process = process
    }

    /// Whether its file is an interpreter that runs another file, so that the path doesn't tell which program it is.
    public var isInterpreter: Bool { path?.lastComponent.map(Self.isInterpreter) ?? false }

    /// Names of files that run scripts. A version mostly follows these names.
    private static let interpreters: Set<String> = [
        "bash", "box64", "box86", "bun", "busybox", "csh", "dash", "deno", "dotnet", "electron", "expect", "fish", "gjs",
        "gjs-console", "guile", "irb", "java", "julia", "ksh", "ld.so", "lua", "luajit", "mawk", "mksh", "mono", "node",
        "nodejs", "nu", "ocaml", "perl", "php", "pwsh", "pypy", "python", "qemu", "R", "racket", "Rscript", "ruby", "runghc",
        "sbcl", "sh", "tclsh", "tcsh", "wine", "wish", "yash", "zsh",
    ]

    /// Names of files that start whatever their caller names, or attach to it.
    private static let launchers: Set<String> = [
        "awk", "bwrap", "capsh", "chroot", "chrt", "dbus-launch", "dbus-run-session", "doas", "ed", "emacs", "env", "find",
        "firejail", "flatpak", "flock", "gawk", "gdb", "git", "ionice", "ld", "less", "lldb", "ltrace", "make", "man", "more",
        "nawk", "nice", "nohup", "nsenter", "nvim", "parallel", "pkexec", "prlimit", "run-parts", "runuser", "screen", "script",
        "sed", "setarch", "setpriv", "setsid", "ssh", "sshpass", "start-stop-daemon", "stdbuf", "strace", "su", "sudo",
        "systemd-run", "tar", "taskset", "time", "timeout", "tmux", "toybox", "unshare", "valgrind", "vi", "view", "vim",
        "watch", "xargs",
    ]

    /// Whether a program at that path runs any other one that its caller names. Then what it is known for, each of its callers has.
    public static func runsAnything(_ path: ExactName) -> Bool {
        path.lastComponent.map {
            isInterpreter($0) || launchers.contains($0) || launchers.contains(String($0.prefix { $0 != "." }))
        }
            ?? false
    }

    private static func isInterpreter(_ file: String) -> Bool {
        interpreters.contains(interpreter(file)) || beginnings.contains(where: file.hasPrefix)
    }

    /// How the names of interpreters' files begin that are called otherwise than the command which starts them.
    private static let beginnings = [
        "beam.", "ld-", "luajit-", "mono-", "ocamlrun", "php-cgi", "pypy-", "qemu-", "wine-", "wine64-",
    ]

    /// Interpreters whose files are also called by their name, a version, and more: `python3.13t`, `perl5.36-x86_64-linux-gnu`.
    private static let families = ["python", "pypy", "perl", "ruby", "php"]

    /// The name of the interpreter that a file is, without a version: `python3.11`, `perl5.36`, `wine64`, `ruby-3.1`.
    static func interpreter(_ file: String) -> String {
        if interpreters.contains(file) { return file }
        if let family = families.first(where: file.hasPrefix), file.dropFirst(family.count).first?.isNumber == true {
            return family
        }
        var name = Substring(file)
        while let last = name.last, last.isNumber || last == "." || last == "-" { name.removeLast() }
        return String(name)
    }

    /// Its name, its script's or its file's name, for places where nobody is asked.
    public var shortName: String {
        if let name { return name.text }
        if case .named(let script)? = runs { return script.lastComponent ?? script.text }
        return path?.lastComponent ?? ""
    }

    /// The program in the daemon's words, for the middle of a sentence. Safe to show.
    public var inWords: String {
        if let name { return SafeText(name.text, limit: 60).description }
        guard let path else { return "a program that hides itself (process \(process))" }
        guard case .named(let script)? = runs else { return SafePath(path).description }
        return "\(SafePath(script)), run by \(SafePath(path))"
    }

    /// The same in quotation marks, because a file's name may look like the rest of a sentence.
    public var quoted: String {
        if let name { return SafeText.quoted(name.text, limit: 60) }
        return path.map { SafeText.quoted(SafePath($0, limit: 80).description) } ?? inWords
    }
}
