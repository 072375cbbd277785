/// The limits of the wire, as docs/PROTOCOL.md gives their reasons.
public enum WireLimit {
    public static let version: UInt16 = 1
    public static let frameBeforeWelcome = 4 << 10
    public static let frame = 2 << 20
    public static let page = 256 << 10
    public static let connections = 2048
    public static let connectionsPerUser = 256
    public static let callsPerUser = 4096
    /// The bytes of all calls under way together, and what each call counts besides.
    public static let callBytesPerUser = 8 << 20
    public static let callBytes = 1 << 10
    public static let contextsPerConnection = 10_000
    public static let contextsPerUser = 40_000
    /// How much a connection, a user's connections and all connections may leave unread. Beyond that, the connection that hasn't read for
    /// longest is closed.
    public static let unreadBytes = 10 << 20
    public static let unreadBytesPerUser = 12 << 20
    public static let unreadBytesInAll = 16 << 20
    /// A connection that has more than this to read isn't read itself, until less than a quarter of it is left.
    public static let muchUnread = 256 << 10
    /// Locked memory of all clients and of one user's: frames, what is kept of them, and secrets that haven't been read yet.
    public static let lockedBytesInAll = 24 << 20
    public static let lockedBytesPerUser = 16 << 20
    /// How much of that incomplete frames may take.
    public static let comingBytesInAll = 6 << 20
    public static let comingBytesPerUser = 4 << 20
    /// How many passwords and passphrases of one connection and of one user may wait to be stretched.
    public static let stretchesPerConnection = 8
    public static let stretchesPerUser = 64
    public static let secondsForHello = 10.0
    /// How long a login that a finger let in has until it says that it goes on.
    public static let secondsToStand = 120.0
    /// How long a frame may take from its first byte to its last. Time spent waiting for room doesn't count.
    public static let secondsForFrame = 10.0
    /// How long an export or import waits for the request for its next chunk, and how long it may take as a whole.
    public static let secondsBetweenChunks = 60.0
    public static let secondsForBackup = 3600.0
    public static let ticketBytes = 32
    public static let labelBytes = 255
    public static let faceUsageBytes = 1024
    /// An X display's name.
    public static let displayBytes = 255
    /// Kind and call number: what every frame has after its length.
    public static let headBytes = 5
    /// A frame between the daemon and a helper: a password or a question, with some room to spare.
    public static let helperFrame = 4 << 10
    /// What polkit's agent says: all of polkit's words, in letters of four bytes.
    public static let polkitFrame = 16 << 10
    /// How long a helper may take without asking anything. Its modules may wait for a server or a camera; this leaves room.
    public static let secondsForHelper = 60.0
    /// Longest delay that a module may impose on a verdict.
    public static let secondsOfDelay = 10.0
    /// A frame between a device and a broker of system mode: a key's material, the data it is used on, and some room to spare.
    public static let brokerFrame = 4 << 10
    /// Connections to one broker, of one user and in all. A device has one, and a second one after a restart.
    public static let brokerConnectionsPerUser = 4
    public static let brokerConnections = 1024
    /// Questions that one connection may have under way at the reader's broker. Beyond that, the connection isn't read.
    public static let readerQuestions = 8
    /// How long a broker waits to hear which user a connection is for.
    public static let secondsForServe = 10.0
    /// How long a device waits for the TPM's keeper. This allows for everybody's commands that come first.
    public static let secondsForTPM = 60.0
    /// A sealed frame between two paired machines.
    public static let companionFrame = 16 << 10
    /// How many records of the audit are looked at for one answer. To get more, ask for the next page.
    public static let auditRecords = 128
    /// How many records a verification reads in one turn of the loop, so that other clients are served between two turns.
    public static let auditRecordsVerified = 512
    /// How long a reading of the whole audit may wait for its next page.
    public static let secondsBetweenAuditPages = 60.0
}
