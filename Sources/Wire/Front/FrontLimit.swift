/// The front's limits, as docs/PROTOCOL.md gives their reasons.
public enum FrontLimit {
    /// Devices that run at once. A user may have many uids, and each device is a process.
    public static let devices = 64
    /// Clients of one user that wait for their device to start. More than a device takes at once needn't wait.
    public static let waiting = 256
    /// Connections to one server that a device gets at once, and the seconds until it gets one more. A server that runs PAM takes so many
    /// for all users; and with each of them a device may have one password judged.
    static let (wantsAtOnce, secondsToNextWant) = (8, 1.0)
    /// How often a device gets a new line for what it wants, once it had one.
    static let (linesAtOnce, secondsToNextLine) = (4, 5.0)
    /// Seconds that a device may take to start.
    public static let secondsToStart = 20.0
    /// Seconds for which a device stays whose store didn't open.
    public static let secondsOfRefusal = 1.0
    /// Seconds that the machine's sleep waits for a device: logind itself waits five.
    public static let secondsToSleep = 4.0
}
