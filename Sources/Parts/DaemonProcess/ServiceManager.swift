import CThumbLinux
import ThumbLoop

/// What systemd tells us and wants to hear: the sockets that it holds for us, the folder that it made for us, and that we are ready.
public struct ServiceManager: Sendable {
    /// The listening sockets that were passed in, by the names of their units.
    public let sockets: [String: Int32]
    /// The folder for our data.
    public let stateFolder: String?
    private let notices: ServiceNotices?
    /// Whether a service manager started this process.
    public var isPresent: Bool { notices != nil || !sockets.isEmpty }
    /// The listening socket, if there was exactly one.
    public var socket: Int32? { sockets.count == 1 ? sockets.values.first : nil }

    /// More than any of our units has.
    private static let mostSockets: Int32 = 8
    private static let firstSocket: Int32 = 3

    /// Reads what systemd put into the environment, before the environment is emptied.
    public static func taken() -> ServiceManager {
        var sockets: [String: Int32] = [:]
        let count = variable("LISTEN_FDS").flatMap { Int32($0) } ?? 0
        if variable("LISTEN_PID").flatMap({ Int32($0) }) == getpid(), (1...mostSockets).contains(count) {
            let names = (variable("LISTEN_FDNAMES") ?? "").split(separator: ":", omittingEmptySubsequences: false)
            for place in 0..<count {
                let fd = firstSocket + place
                _ = thumb_fcntl(fd, F_SETFD, Int(FD_CLOEXEC))
                sockets[Int(place) < names.count ? String(names[Int(place)]) : "\(place)"] = fd
            }
        }
        return ServiceManager(
            sockets: sockets, stateFolder: variable("STATE_DIRECTORY"), notices: ServiceNotices.taken())
    }

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe thumb_secure_getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// Sends the service manager a notice.
    public func notify(_ state: String) { notices?.send(state) }

    /// Tells the service manager, and whoever waits at that descriptor, that this process listens.
    public func tellReady(_ descriptor: Int32?) {
        notify("READY=1")
        guard let descriptor else { return }
        Output.write("R", to: descriptor)
        close(descriptor)
    }
}
