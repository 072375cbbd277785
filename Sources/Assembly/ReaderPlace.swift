import ThumbBus

/// Where to find a user's fingerprint reader and session, and which user the services must run as.
public struct ReaderPlace: Sendable {
    /// The message bus's address.
    public var bus: String
    /// The user that fprintd and logind must run as.
    public var ownerUser: UInt32
    /// fprintd's own folder.
    public var templates: String
    /// The user's name in fprintd; nil for a user without a name, who has no fingers there.
    public var user: String?
    public var uid: UInt32

    /// The machine's own: the system bus, root's services.
    public init(user: String?, uid: UInt32) {
        bus = Bus.systemAddress
        ownerUser = 0
        templates = "/var/lib/fprint"
        self.user = user
        self.uid = uid
    }
}
