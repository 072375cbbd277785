import CThumbLinux
import ThumbSecrets
import ThumbSystem

/// The folder of one user's store. As long as this object lives, it is locked against a second service.
@safe public final class StateFolder {
    /// The folder's path.
    public let path: String
    /// The SQLite VFS that holds the items. It is nil, the system's own, in every program except the tests of crashes.
    let disk: String?
    private let folder: Descriptor
    private var descriptor: Int32 { folder.number }

    /// Opens the folder. If there is none, makes it, but not its parents.
    ///
    /// Fails with `unsafeFolder` if other users can enter it or it belongs to another user, `inUse` if another service holds it, `readOnly`
    /// if it can't be written, and `cannotOpen` if it doesn't exist and can't be made.
    public convenience init(path: String) throws(StorageError) { try self.init(path: path, disk: nil) }

    /// The same, with the items on another SQLite VFS, given by name.
    package init(path: String, disk: String?) throws(StorageError) {
        do throws(SystemError) { try PrivateFolder.make(path) } catch {
            throw StorageError.system("making the state folder", error, fallback: .cannotOpen)
        }
        do throws(SystemError) { folder = try Descriptor(opening: path, O_RDONLY | O_DIRECTORY) } catch {
            throw StorageError.system("opening the state folder", error, fallback: .cannotOpen)
        }
        self.path = path
        self.disk = disk
        let status: stat
        do throws(SystemError) { status = try folder.status() } catch {
            throw StorageError.system("looking at the state folder", error)
        }
        guard PrivateFolder.isPrivate(status, of: geteuid(), .fromReaders) else {
            throw StorageError(.unsafeFolder, "the state folder must be the service's own and closed to all others")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = thumb_errno()
            if number == EWOULDBLOCK { throw StorageError(.inUse, raw: number, "another service has this state folder") }
            throw StorageError.system("locking the state folder")
        }
        guard unsafe faccessat(descriptor, ".", W_OK, AT_EACCESS) == 0 else {
            throw StorageError.system("writing to the state folder")
        }
    }

    deinit {
        // Unlocked explicitly, because a program that another thread is just starting still has a copy of the descriptor.
        flock(descriptor, LOCK_UN)
    }

    /// A file's size, or nil if there is none by that name.
    func size(of name: String) throws(StorageError) -> Int? {
        var status = stat()
        guard unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if thumb_errno() == ENOENT { return nil }
            throw StorageError.system("looking at a file of the store")
        }
        guard thumb_is_regular(status.st_mode) != 0 else {
            throw StorageError(.cannotOpen, "a file of the store isn't a regular file")
        }
        return Int(status.st_size)
    }

    /// All of a file, read directly into locked memory. nil if there is none; fails with `keybagDamaged` if it is longer than `limit`.
    func read(_ name: String, limit: Int) throws -> SecretBytes? {
        guard let size = try size(of: name) else { return nil }
        guard size <= limit else { throw StorageError(.keybagDamaged, "the keybag is too long") }
        let file = try opened(name)
        return try unsafe SecretBytes(filling: size) { room in
            do throws(SystemError) { return try unsafe Transfer.fill(room, from: file.number) } catch {
                throw StorageError.system("reading the keybag", error)
            }
        }
    }

    private func opened(_ name: String) throws(StorageError) -> Descriptor {
        do throws(SystemError) { return try Descriptor(opening: name, in: descriptor, O_RDONLY | O_NOFOLLOW) } catch {
            throw StorageError.system("opening the keybag", error, fallback: .cannotOpen)
        }
    }

    /// Replaces a file by `contents`, whole or not at all, and returns when it is on disk.
    ///
    /// `standing` runs at the moment when the name has the new contents. A failure after that is only about durability. The old contents
    /// are overwritten afterwards, for what that is worth on the disk in question.
    func replace(_ name: String, with contents: SecretBytes, standing: () -> Void) throws(StorageError) {
        // Without an old file there is nothing to erase, and one that can't be opened is replaced anyway.
        let old = try? Descriptor(opening: name, in: descriptor, O_WRONLY | O_NOFOLLOW)
        do throws(ReplacedFile.Setback) {
            let file = try ReplacedFile(draft: Self.draft(of: name), in: descriptor)
            try unsafe contents.withUnsafeBytes { (bytes) throws(ReplacedFile.Setback) in try unsafe file.write(bytes) }
            try file.take(placeOf: name, standing: standing)
        } catch {
            throw StorageError(error)
        }
        if let old { erase(old.number) }
    }

    /// The name of the file that an interrupted write leaves behind.
    static func draft(of name: String) -> String { name + ".new" }

    /// Overwrites a file that has no name any more.
    private func erase(_ file: Int32) {
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_nlink == 0 else { return }
        let zeros = [UInt8](repeating: 0, count: Int(status.st_size))
        if unsafe CThumbLinux.write(file, zeros, zeros.count) > 0 { fsync(file) }
    }

    /// Gives a file another name, and flushes the folder.
    func rename(_ name: String, to other: String) throws(StorageError) {
        guard unsafe renameat(descriptor, name, descriptor, other) == 0 else {
            let error = StorageError.system("renaming a file of the store")
            unsafe unlinkat(descriptor, name, 0)
            throw error
        }
        guard fsync(descriptor) == 0 else { throw StorageError.system("flushing the state folder") }
    }

    /// Makes an empty file that only its owner can read.
    func makeEmpty(_ name: String) throws(StorageError) {
        do throws(SystemError) {
            _ = try Descriptor(opening: name, in: descriptor, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o600)
        } catch {
            throw StorageError.system("making a file of the store", error)
        }
    }

    /// Removes a file, if there is one.
    func remove(_ name: String) throws(StorageError) {
        guard unsafe unlinkat(descriptor, name, 0) == 0 || thumb_errno() == ENOENT else {
            throw StorageError.system("removing a file of the store")
        }
    }
}

extension StorageError {
    /// The error for the present errno; `fallback` is its code if errno doesn't tell.
    static func system(_ text: StaticString, fallback: Code = .inputOutput) -> StorageError {
        system(text, .last, fallback: fallback)
    }

    /// The same for a caught error.
    static func system(_ text: StaticString, _ error: SystemError, fallback: Code = .inputOutput) -> StorageError {
        StorageError(code(ofErrno: error.number) ?? fallback, raw: error.number, text)
    }

    /// Why a new keybag isn't in place, or may not stay.
    init(_ setback: ReplacedFile.Setback) {
        let text: StaticString =
            switch setback.step {
            case .making: "making a new keybag"
            case .writing: "writing a new keybag"
            case .flushing: "flushing a new keybag"
            case .naming: "renaming a file of the store"
            case .flushingFolder: "flushing the state folder"
            }
        self = .system(text, setback.error)
    }

    /// The code that an errno stands for by itself.
    static func code(ofErrno number: Int32) -> Code? {
        switch number {
        case ENOSPC, EDQUOT: .full
        case EROFS, EACCES, EPERM: .readOnly
        case ENOMEM: .outOfMemory
        default: nil
        }
    }
}
