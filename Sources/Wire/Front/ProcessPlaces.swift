public import ThumbConversation
public import ThumbLoop
public import ThumbSensors

/// Where the processes of system mode are: this starts them and connects to them.
@OnLoop public protocol ProcessPlaces: AnyObject {
    /// Connects to a user's device and starts it if it doesn't run. Answers once, later, with nil if that fails.
    func device(of uid: UInt32, _ answer: @escaping (Int32?) -> Void)
    /// Whether a user has a store.
    func hasStore(of uid: UInt32) -> Bool
    /// A connection to one of the servers; nil if there is none.
    func connection(to server: Want.Server) -> Int32?
    /// Watches the machine and a user's session.
    func machine(of uid: UInt32) -> any MachineWatch
}
