/// Whose is what a finger opened at a login.
///
/// The system judges an account after the finger: it may be locked, or not allowed in at this hour. Until it has, what was opened isn't
/// opened for good.
public struct LoginOpening {
    /// The logins that a finger let in, and of which nobody knows yet how they go on.
    private var letIn: Set<ObjectIdentifier> = []
    /// Whether a login that it was opened for has gone on.
    private var isForGood = false

    public init() {}

    /// A finger has matched at a login.
    ///
    /// - Parameter isOpen: whether what it is about to open is open already.
    public mutating func begins(isOpen: Bool) { isForGood = isForGood && isOpen }

    /// A login was let in.
    public mutating func letsIn(_ login: AnyObject) { letIn.insert(ObjectIdentifier(login)) }

    /// A login goes on: the account may log in. False if it wasn't let in.
    public mutating func stands(_ login: AnyObject) -> Bool {
        guard letIn.remove(ObjectIdentifier(login)) != nil else { return false }
        isForGood = true
        return true
    }

    /// A login is gone. Answers whether what was opened is to be shut: nobody has logged in by it, and nobody else is about to.
    public mutating func ends(_ login: AnyObject) -> Bool {
        letIn.remove(ObjectIdentifier(login)) != nil && letIn.isEmpty && !isForGood
    }
}
