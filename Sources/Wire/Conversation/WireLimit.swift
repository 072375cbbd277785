/// The limits of the wire, as docs/PROTOCOL.md gives their reasons.
public enum WireLimit {
    public static let version: UInt16 = 1
    public static let frameBeforeWelcome = 4 << 10
    public static let frame = 2 << 20
    public static let page = 256 << 10
    public static let connectionsPerUser = 256
    public static let callsPerUser = 4096
    public static let contextsPerConnection = 10_000
    public static let unreadBytes = 64 << 20
    public static let secondsForHello = 10.0
    public static let ticketBytes = 32
    public static let labelBytes = 255
    public static let faceUsageBytes = 1024
    /// An X display's name.
    public static let displayBytes = 255
    /// Kind and call number: what every frame has after its length.
    public static let headBytes = 5
    /// A frame between the daemon and a helper: a password or a question, and room.
    public static let helperFrame = 4 << 10
    /// How long a helper may take without asking anything: modules that wait for a server or a camera, with room.
    public static let secondsForHelper = 60.0
    /// Longest delay that a module may impose on a verdict.
    public static let secondsOfDelay = 10.0
    /// Records of the audit looked at for one answer; whoever wants more asks for what comes after.
    public static let auditRecords = 128
    /// Records that a verification reads in one turn of the loop: others are served between two turns.
    public static let auditRecordsVerified = 512
    /// How long a reading of the whole audit may wait for its next page.
    public static let secondsBetweenAuditPages = 60.0
}
