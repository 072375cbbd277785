import ThumbSecrets

/// A parser that reads what somebody else wrote, as the fuzzer and the tests run it.
///
/// `read` checks more than that nothing traps: what was read must be written again in a form that is read the same, what is refused must be
/// refused with the parser's own error, and every limit must hold.
public struct FuzzTarget: Sendable {
    /// Its name on the command line and that of its corpus.
    public let name: String
    /// The longest input that the fuzzer makes, in bytes.
    public let longest: Int
    /// The files whose lines count as the parser's; behind a `#`, the declaration in the file that counts alone.
    public let sources: [String]
    /// Words of the format. The fuzzer finds out most of them by itself, and is quicker with them.
    public let words: [String]
    /// What the planted bug waits for at the beginning of the field that `read` returns.
    public let mark: [UInt8]
    private let makeSeeds: @Sendable () throws -> [[UInt8]]
    private let parse: @Sendable (_ input: [UInt8]) throws -> [UInt8]?

    init(
        _ name: String, longest: Int = 512, sources: [String], words: [String] = [], mark: String = "bug4",
        seeds: @escaping @Sendable () throws -> [[UInt8]], parse: @escaping @Sendable (_ input: [UInt8]) throws -> [UInt8]?
    ) {
        self.name = name
        self.longest = longest
        self.sources = sources
        self.words = words
        self.mark = Array(mark.utf8)
        makeSeeds = seeds
        self.parse = parse
    }

    /// Inputs to begin with: one for each form that the parser takes.
    public func seeds() throws -> [[UInt8]] { try makeSeeds() }

    /// Reads an input.
    ///
    /// - Returns: a field that lies deep in what was read, as it stands in the input; nil if the input was refused, or has no such field.
    /// - Throws: `Wrong` if something doesn't hold that must.
    public func read(_ input: [UInt8]) throws(Wrong) -> [UInt8]? {
        do {
            return try parse(input)
        } catch let wrong as Wrong {
            throw wrong
        } catch {
            throw Wrong("the parser failed with an error that is no refusal: \(error)")
        }
    }

    /// The same in a process that does nothing else: no secret may stay in locked memory.
    public func readAlone(_ input: [UInt8]) throws(Wrong) -> [UInt8]? {
        let before = SecretArena.shared.inUse
        let field = try read(input)
        let between = SecretArena.shared.inUse
        guard between > before else { return field }
        // The first reading may have made something that is kept on purpose. The second one finds it made.
        _ = try read(input)
        try must(SecretArena.shared.inUse <= between, "each reading leaves a secret in locked memory")
        return field
    }

    /// Whether the planted bug would strike: the field begins with the mark.
    ///
    /// The four bytes are compared as one number. A fuzzer that doesn't see this comparison has to guess 32 bits.
    @inline(never) public func isPlanted(in field: [UInt8]) -> Bool {
        guard field.count >= 4, mark.count == 4 else { return false }
        return Self.number(field) == Self.number(mark)
    }

    @inline(never) private static func number(_ bytes: [UInt8]) -> UInt32 {
        bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// Something that must hold and doesn't.
public struct Wrong: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}

func must(_ condition: Bool, _ otherwise: @autoclosure () -> String) throws(Wrong) {
    if !condition { throw Wrong(otherwise()) }
}

/// What was read, or nil if it was refused. An error that isn't a refusal is wrong.
func accepted<Value, Failure: Error>(
    _ read: () throws(Failure) -> Value, or isRefusal: (Failure) -> Bool
) throws(Wrong) -> Value? {
    do throws(Failure) {
        return try read()
    } catch {
        try must(isRefusal(error), "an error that is no refusal: \(error)")
        return nil
    }
}

/// A secret of these bytes.
func secret(_ bytes: [UInt8]) -> SecretBytes {
    // Without locked memory for some kilobytes nothing here can go on.
    try! SecretBytes(copying: bytes)
}

func secret(_ text: String) -> SecretBytes { secret(Array(text.utf8)) }

extension SecretBytes {
    /// All of its bytes. Nothing here is secret.
    var plain: [UInt8] { plainBytes(in: 0..<count) }
}
