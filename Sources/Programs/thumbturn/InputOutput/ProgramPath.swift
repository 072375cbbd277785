import CThumbLinux

/// Where programs are, as execvp(3) and the shell look for them.
enum ProgramPath {
    /// What a search for a program comes to.
    enum Search {
        case found(String)
        /// Something has that name, and it can't be executed: a folder, or a file that isn't a program.
        case notExecutable
        case missing
    }

    /// Where execvp(3) looks without a `PATH`.
    private static let usual = "/bin:/usr/bin"

    static func search(_ program: String) -> Search {
        var isThere = false
        for path in paths(of: program) {
            var status = stat()
            guard unsafe stat(path, &status) == 0 else { continue }
            isThere = true
            if thumb_is_regular(status.st_mode) != 0, unsafe access(path, X_OK) == 0 { return .found(path) }
        }
        return isThere ? .notExecutable : .missing
    }

    /// The path of a program; nil if there is none that can be executed.
    static func found(_ program: String) -> String? {
        if case .found(let path) = search(program) { path } else { nil }
    }

    private static func paths(of program: String) -> [String] {
        if program.isEmpty { return [] }
        if program.contains("/") { return [program] }
        let folders = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? usual
        // An empty one is the working folder.
        return folders.split(separator: ":", omittingEmptySubsequences: false).map { ($0.isEmpty ? "." : $0) + "/" + program }
    }
}
