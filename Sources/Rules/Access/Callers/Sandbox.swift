/// The app that a sandbox confines, as the sandbox names it. An app that can't be understood has no name.
public enum Sandbox: Sendable, Hashable {
    case flatpak(String)
    case snap(String)

    /// Longest file that is read: Flatpak's has some twenty lines, a process's control groups a few.
    public static let fileBytes = 64 << 10

    /// From `/.flatpak-info`, a key file: the name in its section `Application`.
    public static func flatpak(info: [UInt8]) -> Sandbox? {
        var section = ""
        var found: String?
        for line in lines(info) {
            if line.hasPrefix("["), line.hasSuffix("]") {
                section = String(line.dropFirst().dropLast())
            } else if section == "Application", let name = value(of: "name", in: line) {
                // Two names would be two apps, depending on the reader.
                guard found == nil else { return nil }
                found = name
            }
        }
        guard let found, isFlatpakName(found) else { return nil }
        return .flatpak(found)
    }

    /// From an AppArmor label: `snap.NAME.APP (enforce)`. A snap that isn't confined isn't a sandbox.
    public static func snap(label: [UInt8]) -> Sandbox? {
        let text = String(decoding: label.prefix { $0 != 0 && $0 != 0x0a }, as: UTF8.self)
        guard text.hasSuffix(" (enforce)") else { return nil }
        let parts = text.dropLast(" (enforce)".count).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[0] == "snap", isSnapName(parts[1]) else { return nil }
        return .snap(String(parts[1]))
    }

    /// The Flatpak apps that control groups belong to, according to the groups' names. A process can neither leave its control groups nor
    /// hide them. A name that can't be understood counts as an app without a name.
    public static func flatpaks(cgroup: [UInt8]) -> Set<ExactName> {
        var apps: Set<ExactName> = []
        for line in lines(cgroup) {
            for part in line.split(separator: "/") {
                guard part.hasPrefix(scopePrefix), part.hasSuffix(scopeSuffix) else { continue }
                let inside = part.dropFirst(scopePrefix.count).dropLast(scopeSuffix.count)
                // `ID-INSTANCE`. A hyphen in the ID is escaped in the service manager's way.
                apps.insert(ExactName(inside.lastIndex(of: "-").map { unescaped(inside[..<$0]) } ?? ""))
            }
        }
        return apps
    }

    private static func unescaped(_ id: Substring) -> String {
        let parts = id.split(separator: Character("\\"), omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts[0])) {
            $0 + ($1.hasPrefix("x2d") ? "-" + $1.dropFirst("x2d".count) : "\\" + $1)
        }
    }

    private static let scopePrefix = "app-flatpak-"
    private static let scopeSuffix = ".scope"

    private static func lines(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: 0x0a).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func value(of key: String, in line: String) -> String? {
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, trimmed(parts[0]) == key else { return nil }
        return trimmed(parts[1])
    }

    private static func trimmed(_ text: Substring) -> String {
        var rest = text
        while rest.last == " " { rest.removeLast() }
        return String(rest.drop { $0 == " " })
    }

    /// As Flatpak allows them: at least two parts of letters, digits, underscores and hyphens.
    private static func isFlatpakName(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count >= 2 && name.utf8.count <= 190
            && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { isWord($0) || $0 == UInt8(ascii: "-") } }
    }

    /// As snapd allows them: small letters, digits and hyphens, and for a second instance an underscore and its key.
    private static func isSnapName(_ name: Substring) -> Bool {
        !name.isEmpty && name.utf8.count <= 60
            && name.utf8.allSatisfy { (isWord($0) || $0 == UInt8(ascii: "-")) && !(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0) }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
