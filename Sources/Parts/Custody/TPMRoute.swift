import CThumbLinux

/// How to reach a TPM. There are no other ways: nothing here starts a program, reads the environment, or loads a library that somebody
/// names.
public enum TPMRoute: Sendable, Hashable {
    /// The kernel's own resource manager, /dev/tpmrm0.
    case device
    /// The access broker and resource manager, on the system bus.
    case tabrmd
    /// A software TPM on a Unix socket of its own.
    case swtpm(path: String)

    /// Whether nobody is in between. Then we have to clear the TPM of what is left in it, because nobody does it for us.
    var isDirect: Bool {
        if case .swtpm = self { true } else { false }
    }

    static let devicePath = "/dev/tpmrm0"

    /// The machine's own TPM, if this process may use it.
    public static var found: TPMRoute? {
        // Opening it tells more than checking permissions.
        let fd = unsafe thumb_open(devicePath, O_RDWR | O_CLOEXEC, 0)
        guard fd >= 0 else { return nil }
        close(fd)
        return .device
    }

    /// Reads `device`, `tabrmd` or `swtpm:/PATH`; nil for anything else.
    public init?(_ word: String) {
        let swtpm = "swtpm:"
        switch word {
        case "device": self = .device
        case "tabrmd": self = .tabrmd
        case _ where word.hasPrefix(swtpm + "/"):
            let path = String(word.dropFirst(swtpm.count))
            // The stack treats commas and NUL as ends.
            guard path.utf8.count < 100, !path.utf8.contains(where: { $0 == UInt8(ascii: ",") || $0 == 0 }) else { return nil }
            self = .swtpm(path: path)
        default: return nil
        }
    }

    /// The word that this was read from.
    public var word: String {
        switch self {
        case .device: "device"
        case .tabrmd: "tabrmd"
        case .swtpm(let path): "swtpm:" + path
        }
    }
}
