import ThumbAccess
import ThumbLoop

/// Finds out who a peer is, from the kernel and /proc, before anything it says counts.
enum Callers {
    /// nil if the process is gone: then nobody knows whose connection it is.
    static func caller(
        _ peer: UnixSocket.Peer, _ facts: () -> PeerFacts?, label: String?, faceUsage: String?, groups: [String]?,
        protected: ProtectedProgram?, place: (_ uid: UInt32, _ pid: Int32) -> CallerPlace
    ) -> Caller? {
        let place = place(peer.uid, peer.pid)
        // Its group is proof, whatever else is known of it.
        if let protected {
            let words = ProgramWords(protected, process: UInt32(bitPattern: peer.pid))
            return Caller(
                uid: peer.uid, pid: peer.pid, kind: .protected, name: protected.name,
                groups: fixed(groups) ?? [GroupName.protected(protected.name)], faceUsage: faceUsage, place: place, program: words
            )
        }
        guard let facts = facts() else { return nil }
        var words = facts.words(process: UInt32(bitPattern: peer.pid))
        var own: [ExactName] = []
        switch facts.confinement {
        case .none:
            // A bundle identifier or a path. Either labels the program and names its own items, but neither is proof.
            words.claim = label.flatMap { GroupName.own(label: ExactName($0)) }
            if let name = words.claim ?? name(facts), !isUntold(facts) { own = [name] }
        case .sandbox(let sandbox): own = [GroupName.sandboxed(sandbox)]
        case .unnamed: break
        }
        let name = words.name == nil && words.path == nil ? "process" : words.shortName
        return Caller(
            uid: peer.uid, pid: peer.pid, kind: words.kind, name: SafeText(name, limit: 60).description,
            groups: fixed(groups) ?? own, mayShare: groups == nil && !own.isEmpty, faceUsage: faceUsage, place: place,
            program: words, file: facts.stamps)
    }

    /// The name of a program without a bundle identifier is its path. If other programs see another file at that path, it has no name,
    /// because that name would be the other file's. An interpreter is named with what it runs, or all of its scripts would be one program.
    private static func name(_ facts: PeerFacts) -> ExactName? {
        guard let file = facts.file else { return GroupName.hidden }
        if ProgramWords(path: file.path).isInterpreter { return ProgramIdentity.of(facts) }
        return ProgramIdentity.path(of: file)
    }

    /// Whether it is an interpreter of which nobody can tell what it runs. Whatever it may run would have a bundle identifier that it has.
    private static func isUntold(_ facts: PeerFacts) -> Bool {
        switch facts.run {
        case .unknown?: true
        case .text(let digest)?: digest.isEmpty
        case .script?, .module?, .interactive?: false
        case nil: facts.file.map { ProgramWords(path: $0.path).isInterpreter } ?? false
        }
    }

    private static func fixed(_ groups: [String]?) -> [ExactName]? { groups?.map { ExactName(SafeText($0).description) } }
}
