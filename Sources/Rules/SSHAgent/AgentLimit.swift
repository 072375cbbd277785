/// The limits that an agent's peers are held to, each with its reason.
public enum AgentLimit {
    /// The longest request: as long as OpenSSH's own agent accepts.
    public static let frameBytes = 256 << 10
    /// How many sessions one connection can be bound to: hops of a forwarded agent, as many as OpenSSH's agent counts.
    public static let bindings = 16
    /// The longest identifier of a session. It is a hash, and none is longer than 64 bytes.
    public static let sessionBytes = 128
    /// How many connections there may be at once. Each has a thread that may be waiting for a finger. One more takes a silent one's place.
    public static let connections = 64
    /// How many seconds a request may take from its first byte to its last, and an answer until it is read. Peers are on this machine.
    public static let secondsForFrame = 10
    /// How many seconds may pass between two requests of one connection. A forwarded one is idle for a long time, but not for ever.
    public static let secondsIdle = 3600
    /// How many keys are offered. A server gives up after half a dozen, and a list must fit a frame.
    public static let identities = 256
    /// The largest file of known hosts: more than anybody has collected.
    public static let knownHostsBytes = 8 << 20
}
