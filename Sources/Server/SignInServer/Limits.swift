/// What HTTP is held to, each with its reason; docs/developers/sign-in.md has them for people. What a sign-in is held to is ThumbSignIn's.
enum Limits {
    /// Bytes of a body: a registration with an RSA key by mistake still gets a good answer.
    static let body = 16 * 1024
    /// Bytes of a body that is too large and is read to its end all the same, because a client that is still sending doesn't
    /// hear the answer. Beyond it the connection is cut.
    static let swallowed = 2 * 1024 * 1024
    /// Bytes of a request's target: the longest route has 66.
    static let target = 1024
    /// Bytes of headers, as other servers have it.
    static let headers = 8 * 1024
    /// Memory of a connection: the longest target and headers that get an answer of ours.
    static let connectionMemory = 32 * 1024
    /// Connections at once; beyond them a new one is closed.
    static let connections = 4096
    /// Connections of one client.
    static let connectionsOfClient = 256
    /// Seconds that a connection may wait for nothing, and that a request may take to arrive or an answer to be fetched.
    static let patience: UInt64 = 10
    /// Characters of a password: more is no password, and would cost more to stretch.
    static let password = 256
    /// The bytes that these can have in UTF-8.
    static let passwordBytes = 4 * password
    /// Passwords stretched at once: each takes 64 MiB.
    static let stretchers = 2
    /// Passwords waiting for that, or for their account's turn: a minute's work.
    static let waitingPasswords = 256
    /// Names that nobody has, of which wrong passwords are remembered.
    static let strangers = 4096
    /// Parsed keys: some fifty megabytes where that many devices sign in.
    static let keys = 16_384
    /// Clients whose requests are counted.
    static let clients = 65_536
    /// Bytes of log lines that wait to be written; beyond them lines are dropped and counted.
    static let logBytes = 1024 * 1024
    /// Descriptors beside those of connections: the database, the log, each thread's own.
    static let otherDescriptors = 256
    /// Deeds behind which some of what is over is forgotten: a quarter of what one such deed can forget.
    static let forgetEvery = 256
    /// Nanoseconds between two transactions' beginnings, where several requests wait: a commit costs as much of a processor as two verifications.
    static let pace: UInt64 = 1_000_000
    /// Threads that speak HTTP.
    static let threads = 2
}
