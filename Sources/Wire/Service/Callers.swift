internal import ThumbAccess
internal import ThumbLoop

/// Finds out who a peer is, from the kernel and /proc, before a word of it counts.
enum Callers {
    /// nil where the process is gone: then nobody knows whose the connection is.
    static func caller(
        _ peer: UnixSocket.Peer, on fd: Int32, label: String?, faceUsage: String?, groups: [String]?,
        protected: ProtectedProgram?, place: (_ uid: UInt32, _ pid: Int32) -> CallerPlace
    ) -> Caller? {
        let place = place(peer.uid, peer.pid)
        // Its group is proof, whatever else it is.
        if let protected {
            return Caller(
                uid: peer.uid, pid: peer.pid, kind: .protected, name: protected.name,
                groups: fixed(groups) ?? [GroupName.protected(protected.name)], faceUsage: faceUsage, place: place)
        }
        guard let facts = ProcessFacts.of(peer, on: fd) else { return nil }
        var name = facts.path.map { String($0.split(separator: "/").last ?? "process") } ?? "process"
        var kind = CallerClass.sandboxed
        var own: [ExactName] = []
        switch facts.confinement {
        case .none:
            kind = .consented
            // A bundle identifier or a path: either is a label to show and a name for the program's own items, not proof.
            own = [label.flatMap { GroupName.own(label: ExactName($0)) } ?? facts.path.map { ExactName($0) } ?? "process"]
        case .sandbox(let sandbox):
            own = [GroupName.sandboxed(sandbox)]
            if case .program(let app, _) = GroupName.owner(of: own[0]) { name = app }
        case .unnamed: break
        }
        return Caller(
            uid: peer.uid, pid: peer.pid, kind: kind, name: SafeText(name, limit: 60).description, groups: fixed(groups) ?? own,
            mayShare: groups == nil && !own.isEmpty, faceUsage: faceUsage, place: place)
    }

    private static func fixed(_ groups: [String]?) -> [ExactName]? { groups?.map { ExactName(SafeText($0).description) } }
}
