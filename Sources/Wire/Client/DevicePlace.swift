import CThumbLinux

/// Where the device listens, and who may do so there.
public struct DevicePlace: Sendable {
    public let socket: String
    public let owners: Set<UInt32>

    /// The place a client would look at, or the one that is named; nil where no folder is private to the user.
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
