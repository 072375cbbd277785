import ThumbAccess
import ThumbLoop

/// Finds out who a peer is, from the kernel and /proc, before a word of it counts.
enum Callers {
    /// nil where the process is gone: then nobody knows whose the connection is.
    static func caller(
        _ peer: UnixSocket.Peer, _ facts: () -> PeerFacts?, label: String?, faceUsage: String?, groups: [String]?,
        protected: ProtectedProgram?, place: (_ uid: UInt32, _ pid: Int32) -> CallerPlace
    ) -> Caller? {
        let place = place(peer.uid, peer.pid)
        // Its group is proof, whatever else it is.
        if let protected {
            let words = ProgramWords(
                kind: .protected, name: ExactName(protected.name), path: protected.path, place: .system,
                process: UInt32(bitPattern: peer.pid))
            return Caller(
                uid: peer.uid, pid: peer.pid, kind: .protected, name: protected.name,
                groups: fixed(groups) ?? [GroupName.protected(protected.name)], faceUsage: faceUsage, place: place, program: words
            )
        }
        guard let facts = facts() else { return nil }
        var words = ProgramWords(process: UInt32(bitPattern: peer.pid))
        var own: [ExactName] = []
        switch facts.confinement {
        case .none:
            words.path = facts.file?.path
            words.place = facts.file?.place ?? .unseen
            // A bundle identifier or a path: either is a label and a name for the program's own items, not proof.
            words.claim = label.flatMap { GroupName.own(label: ExactName($0)) }
            if let name = words.claim ?? pathName(facts.file) { own = [name] }
        case .sandbox(let sandbox):
            words.kind = .sandboxed
            own = [GroupName.sandboxed(sandbox)]
            if case .program(let app, _) = GroupName.owner(of: own[0]) { words.name = ExactName(app) }
        case .unnamed: words.kind = .sandboxed
        }
        let name = words.name == nil && words.path == nil ? "process" : words.shortName
        return Caller(
            uid: peer.uid, pid: peer.pid, kind: words.kind, name: SafeText(name, limit: 60).description,
            groups: fixed(groups) ?? own, mayShare: groups == nil && !own.isEmpty, faceUsage: faceUsage, place: place,
            program: words, file: facts.file?.stamp ?? [])
    }

    /// The name of a program that calls itself nothing. One whose path leads elsewhere for everybody else has none: it would be
    /// another program's.
    private static func pathName(_ file: PeerFacts.File?) -> ExactName? {
        guard let file else { return GroupName.hidden }
        return file.isName ? file.path : nil
    }

    private static func fixed(_ groups: [String]?) -> [ExactName]? { groups?.map { ExactName(SafeText($0).description) } }
}
