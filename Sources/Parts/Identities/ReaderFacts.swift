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
        /// Who it is.
        public let reader: Reader
        /// What to ask `isStill` with.
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
        let vouched = groups.compactMap(protected)
        guard vouched.count <= 1 else { return nil }
        let file = RunningFile.stamp(folder)
        let known = ProgramFacts(folder, for: uid, digests)
        var identity = vouched.first.map { GroupName.protected($0.name) } ?? known.identity
        let isTool = vouched.isEmpty && ReaderTools.isTool(known.facts)
        guard let above = ProcessesAbove(folder, before, of: uid, isTool: isTool, digests) else { return nil }
        if let tool = identity, isTool, let program = above.program { identity = ProgramIdentity.of(tool, for: program) }
        // It was one process, in one program, all the time.
        guard let identity, let after = folder.stat(), after.isSame(before), RunningFile.stamp(folder) == file else { return nil }
        let words = vouched.first.map { ProgramWords($0, process: UInt32(bitPattern: pid)) } ?? known.words(pid)
        return Found(
            reader: Reader(identity: identity, program: words, above: above.names),
            mark: ReaderMark(
                pid: pid, start: after.start, places: after.places, file: file, arguments: known.arguments, script: known.script))
    }

    /// Whether a process is still the reader that it was. Quick enough for each call.
    public func isStill(_ mark: ReaderMark) -> Bool { OwnGroup.looking { isUnchanged(mark) } }

    private func isUnchanged(_ mark: ReaderMark) -> Bool {
        guard let folder = ProcessFolder(of: mark.pid), let now = folder.stat(), now.start == mark.start,
            now.places == mark.places, RunningFile.stamp(folder) == mark.file
        else { return false }
        if let arguments = mark.arguments, folder.arguments() != arguments { return false }
        guard let script = mark.script else { return true }
        guard let file = RunningFile.named(script.path), file.stamp() == script.stamp else { return false }
        // Until the stamp is old enough to be trusted, only the contents tell.
        return !script.isYoung || script.digest.isEmpty || digests.digest(of: file, for: getuid()) == script.digest
    }
}
