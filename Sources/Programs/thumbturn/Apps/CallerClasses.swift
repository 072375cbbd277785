import ThumbAccess

/// How surely the daemon knows a program, as it is printed.
enum CallerClasses {
    static func name(_ kind: CallerClass) -> String {
        switch kind {
        case .consented: "consented"
        case .sandboxed: "sandboxed"
        case .protected: "protected"
        }
    }

    /// A program's name with its class, where that is more than the name.
    static func named(_ program: String, _ kind: CallerClass) -> String {
        kind == .consented ? program : "\(program) (\(name(kind)))"
    }
}
