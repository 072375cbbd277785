import CThumbLinux
public import ThumbAccess
public import ThumbLoop

/// What /proc says of a process. The facts never belong to another process that got its number later.
public enum ProcessFacts {
    /// What is known of the process that connected; nil if it is gone. Nobody has taken a digest yet.
    public static func of(_ peer: UnixSocket.Peer, on fd: Int32) -> FoundPeer? {
        let descriptor = UnixSocket.peerProcess(of: fd)
        defer { if let descriptor { UnixSocket.close(descriptor) } }
        let start = descriptor == nil ? startTime(peer.pid) : nil
        guard descriptor != nil || start != nil, let folder = ProcessFolder(of: peer.pid) else { return nil }
        let found = FoundPeer(folder, uid: peer.uid)
        // The number was its own all the time: the process still lives, or the process with that number has the same start time.
        let isStill = descriptor.map { !UnixSocket.isReadable($0) } ?? (startTime(peer.pid) == start)
        return isStill ? found : nil
    }

    // MARK: Sandboxes

    /// What confines a process.
    public static func confinement(_ folder: borrowing ProcessFolder) -> PeerFacts.Confinement {
        for name in ["attr/apparmor/current", "attr/current"] {
            switch folder.read(name) {
            case .bytes(let label): if let snap = Sandbox.snap(label: label) { return .sandbox(snap) }
            case .unfit: return .unnamed
            case .none, .closed: break
            }
        }
        // A sandbox can't change or cover the control group that it was started in, so that is asked whatever else is found.
        guard let apps = flatpaks(folder) else { return .unnamed }
        switch folder.read("root/.flatpak-info", limit: Sandbox.fileBytes) {
        case .bytes(let info):
            guard case .flatpak(let app)? = Sandbox.flatpak(info: info), apps.isEmpty || apps == [ExactName(app)] else {
                return .unnamed
            }
            return .sandbox(.flatpak(app))
        case .none: return apps.isEmpty ? .none : .unnamed
        case .unfit: return .unnamed
        case .closed: return !apps.isEmpty || isElsewhere(folder) ? .unnamed : .none
        }
    }

    /// The Flatpak apps that its control groups belong to; nil if nobody can tell.
    private static func flatpaks(_ folder: borrowing ProcessFolder) -> Set<ExactName>? {
        guard case .bytes(let groups) = folder.read("cgroup", limit: Sandbox.fileBytes) else { return nil }
        return Sandbox.flatpaks(cgroup: groups)
    }

    /// Whether a process that we may not look into is in a sandbox. It can't hide how many process numbers it has.
    private static func isElsewhere(_ folder: borrowing ProcessFolder) -> Bool {
        guard case .bytes(let status) = folder.read("status") else { return true }
        let line = status.split(separator: 0x0a).first { $0.starts(with: Array("NSpid:".utf8)) }
        // With more than one number it is in a PID namespace of its own.
        return line?.split(separator: 0x09).count != 2
    }

    /// The start time of a process, in the kernel's ticks; nil if no process has that number, or if it has ended.
    private static func startTime(_ pid: Int32) -> UInt64? {
        guard let stat = ProcessFolder(of: pid)?.stat(), !stat.hasEnded else { return nil }
        return stat.start
    }
}
