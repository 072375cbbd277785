import CThumbLinux
import ThumbSystem

/// The editor that a person has chosen, as a line of shell, and what has to be said to it so that it keeps nothing elsewhere.
struct Editor: Sendable {
    /// `nano -w`
    let line: String
    private let options: [String]
    private let isThere: Bool

    /// The one that `$VISUAL` names, else `$EDITOR`, else the system's. Fails if it isn't there, as far as that can be known before it is
    /// started.
    static func chosen() throws(Failure) -> Editor {
        let editor = named
        if !editor.isThere { throw .secret(.noEditor(editor.line)) }
        return editor
    }

    private static var named: Editor {
        for variable in ["VISUAL", "EDITOR"] {
            if let named = unsafe getenv(variable).map({ unsafe String(cString: $0) }), !named.isEmpty { return Editor(named) }
        }
        return Editor(ProgramPath.found("editor") == nil ? "vi" : "editor")
    }

    private init(_ line: String) {
        self.line = line
        let first = line.split(separator: " ").first.map(String.init) ?? ""
        let program = ProgramPath.found(first)
        // What the shell would make of other words, the shell alone knows.
        isThere = program != nil || !first.utf8.allSatisfy(Self.isPlain)
        options = program.map { Self.options(of: Self.name(of: $0)) } ?? []
    }

    /// Whether a byte stands for itself in a line of shell.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "/._-+".utf8.contains(byte)
        }
    }

    /// Has a file edited, and waits. `temporary` is where the editor has to keep what it needs meanwhile. Returns the editor's exit status,
    /// or 128 plus the signal that ended it; the shell ends with 127 if there is no such program.
    func edit(_ path: String, temporary: String) throws(SystemError) -> Int32 {
        _ = unsafe setenv("TMPDIR", temporary, 1)
        // Ctrl-C in the editor reaches this shell too, which must go on and wait.
        return try Spawn(
            "/bin/sh", ["sh", "-c", "trap : INT QUIT; " + line + " \"$@\"", "editor"] + options + [path], environment: .own,
            descriptors: .own
        ).start().wait()
    }

    /// What keeps an editor of that name from writing swap files, backups, histories and what can be undone. An editor that isn't known
    /// here, or is started by another program, keeps what it is set to keep.
    static func options(of name: String) -> [String] {
        // `vim.basic` and `emacs-gtk`, but not `emacsclient`, whose server is set up already.
        switch String(name.prefix { $0.isLetter }) {
        case "vim", "nvim", "gvim": ["-n", "-i", "NONE", "-c", "silent! set nobackup nowritebackup noundofile"]
        // Without its file of settings it makes no backups and keeps no history.
        case "nano": ["--ignorercfiles"]
        case "emacs":
            ["--eval", "(setq make-backup-files nil auto-save-default nil create-lockfiles nil)"]
        case "micro": ["-backup", "false", "-saveundo", "false", "-savehistory", "false", "-savecursor", "false"]
        default: []
        }
    }

    /// The name of the program that a path leads to: `vi` is mostly another one.
    private static func name(of path: String) -> String {
        guard let real = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(real) }
        return unsafe String(cString: real).split(separator: "/").last.map(String.init) ?? path
    }
}
