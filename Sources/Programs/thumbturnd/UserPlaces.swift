import CThumbLinux
import ThumbClient
import ThumbSystem

/// Where a user's own daemon keeps its store and listens, if no option says so: as the user's environment has it, read before the daemon
/// empties it. systemd starts it with the user's environment, a client with none and an option.
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

    /// What a daemon in the background is started with, to find the same places.
    var variables: [String] { environment }

    /// The folder of the store.
    func stateFolder() throws(DataFolder.Problem) -> String { try data.find() }

    /// Wherever the user's own store may be: tests have none of these.
    var ownStores: [String] { [data.ofAccount, data.named].compactMap { $0 } }

    /// The socket; nil where no folder is private to the user.
    var socket: String? { RuntimeFolder.path(uid: getuid(), environment: runtime).map { $0 + "/socket" } }
}
