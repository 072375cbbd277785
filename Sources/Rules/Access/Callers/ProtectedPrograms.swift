/// A program that is known by its group, which root made for it alone.
public struct ProtectedProgram: Sendable, Hashable {
    public var gid: UInt32
    /// The name in its access group, and in prompts.
    public var name: String
    public var path: ExactName

    /// nil unless the registry may contain such a line.
    public init?(gid: UInt32, name: String, path: ExactName) {
        // 0 is root's. 65534 and the last number are what the kernel says if it doesn't know.
        guard gid != 0, gid != 65534, gid != .max, Self.isName(name), Self.isPath(path.text) else { return nil }
        self.gid = gid
        self.name = name
        self.path = path
    }

    /// The two programs that show prompts, by the names that only they may have: the one on a terminal, and the one that starts
    /// the window.
    public static let promptPrograms = ["prompt": "thumbturn-prompt", "window": "thumbturn-window-launcher"]
    /// Thumbturn's own programs, by the names that only they may have: those two, and the one that keeps the passwords of others. What it
    /// says about the programs that call it is believed.
    public static let ownPrograms = promptPrograms.merging(["secrets": "thumbturn-secrets"]) { first, _ in first }
    /// Whether this shows prompts. Then it is no app and keeps nothing.
    public var showsPrompts: Bool { Self.promptPrograms[name] != nil }
    /// Whether it is a program of Thumbturn's own.
    public var isOwn: Bool { Self.ownPrograms[name] != nil }

    /// Longest name: the system group's name, `thumbturn-` and this, may have 32 letters.
    public static let nameLimit = 22

    public static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= nameLimit else { return false }
        return first != UInt8(ascii: "-")
            && name.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                    UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    private static func isPath(_ path: String) -> Bool {
        path.hasPrefix("/") && path.utf8.count <= 4095 && SafeText(path, limit: 4096).description.utf8.elementsEqual(path.utf8)
            && !path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().contains {
                ["", ".", ".."].contains($0)
            }
    }
}

/// The programs that root protected, from a text of lines `GID NAME PATH`. If one line can't be understood, no program is protected.
public struct ProtectedPrograms: Sendable, Hashable {
    public static let path = "/etc/thumbturn/protected"
    public static let fileBytes = 64 << 10
    public static let limit = 256

    public private(set) var programs: [ProtectedProgram]

    public init() { programs = [] }

    /// nil if a line can't be read, a group or a name occurs twice, or there are more than `limit`.
    public init?(_ file: [UInt8]) {
        guard file.count <= Self.fileBytes, file.isEmpty || file.last == 0x0a, let text = String(validating: file, as: UTF8.self)
        else { return nil }
        programs = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, let gid = UInt32(parts[0]), String(gid) == parts[0],
                let program = ProtectedProgram(gid: gid, name: parts[1], path: ExactName(parts[2])), add(program)
            else { return nil }
        }
    }

    /// Returns false if its group, its name or its path already belongs to another, or there is no room.
    public mutating func add(_ program: ProtectedProgram) -> Bool {
        guard programs.count < Self.limit,
            !programs.contains(where: { $0.gid == program.gid || $0.name == program.name || $0.path == program.path })
        else { return false }
        programs.append(program)
        return true
    }

    public mutating func remove(_ program: ProtectedProgram) { programs.removeAll { $0 == program } }

    public subscript(gid: UInt32) -> ProtectedProgram? { programs.first { $0.gid == gid } }

    /// The text of this file.
    public var text: String {
        "# Programs that Thumbturn knows by their group, written by 'thumbturn protect': gid, name, path.\n"
            + programs.map { "\($0.gid) \($0.name) \($0.path)\n" }.joined()
    }
}
