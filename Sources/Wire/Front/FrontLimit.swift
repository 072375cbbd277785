/// The front's limits, as docs/PROTOCOL.md gives their reasons.
public enum FrontLimit {
    /// Devices that run at once. One person may have many uids, and each device is a process.
    public static let devices = 64
    /// How many of one user's clients may wait for their device while it starts or is busy: as many as a device takes at once.
    public static let waiting = 256
    /// How many connections to one server a device gets at once, and the seconds until it gets one more. A server that runs PAM takes a
    /// limited number for all users, and over each connection a device can try one password.
    static let (wantsAtOnce, secondsToNextWant) = (8, 1.0)
    /// How many new wants lines a device gets at once, after its first, and the seconds until it gets one more.
    static let (linesAtOnce, secondsToNextLine) = (4, 5.0)
    /// Seconds that a device may take to start.
    public static let secondsToStart = 20.0
    /// How many seconds a device stays if its store didn't open.
    public static let secondsOfRefusal = 1.0
    /// How many seconds the machine's sleep waits for a device. logind itself waits five.
    public static let secondsToSleep = 4.0
}
