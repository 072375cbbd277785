/// The limits that an agent's peers are held to, each with its reason.
public enum AgentLimit {
    /// One request: as much as OpenSSH's own agent takes.
    public static let frameBytes = 256 << 10
    /// Sessions that one connection is bound to: hops of a forwarded agent, as many as OpenSSH's agent counts.
    public static let bindings = 16
    /// A session's identifier: a hash, and none is longer than 64 bytes.
    public static let sessionBytes = 128
    /// Connections at once: each has a thread that may be waiting for a finger.
    public static let connections = 64
    /// Seconds that a request may take from its first byte to its last, and an answer to be read: peers are on this machine.
    public static let secondsForFrame = 10
    /// Seconds between two requests of one connection: a forwarded one lies idle for long, but not for ever.
    public static let secondsIdle = 3600
    /// Keys that are offered: a server gives up after half a dozen, and a list must fit a frame.
    public static let identities = 256
    /// A file of known hosts: more than anybody has collected.
    public static let knownHostsBytes = 8 << 20
}
