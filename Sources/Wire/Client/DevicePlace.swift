import CThumbLinux

/// Where the device listens, and which users may own that socket.
public struct DevicePlace: Sendable {
    public let socket: String
    public let owners: Set<UInt32>

    /// The named place, or else the place where a client would look; nil if the user has no private folder.
    public init?(named: String? = nil) {
        if let path = named ?? Finding.environment("THUMBTURN_SOCKET") {
            (socket, owners) = (path, [getuid(), 0])
        } else if Finding.isSystemMode {
            (socket, owners) = (Finding.systemSocket, [0])
        } else {
            guard let socket = Finding.userSocket else { return nil }
            (self.socket, owners) = (socket, [getuid()])
        }
    }
}
