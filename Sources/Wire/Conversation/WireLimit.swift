/// The limits of the wire, as docs/PROTOCOL.md gives their reasons.
public enum WireLimit {
    public static let version: UInt16 = 1
    public static let frameBeforeWelcome = 4 << 10
    public static let frame = 2 << 20
    public static let page = 256 << 10
    public static let connections = 2048
    public static let connectionsPerUser = 256
    public static let callsPerUser = 4096
    /// What the calls under way said, together, with `callBytes` for each.
    public static let callBytesPerUser = 8 << 20
    public static let callBytes = 1 << 10
    public static let contextsPerConnection = 10_000
    public static let contextsPerUser = 40_000
    /// What a connection, a user's connections and all together may have unread; beyond, who hasn't read for longest is closed.
    public static let unreadBytes = 10 << 20
    public static let unreadBytesPerUser = 12 << 20
    public static let unreadBytesInAll = 16 << 20
    /// A connection with more than this unread isn't read, until less than a quarter of it is left.
    public static let muchUnread = 256 << 10
    /// What all clients, and those of one user, have in locked memory: frames, what is kept of them, and secrets they haven't read.
    public static let lockedBytesInAll = 24 << 20
    public static let lockedBytesPerUser = 16 << 20
    /// What frames that are still coming take of it.
    public static let comingBytesInAll = 6 << 20
    public static let comingBytesPerUser = 4 << 20
    /// Passwords and passphrases that wait to be stretched, of one connection and of one user.
    public static let stretchesPerConnection = 8
    public static let stretchesPerUser = 64
    public static let secondsForHello = 10.0
    /// How long a frame may take from its first byte to its last; what it waits for room isn't counted.
    public static let secondsForFrame = 10.0
    /// How long an export or import waits for the next chunk to be asked for, and how long it may take as a whole.
    public static let secondsBetweenChunks = 60.0
    public static let secondsForBackup = 3600.0
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
    /// A frame between a device and a broker of system mode: a key's material with what it is used on, and room.
    public static let brokerFrame = 4 << 10
    /// Connections to one broker, of one user and in all: a device has one, and another when it was started anew.
    public static let brokerConnectionsPerUser = 4
    public static let brokerConnections = 1024
    /// Questions to the reader's broker under way, of one connection: beyond, it isn't read.
    public static let readerQuestions = 8
    /// How long a broker waits to hear whom a connection is for.
    public static let secondsForServe = 10.0
    /// How long a device waits for the TPM's keeper: everybody's commands that come before, with room.
    public static let secondsForTPM = 60.0
    /// Records of the audit looked at for one answer; whoever wants more asks for what comes after.
    public static let auditRecords = 128
    /// Records that a verification reads in one turn of the loop: others are served between two turns.
    public static let auditRecordsVerified = 512
    /// How long a reading of the whole audit may wait for its next page.
    public static let secondsBetweenAuditPages = 60.0
}
