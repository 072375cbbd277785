import CThumbLinux
import ThumbSecrets

/// The folder that holds one user's store, locked against a second service for as long as this object lives.
@safe public final class StateFolder {
    /// The folder's path.
    public let path: String
    /// The SQLite VFS that the items lie on; nil, the system's own, in every program but the tests of crashes.
    let disk: String?
    private let descriptor: Int32

    /// Opens the folder, making it (not its parents) if there is none.
    ///
    /// Fails with `unsafeFolder` if other users can enter it or it is another's, `inUse` if another service holds it,
    /// `readOnly` if it can't be written, `cannotOpen` if it isn't there and can't be made.
    public convenience init(path: String) throws(StorageError) { try self.init(path: path, disk: nil) }

    /// The same, with the items on another SQLite VFS, by its name.
    package init(path: String, disk: String?) throws(StorageError) {
        if unsafe mkdir(path, 0o700) != 0, thumb_errno() != EEXIST {
            throw StorageError.system("making the state folder", fallback: .cannotOpen)
        }
        let descriptor = unsafe thumb_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard descriptor >= 0 else { throw StorageError.system("opening the state folder", fallback: .cannotOpen) }
        // From here on a throw runs deinit, which closes.
        self.path = path
        self.disk = disk
        self.descriptor = descriptor
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw StorageError.system("looking at the state folder") }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
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
        // Said in so many words: a program that is just being started by another thread still has a copy of the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
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

    /// All of a file, straight into locked memory; nil if there is none, `keybagDamaged` if it is longer than `limit`.
    func read(_ name: String, limit: Int) throws -> SecretBytes? {
        guard let size = try size(of: name) else { return nil }
        guard size <= limit else { throw StorageError(.keybagDamaged, "the keybag is too long") }
        let file = unsafe thumb_openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0)
        guard file >= 0 else { throw StorageError.system("opening the keybag", fallback: .cannotOpen) }
        defer { close(file) }
        return try unsafe SecretBytes(filling: size) { room in
            var done = 0
            while done < room.count, let base = room.baseAddress {
                let got = unsafe CThumbLinux.read(file, base + done, room.count - done)
                if got == 0 { break }
                if got > 0 {
                    done += got
                } else if thumb_errno() != EINTR {
                    throw StorageError.system("reading the keybag")
                }
            }
            return done
        }
    }

    /// Replaces a file by `contents`, whole or not at all, and returns when it is on disk.
    ///
    /// `standing` runs at the moment the new contents stand under the name: a failure after it is of durability alone. The old
    /// contents are overwritten afterwards, for what that is worth on the disk in question.
    func replace(_ name: String, with contents: SecretBytes, standing: () -> Void) throws(StorageError) {
        let draft = Self.draft(of: name)
        let old = unsafe thumb_openat(descriptor, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0)
        defer { if old >= 0 { close(old) } }
        let file = unsafe thumb_openat(descriptor, draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StorageError.system("making a new keybag") }
        do throws(StorageError) {
            defer { close(file) }
            try write(contents, to: file)
            guard fsync(file) == 0 else { throw StorageError.system("flushing a new keybag") }
        } catch {
            unsafe unlinkat(descriptor, draft, 0)
            throw error
        }
        try rename(draft, to: name, standing: standing)
        if old >= 0 { erase(old) }
    }

    /// What a write that was cut off leaves behind.
    static func draft(of name: String) -> String { name + ".new" }

    /// Overwrites a file that has no name any more.
    private func erase(_ file: Int32) {
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_nlink == 0 else { return }
        let zeros = [UInt8](repeating: 0, count: Int(status.st_size))
        if unsafe CThumbLinux.write(file, zeros, zeros.count) > 0 { fsync(file) }
    }

    private func write(_ contents: SecretBytes, to file: Int32) throws(StorageError) {
        try unsafe contents.withUnsafeBytes { (bytes) throws(StorageError) in
            var done = 0
            while done < bytes.count, let base = bytes.baseAddress {
                let put = unsafe CThumbLinux.write(file, base + done, bytes.count - done)
                if put >= 0 {
                    done += put
                } else if thumb_errno() != EINTR {
                    throw StorageError.system("writing a new keybag")
                }
            }
        }
    }

    /// Gives a file another name, and flushes the folder.
    func rename(_ name: String, to other: String, standing: () -> Void = {}) throws(StorageError) {
        guard unsafe renameat(descriptor, name, descriptor, other) == 0 else {
            let error = StorageError.system("renaming a file of the store")
            unsafe unlinkat(descriptor, name, 0)
            throw error
        }
        standing()
        guard fsync(descriptor) == 0 else { throw StorageError.system("flushing the state folder") }
    }

    /// Makes an empty file that only its owner can read.
    func makeEmpty(_ name: String) throws(StorageError) {
        let file = unsafe thumb_openat(descriptor, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StorageError.system("making a file of the store") }
        close(file)
    }

    /// Removes a file, if there is one.
    func remove(_ name: String) throws(StorageError) {
        guard unsafe unlinkat(descriptor, name, 0) == 0 || thumb_errno() == ENOENT else {
            throw StorageError.system("removing a file of the store")
        }
    }
}

extension StorageError {
    /// The error for errno as it stands, where nothing better is known than `fallback`.
    static func system(_ text: StaticString, fallback: Code = .inputOutput) -> StorageError {
        let number = thumb_errno()
        return StorageError(code(ofErrno: number) ?? fallback, raw: number, text)
    }

    /// What an errno says by itself.
    static func code(ofErrno number: Int32) -> Code? {
        switch number {
        case ENOSPC, EDQUOT: .full
        case EROFS, EACCES, EPERM: .readOnly
        case ENOMEM: .outOfMemory
        default: nil
        }
    }
}
