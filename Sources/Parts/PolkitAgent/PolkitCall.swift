import CThumbLinux
import ThumbAccess
import ThumbBus

/// What polkit asks its agent, as it came over the bus.
struct PolkitCall: Sendable, Equatable {
    let action: ExactName
    let message: String
    let icon: String
    let details: [PolkitWords.Detail]
    /// Polkit's name for the question. Only root can use it.
    let cookie: String
    /// The account whose word is asked for.
    let uid: UInt32
    let account: ExactName

    /// nil if something in it isn't as polkit has it, or no account that it names is here.
    ///
    /// - Parameter user: the session's user, whose own word is asked for if polkit takes it. Otherwise it is the first account's.
    init?(_ values: [BusValue], user: UInt32) {
        guard values.count == 6, let action = values[0].text, let message = values[1].text, let icon = values[2].text,
            case .array(let details) = values[3], let cookie = values[4].text, Self.isCookie(cookie),
            let identities = values[5].list
        else { return nil }
        (self.action, self.message, self.icon, self.cookie) = (ExactName(action), message, icon, cookie)
        self.details = details.compactMap { entry -> PolkitWords.Detail? in
            guard case .entry(let pair) = entry, pair.count == 2, let name = pair[0].text, let value = pair[1].text else {
                return nil
            }
            // Those are notes of polkit's own to its agents.
            return name.hasPrefix("polkit.") ? nil : PolkitWords.Detail(name, value)
        }.sorted { $0.name < $1.name }
        let users = identities.compactMap { identity -> UInt32? in
            guard let parts = identity.list, parts.count == 2, parts[0].text == "unix-user" else { return nil }
            return parts[1]["uid"]?.number.flatMap { UInt32(exactly: $0) }
        }
        guard let uid = users.contains(user) ? user : users.first, let account = Self.account(of: uid) else { return nil }
        (self.uid, self.account) = (uid, account)
    }

    /// The helper reads one line.
    private static func isCookie(_ text: String) -> Bool {
        (1...1024).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }

    private static func account(of uid: UInt32) -> ExactName? {
        guard let entry = unsafe getpwuid(uid), let name = unsafe entry.pointee.pw_name else { return nil }
        let text = unsafe String(cString: name)
        // It is an argument of the helper's.
        return text.isEmpty || text.hasPrefix("-") ? nil : ExactName(text)
    }

    func words(vendor: String?) -> PolkitWords {
        PolkitWords(
            action: action, message: message, vendor: vendor, icon: icon.isEmpty ? nil : icon, details: details, account: account)
    }
}
