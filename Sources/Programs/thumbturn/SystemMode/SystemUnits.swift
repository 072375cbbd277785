import ThumbSystem

/// The units of system mode that a machine has: those whose file says that they run only where the marker is.
struct SystemUnits {
    /// Where systemd looks, the first before the others.
    private static let folders = [
        "/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system",
    ]
    private static let condition = "ConditionPathExists=" + ModeSwitch.marker
    /// Bytes of the largest unit that is read. Ours have few.
    private static let limit = 64 << 10

    /// All of them, as `systemctl stop` takes them: a template stands for its instances.
    private(set) var all: [String] = []
    /// Those that are switched on and off, because their file says what wants them.
    private(set) var enabled: [String] = []
    /// Of these, the sockets, by which everything else is started.
    var sockets: [String] { enabled.filter { $0.hasSuffix(".socket") } }

    init(below root: String) {
        var seen: Set<String> = []
        for folder in Self.folders {
            for name in FolderNames.all(in: root + folder).sorted() where Self.isOurs(name) && seen.insert(name).inserted {
                guard let bytes = Transfer.file("\(root)\(folder)/\(name)", atMost: Self.limit) else { continue }
                let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
                guard lines.contains(where: { $0 == Self.condition }) else { continue }
                all.append(name.replacing("@.", with: "@*."))
                if lines.contains("[Install]"), !name.contains("@") { enabled.append(name) }
            }
        }
    }

    private static func isOurs(_ name: String) -> Bool {
        name.hasPrefix("thumbturn") && (name.hasSuffix(".socket") || name.hasSuffix(".service"))
    }
}
