public import ThumbAccess

/// Which programs go on under a bundle identifier: the one that used it first, and those that the owner let follow.
///
/// The identifier is a claim that any program can make. What a program keeps under it is tied to the program's file, so that another
/// file that claims the same is asked about, once. The words are the owner's, and kept among the others (`Consents`).
public final class Ties {
    /// Identifiers that one program takes for itself at most, and ties that are noted at all without the owner's word: a program can
    /// claim a new one each time it calls, and the room for the owner's words is not for that.
    public static let limitPerProgram = 64
    public static let limit = 5_000

    /// What a program that claims an identifier is to it.
    public enum Standing: Sendable, Hashable {
        case open
        /// The owner has to be asked whether it may go on as what the other was so far; the owner's word is about that wish.
        case ask(AppWish, insteadOf: ExactName)
        case refused
    }

    /// What a program was when it passed.
    private struct Passed: Hashable {
        let claim, tie: ExactName
        let place: ProgramPlace
        let file: [UInt8]
    }

    /// Programs that are remembered to have passed at most: a command line's every command is a connection of its own.
    private static let heldPrograms = 1_000

    private let consents: Consents
    private var passed: Set<Passed> = []
    private var passedAt = 0

    public init(consents: Consents) { self.consents = consents }

    /// Grows with every change of the owner's words: who was let in before asks again then.
    public var revision: Int { consents.revision }

    /// What a program is to the identifier it claims.
    ///
    /// - Parameter notes: whether a first use is noted; else it is only looked at.
    public func standing(of caller: Caller, notes: Bool) throws(KeychainFailure) -> Standing {
        guard caller.mayShare, let claim = caller.program.claim, caller.own == claim else { return .open }
        if passedAt != consents.revision || passed.count > Self.heldPrograms { passed = [] }
        passedAt = consents.revision
        let now = Passed(claim: claim, tie: caller.program.tie, place: caller.program.place, file: caller.file)
        if passed.contains(now) { return .open }
        let standing = try standing(of: caller, claim, notes: notes)
        // A look alone leaves an identifier nobody's; and its first use is a word of its own, after which this is asked again.
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
        // What a file was that is gone can't be looked at any more; the program that took its place can.
        guard caller.program.place != .gone else { return .refused }
        return .ask(.program(own), insteadOf: Self.first(ties))
    }

    /// Keeps the owner's word.
    public func keep(_ verdict: AppVerdict, on wish: AppWish, of caller: Caller) throws(KeychainFailure) {
        try consents.keep(
            verdict, on: caller.own, wish, named: caller.program.inWords, caller.kind, tied: (caller.program.tie, caller.file))
    }

    /// Notes the first program that uses an identifier. Nobody is asked: there is nothing yet that could be taken.
    private func note(_ caller: Caller) throws(KeychainFailure) {
        guard try consents.ties(by: caller.program.tie) < Self.limitPerProgram, try consents.ties() < Self.limit else {
            throw .storeUnavailable
        }
        try keep(.noted, on: .program(caller.program.tie), of: caller)
    }

    /// Whether the file is the one that the tie is about. What root owns all the way changes by root's hand alone.
    private func isUnchanged(_ caller: Caller, since tie: Consents.Tie) throws(KeychainFailure) -> Bool {
        switch caller.program.place {
        case .system: true
        case .changeable, .unseen, .elsewhere: tie.file == caller.file
        case .gone: false
        }
    }

    private func standing(ofChanged caller: Caller, _ ties: [Consents.Tie], _ own: ExactName) -> Standing {
        if let word = word(on: caller, ties) { return word == .denied ? .refused : .open }
        guard caller.program.place != .gone, let folder = caller.program.folder else { return .refused }
        return .ask(.folder(folder), insteadOf: own)
    }

    /// The owner's word on programs of its folder. A folder of root's holds programs of everybody's, so there is none about it.
    private func word(on caller: Caller, _ ties: [Consents.Tie]) -> AppVerdict? {
        guard let folder = caller.program.folder else { return nil }
        switch caller.program.place {
        case .changeable, .unseen, .gone: return ties.first { $0.known.wish == .folder(folder) }?.known.verdict
        case .system, .elsewhere: return nil
        }
    }

    /// The program that had it first, for the owner to know.
    private static func first(_ ties: [Consents.Tie]) -> ExactName {
        for tie in ties { if case .program(let path) = tie.known.wish, tie.known.verdict != .denied { return path } }
        return ""
    }
}

extension ProgramWords {
    /// What a tie knows a program by: its path, or a word for those that have none of everybody's.
    fileprivate var tie: ExactName {
        guard let path else { return "hidden" }
        return place == .elsewhere ? ExactName("elsewhere " + path.text) : path
    }

    /// The folder of its file, where that is one that everybody sees.
    fileprivate var folder: ExactName? {
        guard let path, place != .elsewhere, path.hasPrefix("/"), let end = path.text.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return nil
        }
        let folder = path.text.utf8[..<end]
        return folder.isEmpty ? "/" : ExactName(String(decoding: folder, as: UTF8.self))
    }
}
