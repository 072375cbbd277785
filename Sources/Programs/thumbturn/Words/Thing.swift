import ThumbAccess

/// What a message is about.
enum Thing: Sendable {
    case secret(String, account: String)
    case key(String)
    case sshKey(String)
    case keptItem(String)
    case secrets, keys, sshKeys, keptItems, apps, companions, log
    case backup, passcode, allowance, item

    /// Its name, to be used after an article: `secret 'mail'`.
    var name: String {
        switch self {
        case .secret(let name, ""): "secret \(Self.quoted(name))"
        case .secret(let name, let account): "secret \(Self.quoted(name)) of account \(Self.quoted(account))"
        case .key(let name): "key \(Self.quoted(name))"
        case .sshKey(let name): "SSH key \(Self.quoted(name))"
        case .keptItem(let label): "item \(Self.quoted(label))"
        case .secrets: "list of secrets"
        case .keptItems: "list of kept items"
        case .keys: "list of keys"
        case .sshKeys: "list of SSH keys"
        case .apps: "list of apps"
        case .companions: "list of paired machines"
        case .log: "log"
        case .backup: "backup"
        case .passcode: "passcode"
        case .allowance: "setting"
        case .item: "item"
        }
    }

    /// The command that lists such things.
    var list: String? {
        switch self {
        case .secret, .secrets: "thumbturn secret list"
        case .key, .keys: "thumbturn key list"
        case .sshKey, .sshKeys: "thumbturn ssh-key list"
        case .keptItem, .keptItems: "thumbturn protect-item --list"
        case .apps: "thumbturn apps"
        case .companions: "thumbturn companion list"
        case .log, .backup, .passcode, .allowance, .item: nil
        }
    }

    private static func quoted(_ text: String) -> String { "'\(SafeText(text, limit: 60))'" }
}
