import ThumbSignInServer

/// What an operator wants done to an account. It needs no running server.
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
