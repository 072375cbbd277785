import ThumbCommands
import ThumbSecrets

/// The result of using a key. It is written to a file or to standard output, but not as raw bytes to a terminal, which could obey them.
/// Public results go the same way as secret ones.
struct KeyResult {
    private let bytes: SecretBytes
    private let what: String
    private let json: [(String, JSON)]

    init(_ bytes: [UInt8], of what: String, json: [(String, JSON)]) throws(Failure) {
        self.init(secret: try Self.locked(bytes), of: what, json: json)
    }

    init(secret: SecretBytes, of what: String, json: [(String, JSON)]) {
        bytes = secret
        self.what = what
        self.json = json
    }

    static func locked(_ bytes: [UInt8]) throws(Failure) -> SecretBytes {
        guard let locked = try? SecretBytes(copying: bytes) else { throw .noLockedMemory }
        return locked
    }

    /// Refuses to write bytes to a terminal. Called before the owner is asked, if that is known by then.
    static func refuseTerminal(_ invocation: Invocation, _ what: String) throws(Failure) {
        guard !invocation.has(Output.option), !invocation.wantsJSON, Output.isTerminal else { return }
        throw .notForTerminal(what)
    }

    /// - Parameter isText: whether a terminal can show it unchanged.
    func outcome(_ invocation: Invocation, isText: Bool = false, asBase64: Bool = false) throws(Failure) -> Outcome {
        let pieces: [Outcome.Piece] = asBase64 ? [.secret(bytes, .base64), .text("\n")] : [.secret(bytes, .raw)]
        if let path = invocation.value(Output.option) {
            try Output.write(pieces, toNew: path)
            return Outcome(json: .object([json[0], ("output", .text(path))]))
        }
        if !isText && !asBase64 { try Self.refuseTerminal(invocation, what) }
        return Outcome(text: pieces, json: .object(json))
    }
}
