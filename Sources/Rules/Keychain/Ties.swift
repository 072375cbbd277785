public import ThumbAccess

/// Which programs may use a bundle identifier: the one that used it first, and those that the owner let follow.
///
/// The identifier is a claim that any program can make. What a program keeps under it is tied to the program's file. If another file claims
/// the same, the owner is asked about it, once. The owner's answers are kept with the others (`Consents`).
public final class Ties {
    /// How many identifiers one program may take for itself, and how many ties are noted in all without the owner's answer. A program can
    /// claim a new identifier with each call, and must not use up the room for the owner's answers.
    public static let limitPerProgram = 64
    public static let limit = 5_000

    /// The relation of a program to the identifier that it claims.
    public enum Standing: Sendable, Hashable {
        case open
        /// The owner has to be asked whether it may take the other program's place. The owner's answer is about that wish.
        case ask(AppWish, insteadOf: ExactName)
        case refused
    }

    /// What a program was like when it passed.
    private struct Passed: Hashable {
        let claim, tie: ExactName
        let place: ProgramPlace
        let file: [UInt8]
    }

    /// How many programs that passed are remembered. Each command of a command line is a connection of its own.
    private static let heldPrograms = 1_000

    private let consents: Consents
    private var passed: Set<Passed> = []
    private var passedAt = 0

    public init(consents: Consents) { self.consents = consents }

    /// Grows with every change of the owner's answers. A program that was let in before is then checked again.
    public var revision: Int { consents.revision }

    /// The relation of a program to the identifier that it claims.
    ///
    /// - Parameter notes: whether a first use is noted; otherwise it is only looked at.
    public func standing(of caller: Caller, notes: Bool) throws(KeychainFailure) -> Standing {
        guard caller.mayShare, let claim = caller.program.claim, caller.own == claim else { return .open }
        if passedAt != consents.revision || passed.count > Self.heldPrograms { passed = [] }
        passedAt = consents.revision
        let now = Passed(claim: claim, tie: caller.program.tie, place: caller.program.place, file: caller.file)
        if passed.contains(now) { return .open }
        let standing = try standing(of: caller, claim, notes: notes)
        // Looking alone leaves an identifier without an owner. Its first use is noted, and after that this is asked again.
        if notes, standing == .open, passedAt == consents.revision { passed.insert(now) }
        return standing
    }

    private func standing(of caller: Caller, _ claim: ExactName, notes: Bool) throws(KeychainFailure) -> Standing {
        let ties = try consents.ties(of: claim)
        guard !ties.isEmpty else {
            if notes { try note(caller) }
            return .open
        }
        let own = caller.program.tie
        if let tie = ties.first(where: { $0.known.wish == .program(own) }) {
            if tie.known.verdict == .denied { return .refused }
            if try isUnchanged(caller, since: tie) { return .open }
            return standing(ofChanged: caller, ties, own)
        }
        if let word = word(on: caller, ties) { return word == .denied ? .refused : .open }
        // A file that is gone can't be checked any more, but the program that replaced it can.
        guard caller.program.place != .gone else { return .refused }
        return .ask(.program(own), insteadOf: Self.first(ties))
    }

    /// Keeps the owner's decision.
    public func keep(_ verdict: AppVerdict, on wish: AppWish, of caller: Caller) throws(KeychainFailure) {
        try consents.keep(
            verdict, on: caller.own, wish, named: caller.program.inWords, caller.kind,
            tie: Consent.Tie(program: caller.program.tie, file: caller.file))
    }

    /// Notes the first program that uses an identifier. Nobody is asked, because there is nothing yet to take.
    private func note(_ caller: Caller) throws(KeychainFailure) {
        guard try consents.ties(by: caller.program.tie) < Self.limitPerProgram, try consents.ties() < Self.limit else {
            throw .storeUnavailable
        }
        try keep(.noted, on: .program(caller.program.tie), of: caller)
    }

    /// Whether the file is the one that the tie is about. If root owns a file and all its folders, only root can change it.
    private func isUnchanged(_ caller: Caller, since word: Consent) throws(KeychainFailure) -> Bool {
        switch caller.program.place {
        case .system: true
        case .changeable, .unseen, .elsewhere: word.tie?.file == caller.file
        case .gone: false
        }
    }

    private func standing(ofChanged caller: Caller, _ ties: [Consent], _ own: ExactName) -> Standing {
        if let word = word(on: caller, ties) { return word == .denied ? .refused : .open }
        guard caller.program.place != .gone, let folder = caller.program.folder else { return .refused }
        return .ask(.folder(folder), insteadOf: own)
    }

    /// The owner's answer about programs of its folder. A folder of root's holds everybody's programs, so there is no answer about one.
    private func word(on caller: Caller, _ ties: [Consent]) -> AppVerdict? {
        guard let folder = caller.program.folder else { return nil }
        switch caller.program.place {
        case .changeable, .unseen, .gone: return ties.first { $0.known.wish == .folder(folder) }?.known.verdict
        case .system, .elsewhere: return nil
        }
    }

    /// The program that had it first, to show to the owner.
    private static func first(_ ties: [Consent]) -> ExactName {
        for tie in ties { if case .program(let path) = tie.known.wish, tie.known.verdict != .denied { return path } }
        return ""
    }
}

extension ProgramWords {
    /// How a tie knows a program: by its path, or a word for programs without a path that everybody sees.
    fileprivate var tie: ExactName {
        guard let path else { return "hidden" }
        if place == .elsewhere { return ExactName("elsewhere " + path.text) }
        switch runs {
        case .named(let script)?: return ExactName("\(path) \(script)")
        case .commands?: return ExactName("\(path) commands")
        case nil: return path
        }
    }

    /// The folder of its file, if everybody sees that folder.
    fileprivate var folder: ExactName? {
        var path = path
        switch runs {
        case .named(let script)?: path = script
        case .commands?: path = nil
        case nil: break
        }
        guard let path, place != .elsewhere, path.hasPrefix("/"), let end = path.text.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return nil
        }
        let folder = path.text.utf8[..<end]
        return folder.isEmpty ? "/" : ExactName(String(decoding: folder, as: UTF8.self))
    }
}
