internal import CThumbLinux
internal import ThumbAccess
internal import ThumbLoop

/// Finds out who a peer is, from the kernel and /proc, before a byte of it is parsed.
enum Callers {
    static func caller(
        _ peer: UnixSocket.Peer, label: String?, faceUsage: String?, groups: [String]?
    ) -> Caller {
        let path = ProcessFacts.executable(of: peer.pid)
        // A bundle identifier or a path: either is a label to show and a name for the program's own items, not proof.
        let own = label.map { SafeText($0).description } ?? path ?? "process"
        let name = path.map { String($0.split(separator: "/").last ?? "process") } ?? "process"
        return Caller(
            uid: peer.uid, pid: peer.pid, kind: .consented, name: SafeText(name, limit: 60).description,
            groups: groups?.map { SafeText($0).description } ?? [own], faceUsage: faceUsage)
    }
}

enum ProcessFacts {
    static var ownID: Int32 { getpid() }

    static func executable(of pid: Int32) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe readlink("/proc/\(pid)/exe", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
        }
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
    }
}
