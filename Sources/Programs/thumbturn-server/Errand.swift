import ThumbSignInServer

/// What an operator wants done to an account, and where there is no server needed for it.
enum Errand {
    case add(String)
    case setPassword(String)
    case setLocked(String, Bool)
    case remove(String)
    case list
    case listSessions(String)
    case endSessions(String, String?)
    case listDevices(String)
    case revoke(String, device: String)

    /// Takes its words off the front; nil where they are none.
    init?(_ kind: String, _ rest: inout ArraySlice<String>) {
        guard let verb = rest.popFirst() else { return nil }
        if kind == "account", verb == "list" {
            self = .list
            return
        }
        guard let name = rest.popFirst() else { return nil }
        switch (kind, verb) {
        case ("account", "add"): self = .add(name)
        case ("account", "passwd"): self = .setPassword(name)
        case ("account", "lock"): self = .setLocked(name, true)
        case ("account", "unlock"): self = .setLocked(name, false)
        case ("account", "remove"): self = .remove(name)
        case ("session", "list"): self = .listSessions(name)
        case ("session", "end"):
            // An option may follow in its place.
            let isThere = rest.first.map { !$0.hasPrefix("--") } ?? false
            self = .endSessions(name, isThere ? rest.popFirst() : nil)
        case ("device", "list"): self = .listDevices(name)
        case ("device", "revoke"):
            guard let device = rest.popFirst() else { return nil }
            self = .revoke(name, device: device)
        default: return nil
        }
    }

    static func usage(_ kind: String) -> String {
        switch kind {
        case "account": "it is: account add|passwd|lock|unlock|remove NAME, or account list"
        case "session": "it is: session list NAME, or session end NAME [SESSION]"
        default: "it is: device list NAME, or device revoke NAME DEVICE"
        }
    }

    func run(_ accounts: AccountKeeping, _ say: (String) -> Void) throws(ServerError) {
        switch self {
        case .add(let name): try accounts.add(name)
        case .setPassword(let name): try accounts.setPassword(name)
        case .setLocked(let name, let isLocked): try accounts.setLocked(name, isLocked)
        case .remove(let name): try accounts.remove(name)
        case .list: try accounts.list(say)
        case .listSessions(let name): try accounts.listSessions(name, say)
        case .endSessions(let name, let session): try accounts.endSessions(name, session)
        case .listDevices(let name): try accounts.listDevices(name, say)
        case .revoke(let name, let device): try accounts.revoke(name, device)
        }
    }
}
