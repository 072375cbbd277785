import CThumbLinux
import ThumbAccess
import ThumbBus

/// What polkit asks its agent, as it came over the bus.
struct PolkitCall: Sendable, Equatable {
    let action: ExactName
    let message: String
    let icon: String
    let details: [PolkitWords.Detail]
    /// The process that will act, and the one it acts for.
    let caller: Int32?
    let subject: Int32?
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
        let all = details.compactMap { entry -> PolkitWords.Detail? in
            guard case .entry(let pair) = entry, pair.count == 2, let name = pair[0].text, let value = pair[1].text else {
                return nil
            }
            return PolkitWords.Detail(name, value)
        }
        func process(_ name: String) -> Int32? { all.first { $0.name == name }.flatMap { Int32($0.value) } }
        (caller, subject) = (process("polkit.caller-pid"), process("polkit.subject-pid"))
        // Those are notes of polkit's own to its agents.
        self.details = all.filter { !$0.name.hasPrefix("polkit.") }.sorted { $0.name < $1.name }
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

    /// Who asks.
    var processes: AskingProcesses {
        let isOfPkexec = action == ExactName("org.freedesktop.policykit.exec")
        return AskingProcesses(caller: caller, subject: subject, message: isOfPkexec ? message : nil)
    }

    /// What is to be shown.
    func words(_ known: KnownAction?, _ asking: AskingProcesses) -> PolkitWords {
        PolkitWords(
            action: action, message: message, vendor: known?.vendor, icon: icon.isEmpty ? nil : icon, command: asking.command,
            asker: asking.asker, details: details, account: account, isKept: known?.isKept ?? true,
            isWhole: known != nil && asking.isKnown)
    }
}

/// What polkit knows of an action, beside what it tells with a question.
struct KnownAction: Sendable, Equatable {
    /// Who made it; nil if nobody says.
    let vendor: String?
    /// Whether an answer holds for a while, by the action's makers. Rules of an administrator's can say otherwise.
    let isKept: Bool

    /// The action of that name among all, as polkit tells them; nil if it isn't there.
    init?(_ action: ExactName, in actions: [BusValue]) {
        let known = actions.first { $0.list?.first?.text.map { ExactName($0) } == action }?.list
        guard let known, known.count > 8, let vendor = known[3].text, let whenActive = known[8].number else { return nil }
        self.vendor = vendor.isEmpty ? nil : vendor
        isKept = Self.kept.contains(whenActive)
    }

    /// Polkit's numbers for "the owner's word, kept" and "an administrator's word, kept".
    private static let kept: Set<Int64> = [3, 4]
}
