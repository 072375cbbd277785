/// What a program may send to the user's terminal besides text.
public struct TerminalAbility: Sendable, Hashable {
    /// Whether letters may be bold or coloured. The user forbids it with NO_COLOR.
    public let isStyled: Bool
    /// Whether a line that was written can be written over.
    public let rewritesLines: Bool

    /// Determines it from the user's environment. A terminal without a name, and one called `dumb`, gets text alone.
    ///
    /// - Parameter environment: gives a variable's value, or nil.
    public init(_ environment: (String) -> String?) {
        let name = environment("TERM") ?? ""
        rewritesLines = !name.isEmpty && name != "dumb"
        isStyled = rewritesLines && (environment("NO_COLOR") ?? "").isEmpty
    }
}
