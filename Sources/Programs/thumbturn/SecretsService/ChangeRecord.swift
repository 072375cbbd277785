import CThumbLinux
import ThumbSystem

/// What switching on changed, in a file of the user's, so that switching off can take it back. It is written before anything is changed.
struct ChangeRecord {
    /// Largest record that is read, in bytes. A real one has a dozen lines.
    private static let limit = 64 << 10
    private static let remark = "# What 'thumbturn secrets-service on' changed. 'thumbturn secrets-service off' reads it.\n"
    /// What stands for a setting that wasn't there.
    private static let none = "-"
    /// The first word of the line with who answered before.
    private static let keyring = "keyring"

    struct Entry: Equatable {
        let change: Change
        /// What a setting was before.
        var before: String?
    }

    private let path: String
    private(set) var entries: [Entry] = []
    /// Who answered before; nil if nobody did.
    private(set) var former: Keyring?

    /// The user's record; an empty one if there is none.
    init(_ folders: UserFolders) throws(SecretsServiceFailure) {
        path = folders.config + "/thumbturn/secrets-service"
        guard FilePlace.isThere(path) else { return }
        guard let bytes = Transfer.file(path, atMost: Self.limit), let text = String(validating: bytes, as: UTF8.self) else {
            throw .recordUnreadable(path)
        }
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: "\t").map(String.init)
            if parts.count == 2, parts[0] == Self.keyring, let keyring = Keyring(rawValue: parts[1]) {
                former = keyring
            } else if let entry = Self.entry(parts) {
                entries.append(entry)
            } else {
                throw .recordUnreadable(path)
            }
        }
    }

    var isEmpty: Bool { entries.isEmpty }

    /// Whether what is where a change puts something is ours, wherever it leads.
    func isOurs(_ change: Change) -> Bool {
        switch change {
        case .link(let path, to: _): entries.contains { $0.change.isLink(at: path) }
        case .kwallet: true
        }
    }

    /// Notes those changes that haven't been made yet, and the keyring that is taken over from. What is there already without us stays out,
    /// so that it stays when we go.
    mutating func note(_ changes: [Change], before old: Keyring?) throws(SecretsServiceFailure) {
        let before = (entries, former)
        former = old ?? former
        for change in changes where !change.isMade && !entries.contains(where: { $0.change == change }) {
            switch change {
            case .link: entries.append(Entry(change: change))
            case .kwallet(let path): entries.append(Entry(change: change, before: KWalletSetting(path)?.value))
            }
        }
        if (entries, former) != before { try write() }
    }

    /// Forgets a change that was taken back.
    mutating func forget(_ entry: Entry) throws(SecretsServiceFailure) {
        entries.removeAll { $0 == entry }
        if !entries.isEmpty { return try write() }
        guard unsafe unlink(path) == 0 || thumb_errno() == ENOENT else { throw .notChanged(path) }
    }

    private static func entry(_ parts: [String]) -> Entry? {
        guard parts.count == 3 else { return nil }
        return switch parts[0] {
        case "link": Entry(change: .link(parts[1], to: parts[2]))
        case "kwallet": Entry(change: .kwallet(parts[1]), before: parts[2] == none ? nil : parts[2])
        default: nil
        }
    }

    private func write() throws(SecretsServiceFailure) {
        var text = Self.remark + (former.map { "\(Self.keyring)\t\($0.rawValue)\n" } ?? "")
        for entry in entries {
            switch entry.change {
            case .link(let path, let target): text += "link\t\(path)\t\(target)\n"
            case .kwallet(let path): text += "kwallet\t\(path)\t\(entry.before ?? Self.none)\n"
            }
        }
        PrivateFolder.makeWithParents(FilePlace.folder(of: path))
        do throws(ReplacedFile.Setback) {
            try ReplacedFile.put(text, at: path)
        } catch {
            throw .notChanged(path)
        }
    }
}
