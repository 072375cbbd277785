public import ThumbConversation
public import ThumbLoop
public import ThumbSensors

/// Where the processes are that serve system mode: who starts them, and how they are reached.
@OnLoop public protocol ProcessPlaces: AnyObject {
    /// Connects to a user's device, which is started where it doesn't run; answers once, later. nil: it can't be had.
    func device(of uid: UInt32, _ answer: @escaping (Int32?) -> Void)
    /// A connection to who serves devices; nil where there is none.
    func connection(to server: Want.Server) -> Int32?
    /// Who watches the machine and a user's session.
    func machine(of uid: UInt32) -> any MachineWatch
}
