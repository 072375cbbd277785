/// In what case each peer is measured, printed beside its figure: what it does that ours doesn't, and the other way round.
enum PeerCase {
    static let echo = "32 bytes there and back over a Unix socket; nothing is parsed, asked or kept; the caller sleeps"
    static let echoAwake = "the same, and the caller polls for 50 us before it sleeps, as ours does"
    static let libsecret =
        "libsecret's own call in a program of C, over D-Bus to gnome-keyring-daemon; its keyring is in its memory, open, and asks nobody; "
        + "ours is on disk and asks nobody either"
    static let libsecretAdd = "the same; it writes and flushes its whole keyring, and ours commits one item"
    static let provider =
        "the same program with libsecret, in turn: theirs answers any program, from its memory; ours asks its daemon each time, which "
        + "looks up who reads, on disk"
    static let secretTool = "a whole process from start to end, on the same bus and keyring; ours is one too"
    static let sshAgent =
        "its key is in its own memory, and it doesn't verify what it signed; ours asks a device behind another socket, which verifies"
    static let fprintd = "a program that asks fprintd itself and takes its verdict; no prompt, no rule and no secret"
    static let pamUnix = "the same program, terminal and password, without our module: nobody asks for a finger"
    static let opensslSpeed = "OpenSSL's own benchmark on one thread, over a digest that is there; ours hashes the statement too"
}
