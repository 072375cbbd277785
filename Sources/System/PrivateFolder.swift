public import CThumbLinux

/// Folders that belong to one user only.
public enum PrivateFolder {
    /// What nobody else may do there.
    public enum Privacy: Sendable {
        /// Enter it, or list it.
        case fromReaders
        /// Put something there, or replace something there.
        case fromWriters

        fileprivate var forbidden: mode_t {
            switch self {
            case .fromReaders: 0o077
            case .fromWriters: 0o022
            }
        }
    }

    /// Why a folder isn't private.
    public enum Problem: Error, Hashable, Sendable {
        /// It doesn't exist, or can't be looked at.
        case unreachable(SystemError)
        /// Something else is there, such as a link.
        case noFolder
        /// It belongs to another user.
        case anothers
        /// Others may do something there that they mustn't; with its mode.
        case open(mode: UInt32)
    }

    /// Makes a folder that only this user can enter. An existing one stays as it is.
    public static func make(_ path: String) throws(SystemError) {
        guard unsafe mkdir(path, 0o700) == 0 || thumb_errno() == EEXIST else { throw .last }
    }

    /// Makes a folder and its missing parents. Use `check` to find out whether it exists then.
    public static func makeWithParents(_ path: String) {
        var parent = ""
        for part in path.split(separator: "/") {
            parent += "/" + part
            // The parents mostly exist already, in places where this user may not make anything.
            _ = unsafe mkdir(parent, 0o700)
        }
    }

    /// Opens a folder of this user's that is private in this respect. The folder that is checked is the one that is open, whatever happens
    /// to its name.
    ///
    /// - Parameter follows: whether a link may lead there.
    public static func open(
        _ path: String, of user: uid_t, _ privacy: Privacy, follows: Bool = false
    ) throws(Problem) -> Descriptor {
        let folder: Descriptor
        do throws(SystemError) {
            folder = try Descriptor(opening: path, O_RDONLY | O_DIRECTORY | (follows ? 0 : O_NOFOLLOW))
        } catch {
            throw .unreachable(error)
        }
        let status: stat
        do throws(SystemError) { status = try folder.status() } catch { throw .unreachable(error) }
        try check(status, of: user, privacy)
        return folder
    }

    /// Refuses anything but a folder of this user's that is private in this respect.
    ///
    /// - Parameter follows: whether a link may lead there.
    public static func check(
        _ path: String, of user: uid_t, _ privacy: Privacy, follows: Bool = false
    ) throws(Problem) {
        var status = stat()
        guard unsafe fstatat(AT_FDCWD, path, &status, follows ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else { throw .unreachable(.last) }
        try check(status, of: user, privacy)
    }

    /// The same for a folder's status that is known already.
    public static func check(_ status: stat, of user: uid_t, _ privacy: Privacy) throws(Problem) {
        guard thumb_is_directory(status.st_mode) != 0 else { throw .noFolder }
        guard status.st_uid == user else { throw .anothers }
        guard status.st_mode & privacy.forbidden == 0 else { throw .open(mode: status.st_mode & 0o7777) }
    }

    /// Whether it is a folder of this user's that is private in this respect.
    public static func isPrivate(_ path: String, of user: uid_t, _ privacy: Privacy, follows: Bool = false) -> Bool {
        do throws(Problem) { try check(path, of: user, privacy, follows: follows) } catch { return false }
        return true
    }

    /// The same for a folder's status that is known already.
    public static func isPrivate(_ status: stat, of user: uid_t, _ privacy: Privacy) -> Bool {
        do throws(Problem) { try check(status, of: user, privacy) } catch { return false }
        return true
    }
}

extension PrivateFolder.Problem: CustomStringConvertible {
    /// What is wrong and what to do about it, in words that follow the folder's name.
    public var description: String {
        switch self {
        case .unreachable(let error): "can't be looked at (error \(error.number))"
        case .noFolder: "is not a folder"
        case .anothers: "belongs to another user"
        case .open(let mode): "is open to others (mode \(String(mode, radix: 8))); close it with chmod 700"
        }
    }
}
