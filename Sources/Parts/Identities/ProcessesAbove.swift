import ThumbAccess
import ThumbPeers

/// The processes above another one, innermost first, as far as they are the same user's.
struct ProcessesAbove {
    /// Their names, safe to show.
    private(set) var names: [String] = []
    /// The identity of the first that says who wants a tool's secret; nil if there is none.
    private(set) var program: ExactName?

    /// How far up anybody looks. Nobody has so many processes above each other; a longer chain ends there.
    static let limit = 32

    /// Longest name that is shown, in characters.
    private static let nameLimit = 60

    /// nil if who started a tool can't be told: a process on the way ended just then, or is one without an identity.
    ///
    /// - Parameter isTool: whether the process is a tool, so that `program` is looked for.
    init?(_ process: borrowing ProcessFolder, _ stat: ProcessStat, of uid: UInt32, isTool: Bool, _ digests: FileDigests) {
        var isSought = isTool
        var (child, line) = (process.pid, stat)
        for _ in 0..<Self.limit {
            guard line.parent > 1 else { return }
            guard let folder = ProcessFolder(of: line.parent), let stat = folder.stat(), stat.start <= line.start else {
                return nil
            }
            guard folder.owner() == uid else { return }
            let known = ProgramFacts(folder, for: uid, isSought ? digests : nil)
            // The child still has this process above it, so the number was this process's all the time.
            guard let now = ProcessFolder(of: child)?.stat(), now.start == line.start, now.parent == line.parent,
                let after = folder.stat(), after.isSame(stat)
            else {
                if isSought { return nil }
                return
            }
            if names.count < Reader.aboveLimit { names.append(Self.name(known, stat)) }
            if isSought {
                switch ReaderTools.above(known.facts) {
                case .passes: break
                case .ends: isSought = false
                case .says:
                    guard let identity = known.identity else { return nil }
                    program = identity
                    isSought = false
                }
            }
            if !isSought, names.count == Reader.aboveLimit { return }
            (child, line) = (folder.pid, stat)
        }
        // Whoever is above so many processes remains unknown.
        if isSought { return nil }
    }

    /// A process that lets nobody look has only the name that it gave itself.
    private static func name(_ known: ProgramFacts, _ stat: ProcessStat) -> String {
        let name = ReaderTools.name(of: known.facts) ?? String(decoding: stat.name, as: UTF8.self)
        return SafeText(name, limit: nameLimit).description
    }
}
