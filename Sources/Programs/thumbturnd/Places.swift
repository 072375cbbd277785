import CThumbLinux
import ThumbAssembly
import ThumbCommands
import ThumbLoop
import ThumbSystem

/// Where the daemon's state is.
enum Places {
    /// Where system mode keeps its users' folders, and where systemd puts them for units whose user changes.
    static let (systemState, privateState) = ("/var/lib/thumbturn", "/var/lib/private/thumbturn")

    static func stateFolder(_ arguments: Arguments, _ user: UserPlaces) throws(DataFolder.Problem) -> String {
        if let state = arguments.state { return state }
        return try user.stateFolder()
    }

    /// Makes the folder and its parents. Returns false unless it belongs to this user and nobody else can write it.
    static func makeStateFolder(_ path: String) -> Bool {
        PrivateFolder.makeWithParents(path)
        return PrivateFolder.isPrivate(path, of: getuid(), .fromReaders)
    }
}

/// Where a user's fingerprint reader is.
enum Readers {
    /// A daemon that opens a user's own store trusts only the machine's fprintd. A test's reader is allowed only with a test's store.
    static func problem(_ arguments: Arguments, state: String, _ user: UserPlaces) -> LineProblem? {
        guard arguments.believesTests else { return nil }
        let own = arguments.device == nil ? user.ownStores : [Places.systemState, Places.privateState]
        // If nothing says which store is the user's, any could be.
        return own.isEmpty || own.contains { isSame(state, $0) } ? otherReader : nil
    }

    static let otherReader = LineProblem(
        "Another reader than the machine's needs a store of its own: --state with a folder that isn't a user's.")

    /// The machine's reader, or the one that a test names; nil if there must be none.
    static func place(_ arguments: Arguments, of user: String?, _ uid: UInt32) -> ReaderPlace? {
        guard arguments.bus != "none" else { return nil }
        var place = ReaderPlace(user: user, uid: uid)
        if let bus = arguments.bus { place.bus = bus }
        if let owner = arguments.busOwner { place.ownerUser = owner }
        if let templates = arguments.templates { place.templates = templates }
        return place
    }

    /// The name of this process's own user.
    static var ownName: String? {
        guard let entry = unsafe getpwuid(getuid()), let name = unsafe entry.pointee.pw_name else { return nil }
        return unsafe String(cString: name)
    }

    /// Whether two paths lead to the same folder, or one into the other.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        let (one, other) = (resolved(one), resolved(other))
        return one == other || one.hasPrefix(other + "/") || other.hasPrefix(one + "/")
    }

    /// The path without links and dots. A folder that doesn't exist can't be anybody's store yet.
    private static func resolved(_ path: String) -> String {
        guard let real = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}

/// One daemon for one state folder.
enum Instance {
    /// How often, and how many microseconds apart, somebody else's end or socket is looked for: a few seconds.
    private static let looks = 500
    private static let pause: UInt32 = 10_000

    enum Standing { case alone, anotherListens, storeIsTaken }

    /// Whether this process is the only one. It holds the lock until it ends.
    private static func isAlone(_ state: String) -> Bool {
        let fd = unsafe thumb_open(state + "/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard fd >= 0 else {
            // A folder that can't be written has no lock and no store to protect. Opening the store will report what is wrong.
            return [EACCES, EPERM, EROFS, ENOENT].contains(thumb_errno())
        }
        if flock(fd, LOCK_EX | LOCK_NB) == 0 { return true }
        close(fd)
        return false
    }

    /// Whether this process is the only one, or becomes it within a few seconds.
    static func becomesAlone(_ state: String) -> Bool { standing(state, besides: nil) == .alone }

    /// The same, unless another daemon listens at that socket. One that ends takes its socket away before it lets go of the store, and one
    /// that starts has the store before it listens; both are waited for.
    static func standing(_ state: String, besides socket: String?) -> Standing {
        for _ in 0..<looks {
            if isAlone(state) { return .alone }
            if let socket, isServed(socket) { return .anotherListens }
            usleep(pause)
        }
        return .storeIsTaken
    }

    /// Whether somebody listens there; one with too many clients waiting does, too.
    private static func isServed(_ socket: String) -> Bool {
        switch UnixSocket.connect(to: socket, waiting: false) {
        case .success(let fd):
            UnixSocket.close(fd)
            return true
        case .failure(let error): return error.code == EAGAIN
        }
    }

    /// The process that has the store, for the middle of a sentence; empty if it can't be seen.
    static func holder(_ state: String) -> String { LockHolder.process(of: state + "/lock").map { " (process \($0))" } ?? "" }
}
