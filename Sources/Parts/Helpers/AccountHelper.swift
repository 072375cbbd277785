public import ThumbAccess
public import ThumbAuthentication
import ThumbConversation
public import ThumbLoop
public import ThumbSecrets

/// The system's judge of account passwords, in a process of its own. PAM's modules are foreign code and are never loaded beside keys.
@OnLoop public final class AccountHelper {
    private let uid: UInt32
    private let connect: () -> Int32?
    private let log: (String) -> Void

    /// - Parameter connect: makes a connection to a fresh helper, which this takes over; nil if there is none.
    public init(uid: UInt32, connect: @escaping () -> Int32?, log: @escaping (String) -> Void) {
        self.uid = uid
        self.connect = connect
        self.log = log
    }
}

extension AccountHelper: @OnLoop AccountPassword {
    public func check(
        _ password: SecretBytes, asking: @escaping (AccountQuestion, @escaping (SecretBytes?) -> Void) -> Void,
        _ answer: @escaping (AccountVerdict) -> Void
    ) {
        guard let fd = connect() else {
            log("the account's password can't be judged: there is no helper")
            let reply = LoopBox(answer)
            return EventLoop.shared.post { reply.value(.unavailable) }
        }
        _ = HelperRun(fd, CheckPassword(uid: uid, password), asking: asking) { [log] verdict in
            if verdict == .unavailable { log("the account's password was not judged") }
            answer(verdict)
        }
    }
}
