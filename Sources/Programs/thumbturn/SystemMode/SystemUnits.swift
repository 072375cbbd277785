import ThumbSystem

/// A machine's units of system mode: those whose file says that they run only if the marker exists.
struct SystemUnits {
    /// Where systemd looks, in order of precedence.
    private static let folders = [
        "/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system",
    ]
    private static let condition = "ConditionPathExists=" + ModeSwitch.marker
    /// Largest unit that is read, in bytes. Ours are small.
    private static let limit = 64 << 10

    /// All of them, in the form that `systemctl stop` takes: a template stands for its instances.
    private(set) var all: [String] = []
    /// The units that are enabled and disabled, because their file says what wants them.
    private(set) var enabled: [String] = []
    /// The sockets among these, which start everything else.
    var sockets: [String] { enabled.filter { $0.hasSuffix(".socket") } }

    init(below root: String) {
        var seen: Set<String> = []
        for folder in Self.folders {
            for name in FolderNames.all(in: root + folder).sorted() where Self.isOurs(name) && seen.insert(name).inserted {
                guard let bytes = Transfer.file("\(root)\(folder)/\(name)", atMost: Self.limit) else { continue }
                let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
                guard lines.contains(where: { $0 == Self.condition }) else { continue }
                all.append(Self.instances(of: name))
                if lines.contains("[Install]"), !name.contains("@") { enabled.append(name) }
            }
        }
    }

    /// A template's name as the pattern of all that were made from it; every other name as it is.
    private static func instances(of name: String) -> String {
        let parts = name.split(separator: Character("@"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasPrefix(".") else { return name }
        return "\(parts[0])@*\(parts[1])"
    }

    private static func isOurs(_ name: String) -> Bool {
        name.hasPrefix("thumbturn") && (name.hasSuffix(".socket") || name.hasSuffix(".service"))
    }
}
