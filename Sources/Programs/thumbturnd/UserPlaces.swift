import CThumbLinux
import ThumbClient
import ThumbSystem

/// Where a user's own daemon keeps its store and listens if no option says so. This comes from the user's environment and is read before
/// the daemon empties it. systemd starts the daemon with the user's environment; a client starts it with an empty one and an option.
struct UserPlaces: Sendable {
    private let data: DataFolder
    private let runtime: String?
    private let environment: [String]

    static func taken() -> UserPlaces {
        let environment = ["HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"].compactMap { (name: String) -> String? in
            variable(name).map { "\(name)=\($0)" }
        }
        return UserPlaces(data: UserStore.folder, runtime: variable("XDG_RUNTIME_DIR"), environment: environment)
    }

    private static func variable(_ name: String) -> String? {
        unsafe thumb_secure_getenv(name).map { unsafe String(cString: $0) }
    }

    /// The variables that a daemon in the background needs to find the same places.
    var variables: [String] { environment }

    /// The folder of the store.
    func stateFolder() throws(DataFolder.Problem) -> String { try data.find() }

    /// Every place where the user's own store may be. Tests may use none of these.
    var ownStores: [String] { [data.ofAccount, data.named].compactMap { $0 } }

    /// The socket; nil if the user has no private folder.
    var socket: String? { RuntimeFolder.path(uid: getuid(), environment: runtime).map { $0 + "/socket" } }
}
