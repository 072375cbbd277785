import CThumbLinux
public import ThumbAccess
import ThumbPeers

/// Finds out who a reader is: a program of this user that calls over the bus.
public final class ReaderFacts {
    private let digests: FileDigests
    private let protected: (_ group: UInt32) -> ProtectedProgram?

    /// - Parameter protected: the program that root protected by that group, if there is one.
    public init(digests: FileDigests = FileDigests(), protected: @escaping (_ group: UInt32) -> ProtectedProgram? = { _ in nil })
    {
        (self.digests, self.protected) = (digests, protected)
    }

    /// A reader, and what tells later whether it is still the same.
    public struct Found: Sendable, Hashable {
        public let reader: Reader
        public let mark: ReaderMark
    }

    /// The program that is that process; nil if it has no identity, and so gets nothing.
    ///
    /// - Parameters:
    ///   - uid: the user whose program it is, according to the bus.
    ///   - groups: its groups when it connected to the bus, according to the bus.
    public func of(pid: Int32, uid: UInt32, groups: [UInt32]) -> Found? {
        guard uid == getuid(), pid > 0 else { return nil }
        return OwnGroup.looking { found(pid, uid, groups) }
    }

    private func found(_ pid: Int32, _ uid: UInt32, _ groups: [UInt32]) -> Found? {
        guard let folder = ProcessFolder(of: pid), let before = folder.stat(), folder.owner() == uid else { return nil }
        let known = groups.compactMap(protected)
        guard known.count <= 1 else { return nil }
        let process = UInt32(bitPattern: pid)
        var reader: Reader
        var script: ReaderMark.Script?
        if let program = known.first {
            let words = ProgramWords(
                kind: .protected, name: ExactName(program.name), path: program.path, place: .system, process: process)
            reader = Reader(identity: GroupName.protected(program.name), program: words)
        } else {
            var facts = PeerFacts(file: nil, confinement: ProcessFacts.confinement(folder))
            guard let file = RunningFile.opened(folder) else { return nil }
            facts.file = file.file
            if file.file.place == .changeable { facts.file?.digest = digests.digest(of: file, for: uid) ?? [] }
            guard let identity = ProgramIdentity.of(facts) else { return nil }
            reader = Reader(identity: identity, program: words(facts, process))
            script = nil
        }
        // It was one process, in one program, all the time.
        guard let after = folder.stat(), after.isSame(before) else { return nil }
        let mark = ReaderMark(
            pid: pid, start: after.start, places: after.places, file: RunningFile.stamp(folder), arguments: nil, script: script)
        return Found(reader: reader, mark: mark)
    }

    private func words(_ facts: PeerFacts, _ process: UInt32) -> ProgramWords {
        var words = ProgramWords(process: process)
        switch facts.confinement {
        case .none: (words.path, words.place) = (facts.file?.path, facts.file?.place ?? .unseen)
        case .sandbox(let sandbox):
            words.kind = .sandboxed
            if case .program(let app, _) = GroupName.owner(of: GroupName.sandboxed(sandbox)) { words.name = ExactName(app) }
        case .unnamed: words.kind = .sandboxed
        }
        return words
    }

    /// Whether a process is still the reader that it was. Quick enough for each call.
    public func isStill(_ mark: ReaderMark) -> Bool {
        OwnGroup.looking {
            guard let folder = ProcessFolder(of: mark.pid), let now = folder.stat(), now.start == mark.start,
                now.places == mark.places, RunningFile.stamp(folder) == mark.file
            else { return false }
            return true
        }
    }
}
