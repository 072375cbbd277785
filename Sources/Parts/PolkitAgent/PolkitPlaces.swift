import ThumbConversation
import ThumbLoop
import ThumbPrompting

/// Where the agent finds what it works with.
public struct PolkitPlaces: Sendable {
    /// The daemon's socket, and who may listen there.
    public let socket: String
    public let owners: Set<UInt32>
    /// Polkit's helper, which is root's.
    public let helper: String

    public init(socket: String, owners: Set<UInt32>, helper: String) {
        (self.socket, self.owners, self.helper) = (socket, owners, helper)
    }

    /// Where distributions have polkit's helper.
    public static let helpers = [
        "/usr/lib/policykit-1/polkit-agent-helper-1", "/usr/lib/polkit-1/polkit-agent-helper-1",
        "/usr/libexec/polkit-agent-helper-1",
    ]

    /// A connection to the daemon, as polkit's agent; nil if the daemon isn't there, or doesn't take it. The daemon may take its time, so
    /// the loop doesn't wait for it.
    @OnLoop func link() async -> Link? {
        await Worker.shared.result { Connected(connected()) }?.link
    }

    private func connected() -> Link? {
        guard case .success(let fd) = UnixSocket.connect(to: socket) else { return nil }
        guard let peer = UnixSocket.peer(of: fd), owners.contains(peer.uid) else {
            UnixSocket.close(fd)
            return nil
        }
        return Link(fd, Hello(role: .polkit))
    }
}

/// A connection on its way from the worker to the loop. Nobody else has it.
private struct Connected: @unchecked Sendable {
    let link: Link?

    init(_ link: Link?) { self.link = link }
}
