/// The limits of HTTP, each with its reason. docs/developers/sign-in.md has them for people. The limits of signing in are in ThumbSignIn.
enum Limits {
    /// Bytes of a body. Even a registration with an RSA key by mistake still gets a good answer.
    static let body = 16 * 1024
    /// Bytes of a body that is too large but is still read to its end, because a client that is still sending doesn't see the answer.
    /// Beyond that the connection is cut.
    static let swallowed = 2 * 1024 * 1024
    /// Bytes of a request's target: the longest route has 66.
    static let target = 1024
    /// Bytes of headers, as in other servers.
    static let headers = 8 * 1024
    /// Memory of a connection: the longest target and headers to which we send an answer of our own.
    static let connectionMemory = 32 * 1024
    /// Connections at once; beyond them a new one is closed.
    static let connections = 4096
    /// Connections of one client.
    static let connectionsOfClient = 256
    /// How many seconds a connection may be idle, a request may take to arrive, and an answer may take to be read.
    static let patience: UInt64 = 10
    /// Characters of a password. A longer one isn't accepted; it would cost more to stretch.
    static let password = 256
    /// How many bytes these can take in UTF-8.
    static let passwordBytes = 4 * password
    /// Passwords stretched at once: each takes 64 MiB.
    static let stretchers = 2
    /// Passwords waiting for that, or for their account's turn: a minute's work.
    static let waitingPasswords = 256
    /// One client's share of these: a sixteenth, as of the connections.
    static let waitingPasswordsOfClient = 16
    /// For how many names without an account wrong passwords are remembered.
    static let strangers = 4096
    /// How many parsed keys are kept: some fifty megabytes if that many devices sign in.
    static let keys = 16_384
    /// For how many clients requests are counted.
    static let clients = 65_536
    /// How many bytes of log lines may wait to be written. Beyond that lines are dropped and counted.
    static let logBytes = 1024 * 1024
    /// How long the end of the server waits for a reader of its log that stands still.
    static let patienceWithLog = Duration.seconds(1)
    /// Descriptors besides those of connections: the database, the log, each thread's own.
    static let otherDescriptors = 256
    /// After this many deeds some of what is over is forgotten: a quarter of what one such deed can forget.
    static let forgetEvery = 256
    /// Nanoseconds between the beginnings of two transactions if several requests wait. A commit costs as much processor time as two
    /// verifications.
    static let pace: UInt64 = 1_000_000
    /// Bytes of a file of settings: a hundred times what all settings take.
    static let settings = 256 * 1024
    /// For how many seconds HTTP's threads stay after others took their place, even if they have no client.
    static let grace: UInt64 = 2
    /// Threads that speak HTTP.
    static let threads = 2
}
