import ThumbAccess

/// How surely the daemon knows a program, in printed words.
enum CallerClasses {
    static func name(_ kind: CallerClass) -> String {
        switch kind {
        case .consented: "consented"
        case .sandboxed: "sandboxed"
        case .protected: "protected"
        }
    }

    /// A program's name, with its class if that says more than the name.
    static func named(_ program: String, _ kind: CallerClass) -> String {
        kind == .consented ? program : "\(program) (\(name(kind)))"
    }
}
