import CThumbLinux

/// Where programs are.
enum ProgramPath {
    /// The path of a program as the shell finds it; nil if it isn't there.
    static func found(_ program: String) -> String? {
        if program.contains("/") { return unsafe access(program, X_OK) == 0 ? program : nil }
        let folders = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(program)" }.first { unsafe access($0, X_OK) == 0 }
    }
}
