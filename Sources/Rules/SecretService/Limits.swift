/// What one client, one item and one call may have, each with its reason.
public enum SecretServiceLimit {
    /// Collections, with `login` and `session`: a desktop has a handful.
    public static let collections = 256
    /// Items in all collections. The index is in memory, and an item takes about a kilobyte of it.
    public static let items = 200_000
    /// Attributes of one item. Programs set two to ten.
    public static let attributes = 64
    /// All names and values of an item's attributes, in the form that is kept: one attribute of the keychain holds them.
    public static let attributeBytes = 60 << 10
    /// An item's or a collection's label: a line to show.
    public static let labelBytes = 4096
    /// A content type. The longest registered ones have some 130 bytes.
    public static let contentTypeBytes = 1024
    /// A secret: as large as the keychain takes it.
    public static let secretBytes = 1 << 20
    /// A collection's name and an alias: D-Bus allows a name 255 bytes.
    public static let nameBytes = 255
    /// Aliases of one collection: only `default` has a meaning.
    public static let aliases = 32
    /// Clients at the same time: a session has some fifty programs, and a script may start one after the other.
    public static let clients = 1024
    /// Sessions of one client: a library opens one.
    public static let sessions = 64
    /// Prompts of one client that aren't over: a client waits for one at a time.
    public static let prompts = 64
    /// Objects in one call, and so in one prompt: a client that unlocks everything it found.
    public static let objects = 100_000
    /// References in one question to the daemon about readability.
    public static let readable = 4096
    /// Bytes of the secrets in one answer: they are in locked memory until the client has read it.
    public static let answerBytes = 8 << 20
    /// Items in one question to the owner. Nobody reads more.
    public static let questionItems = 64
    /// Seconds in which what one reader asks becomes one question.
    public static let burstSeconds = 0.15
    /// Items that one reader may have waiting for a question.
    public static let waitingItems = 4096
    /// Seconds that a call waits for the owner. D-Bus gives a call up after 25.
    public static let waitSeconds = 20.0
    /// Seconds that the provider waits, doing nothing else, for an answer of the daemon that needs nobody. It comes within milliseconds
    /// unless the daemon hangs, or waits for a slow disk or TPM.
    public static let patienceSeconds = 5.0
    /// Seconds that a released secret waits for its one pick-up.
    public static let pickUpSeconds = 30.0
    /// Questions before the owner at the same time. Each has a thread and a connection, and a screen shows one.
    public static let questions = 8
    /// Questions of one reader, not about items, that wait for their turn: as many as one client's prompts.
    public static let waitingQuestions = 64
    /// Items in the collection `session`, which is in this process's locked memory.
    public static let sessionItems = 256
    /// Bytes of the secrets in the collection `session`.
    public static let sessionBytes = 4 << 20
}
