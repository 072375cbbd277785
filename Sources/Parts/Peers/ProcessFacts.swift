import CThumbLinux
public import ThumbAccess
public import ThumbLoop

/// What /proc says of a process. The facts never belong to another process that got its number later.
public enum ProcessFacts {
    /// nil if the process that connected is gone.
    public static func of(_ peer: UnixSocket.Peer, on fd: Int32) -> PeerFacts? {
        let descriptor = UnixSocket.peerProcess(of: fd)
        defer { if let descriptor { UnixSocket.close(descriptor) } }
        let start = descriptor == nil ? startTime(peer.pid) : nil
        let folder = unsafe thumb_open("/proc/\(peer.pid)", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard folder >= 0, descriptor != nil || start != nil else {
            if folder >= 0 { UnixSocket.close(folder) }
            return nil
        }
        defer { UnixSocket.close(folder) }
        let facts = PeerFacts(file: RunningFile.of(folder), confinement: confinement(folder))
        // The number was its own all the time: the process still lives, or the process with that number has the same start time.
        let isStill = descriptor.map { !UnixSocket.isReadable($0) } ?? (startTime(peer.pid) == start)
        return isStill ? facts : nil
    }

    // MARK: Sandboxes

    private static func confinement(_ folder: Int32) -> PeerFacts.Confinement {
        for name in ["attr/apparmor/current", "attr/current"] {
            if case .bytes(let label) = read(name, in: folder), let snap = Sandbox.snap(label: label) { return .sandbox(snap) }
        }
        // A sandbox can't change or cover the control group that it was started in, so that is asked whatever else is found.
        guard let apps = flatpaks(folder) else { return .unnamed }
        switch read("root/.flatpak-info", in: folder, limit: Sandbox.fileBytes) {
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
    private static func flatpaks(_ folder: Int32) -> Set<ExactName>? {
        guard case .bytes(let groups) = read("cgroup", in: folder, limit: Sandbox.fileBytes) else { return nil }
        return Sandbox.flatpaks(cgroup: groups)
    }

    /// Whether a process that we may not look into is in a sandbox. It can't hide how many process numbers it has.
    private static func isElsewhere(_ folder: Int32) -> Bool {
        guard case .bytes(let status) = read("status", in: folder) else { return true }
        let line = status.split(separator: 0x0a).first { $0.starts(with: Array("NSpid:".utf8)) }
        // With more than one number it is in a PID namespace of its own.
        return line?.split(separator: 0x09).count != 2
    }

    private enum Contents {
        case bytes([UInt8])
        case none
        /// Not a readable file: a link, a folder, or too long.
        case unfit
        /// Only root may look.
        case closed
    }

    private static func read(_ name: String, in folder: Int32, limit: Int = 8 << 10) -> Contents {
        let file = unsafe thumb_openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0)
        guard file >= 0 else {
            switch thumb_errno() {
            case ENOENT, EINVAL: return .none
            case EACCES, EPERM: return .closed
            default: return .unfit
            }
        }
        defer { UnixSocket.close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, thumb_is_regular(status.st_mode) != 0 else { return .unfit }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var filled = 0
        while filled < bytes.count {
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe CThumbLinux.read(file, $0.baseAddress! + filled, $0.count - filled)
            }
            // Without AppArmor its file exists but can't be read.
            if count < 0 { return thumb_errno() == EINVAL ? .none : .unfit }
            if count == 0 { return .bytes(Array(bytes.prefix(filled))) }
            filled += count
        }
        return .unfit
    }

    /// The start time of a process, in the kernel's ticks; nil if no process has that number.
    private static func startTime(_ pid: Int32) -> [UInt8]? {
        let folder = unsafe thumb_open("/proc/\(pid)", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard folder >= 0 else { return nil }
        defer { UnixSocket.close(folder) }
        // The name, in brackets, may contain anything. The twentieth field after it is the time.
        guard case .bytes(let line) = read("stat", in: folder), let end = line.lastIndex(of: UInt8(ascii: ")")) else {
            return nil
        }
        let fields = line[(end + 1)...].split(separator: UInt8(ascii: " "))
        return fields.count > 19 ? Array(fields[19]) : nil
    }
}
