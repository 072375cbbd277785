/// What an access group's name says by itself.
///
/// A program names itself by the path that the kernel knows, or by a bundle identifier. If more is proved about it, its group has a name
/// that no program can give itself: `protected:…`, `flatpak:…`, `snap:…`.
public enum GroupName {
    /// Longest name of a group that can be made, and longest label that counts.
    public static let limit = 200

    /// The group of programs that let nobody look at them and have no bundle identifier. To the daemon they are one program.
    public static let hidden: ExactName = "process"

    private static let protectedPrefix: StaticString = "protected:"
    private static let sandboxPrefixes: [StaticString] = ["flatpak:", "snap:"]

    public static func protected(_ name: String) -> ExactName { ExactName("\(protectedPrefix)\(name)") }
    public static func sandboxed(_ sandbox: Sandbox) -> ExactName {
        switch sandbox {
        case .flatpak(let app): ExactName("flatpak:" + app)
        case .snap(let name): ExactName("snap:" + name)
        }
    }

    /// The owner of a group, as far as its name tells.
    public enum Owner: Sendable, Hashable {
        /// The program that the name stands for: a path, or a sandboxed app.
        case program(String, CallerClass)
        case nobody
    }

    public static func owner(of group: ExactName) -> Owner {
        if group.hasPrefix(protectedPrefix) { return .program(group.rest(after: protectedPrefix), .protected) }
        for prefix in sandboxPrefixes where group.hasPrefix(prefix) {
            return .program(group.rest(after: prefix), .sandboxed)
        }
        guard group.hasPrefix("/") else { return .nobody }
        return .program(group.lastComponent ?? "process", .consented)
    }

    /// Whether a name can be shown as it is and told from others. A name with a control character can't.
    public static func isPlain(_ group: ExactName) -> Bool {
        !group.isEmpty && group.utf8.count <= limit && SafeText(group.text).description.utf8.elementsEqual(group.utf8)
    }

    /// The own group of a program with that bundle identifier; nil if no program may give itself that name.
    public static func own(label: ExactName) -> ExactName? {
        let safe = ExactName(SafeText(label.text).description)
        return safe.isEmpty || safe == hidden || owner(of: safe) != .nobody ? nil : safe
    }
}
