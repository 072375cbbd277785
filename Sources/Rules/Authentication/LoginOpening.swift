/// Whose is what a finger opened at a login.
///
/// The system judges an account after the finger: it may be locked, or not allowed in at this hour. Until it has, what was opened isn't
/// opened for good.
public struct LoginOpening {
    /// The logins that were let in by a finger and may still be refused.
    private var waiting: Set<ObjectIdentifier> = []
    /// Whether a login that it was opened for has gone on.
    private var isForGood = false

    public init() {}

    /// A login's finger has matched. `isOpen`: whether what a login may open is open already.
    public mutating func begins(isOpen: Bool) { isForGood = isForGood && isOpen }

    /// A login was let in.
    public mutating func letIn(_ login: AnyObject) { if !isForGood { waiting.insert(ObjectIdentifier(login)) } }

    /// A login goes on: the account may log in.
    public mutating func stands(_ login: AnyObject) {
        guard waiting.contains(ObjectIdentifier(login)) else { return }
        waiting = []
        isForGood = true
    }

    /// A login is gone. Answers whether what was opened is to be shut: nobody has logged in by it, and nobody else is about to.
    public mutating func ends(_ login: AnyObject) -> Bool {
        waiting.remove(ObjectIdentifier(login)) != nil && waiting.isEmpty
    }
}
