/// Who a program is, as one text: two programs are the same one if their identities are the same, byte for byte.
/// docs/contributors/secret-service.md has the forms.
public enum ProgramIdentity {
    /// The identity that these facts make; nil for a program that can't be told from another.
    public static func of(_ facts: PeerFacts) -> ExactName? {
        switch facts.confinement {
        case .sandbox(let sandbox): return GroupName.sandboxed(sandbox)
        case .unnamed: return nil
        case .none: break
        }
        guard let file = facts.file, let program = of(file) else { return nil }
        let isInterpreter = ProgramWords(path: file.path).isInterpreter
        switch facts.run {
        // Whoever found the facts didn't look, or looked without a need.
        case nil: return isInterpreter ? nil : program
        case .unknown?: return nil
        case .script(let script)?: return of(script).map { ExactName("\(program) \($0)") }
        case .text(let digest)?: return hexadecimal(digest).map { ExactName("\(program) text sha256:\($0)") }
        case .module(let name)?: return isModule(name) ? ExactName("\(program) module \(name)") : nil
        case .interactive?: return ExactName("\(program) interactive")
        }
    }

    /// The identity of a tool that another program started.
    public static func of(_ tool: ExactName, for program: ExactName) -> ExactName { ExactName("\(tool) for \(program)") }

    /// A file's own identity.
    static func of(_ file: PeerFacts.File) -> ExactName? {
        guard let path = path(of: file) else { return nil }
        switch file.place {
        case .system: return path
        case .changeable: return hexadecimal(file.digest).map { ExactName("\(path) sha256:\($0)") }
        case .gone, .elsewhere, .unseen: return nil
        }
    }

    /// The path that a program is known by; nil if its file's path names nothing.
    ///
    /// A path that contains one of the words between two parts of an identity names nothing. Otherwise somebody could give a file a path
    /// that reads like another program's identity.
    public static func path(of file: PeerFacts.File) -> ExactName? {
        file.isName && file.path.text.hasPrefix("/") && !hasSeparator(file.path) ? file.path : nil
    }

    private static func hasSeparator(_ path: ExactName) -> Bool {
        let bytes = Array(path.utf8)
        let blanks = bytes.indices.filter { bytes[$0] == UInt8(ascii: " ") }
        return blanks.contains { blank in
            let rest = bytes[(blank + 1)...]
            return rest.starts(with: "/".utf8) || rest.starts(with: "sha256:".utf8)
        }
    }

    /// The bytes of a SHA-256.
    private static let digestBytes = 32

    private static func hexadecimal(_ digest: [UInt8]) -> String? {
        guard digest.count == digestBytes else { return nil }
        func digit(_ half: UInt8) -> UInt8 { half < 10 ? UInt8(ascii: "0") + half : UInt8(ascii: "a") + half - 10 }
        return String(decoding: digest.flatMap { [digit($0 >> 4), digit($0 & 15)] }, as: UTF8.self)
    }

    /// Longest name of a module that is part of an identity: as long as a file's name can be.
    static let moduleBytes = 255

    /// Whether a name can be a module's: words with dots between them, and nothing that reads like another part of an identity.
    public static func isModule(_ name: ExactName) -> Bool {
        !name.isEmpty && name.utf8.count <= moduleBytes
            && name.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
