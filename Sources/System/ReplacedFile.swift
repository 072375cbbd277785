public import CThumbLinux

/// A file that replaces another one whole or not at all. It is written as a draft beside the other one, and is on the disk before it gets
/// the name; and the name is on the disk before the call returns. A draft that doesn't get that far is removed.
public final class ReplacedFile {
    /// How far it got.
    public enum Step: Sendable, Hashable { case making, writing, flushing, naming, flushingFolder }

    /// Why the file isn't in place, or may not stay there.
    public struct Setback: Error, Hashable, Sendable {
        /// What failed. After `naming` the name has the new contents.
        public let step: Step
        /// The reason.
        public let error: SystemError
    }

    /// Puts a text in place of a file, with exactly that mode, whatever this process's umask is.
    public static func put(
        _ text: String, at path: String, in folder: Int32 = AT_FDCWD, mode: mode_t = 0o600
    ) throws(Setback) {
        let file = try ReplacedFile(draft: path + ".new", in: folder, mode: mode)
        try file.setMode(mode)
        try file.write(Array(text.utf8))
        try file.take(placeOf: path)
    }

    private let folder: Int32
    private let draft: String
    private let file: Descriptor
    private var isStanding = false

    /// Makes the draft, for this user alone unless `mode` says otherwise.
    ///
    /// - Parameters:
    ///   - folder: an open folder, which the caller keeps open as long as this object exists; without one `draft` is a path.
    ///   - isNew: whether to fail if such a draft exists already, because another program may be writing it.
    public init(draft: String, in folder: Int32 = AT_FDCWD, mode: mode_t = 0o600, isNew: Bool = false) throws(Setback) {
        self.folder = folder
        self.draft = draft
        do throws(SystemError) {
            file = try Descriptor(
                opening: draft, in: folder, O_WRONLY | O_CREAT | O_NOFOLLOW | (isNew ? O_EXCL : O_TRUNC), mode: mode)
        } catch {
            throw Setback(step: .making, error: error)
        }
    }

    deinit { if !isStanding { unsafe unlinkat(folder, draft, 0) } }

    /// Sets the draft's mode, whatever this process's umask is.
    public func setMode(_ mode: mode_t) throws(Setback) {
        guard fchmod(file.number, mode) == 0 else { throw Setback(step: .making, error: .last) }
    }

    /// Adds to the draft.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(Setback) {
        do throws(SystemError) { try unsafe Transfer.write(bytes, to: file.number) } catch {
            throw Setback(step: .writing, error: error)
        }
    }

    /// Adds to the draft.
    public func write(_ bytes: [UInt8]) throws(Setback) {
        try unsafe bytes.span.withUnsafeBytes { (bytes) throws(Setback) in try unsafe write(bytes) }
    }

    /// Replaces `name` by the draft, and returns when that is on the disk.
    ///
    /// - Parameters:
    ///   - replaces: whether a file may be there already. If not, and there is one, it fails with EEXIST.
    ///   - standing: runs at the moment when the name has the new contents.
    public func take(placeOf name: String, replaces: Bool = true, standing: () -> Void = {}) throws(Setback) {
        guard fsync(file.number) == 0 else { throw Setback(step: .flushing, error: .last) }
        try rename(to: name, replaces: replaces)
        isStanding = true
        standing()
        try flushFolder(of: name)
    }

    private func rename(to name: String, replaces: Bool) throws(Setback) {
        if !replaces {
            if unsafe thumb_renameat2(folder, draft, folder, name, thumb_RENAME_NOREPLACE) == 0 { return }
            let error = SystemError.last
            // If the file system can't do this in one step, it is done in two.
            guard error.number == EINVAL || error.number == ENOSYS else { throw Setback(step: .naming, error: error) }
            var status = stat()
            if unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
                throw Setback(step: .naming, error: SystemError(EEXIST))
            }
        }
        guard unsafe renameat(folder, draft, folder, name) == 0 else { throw Setback(step: .naming, error: .last) }
    }

    private func flushFolder(of name: String) throws(Setback) {
        if folder != AT_FDCWD {
            guard fsync(folder) == 0 else { throw Setback(step: .flushingFolder, error: .last) }
            return
        }
        do throws(SystemError) {
            let parent = try Descriptor(opening: FilePlace.folder(of: name), O_RDONLY | O_DIRECTORY)
            guard fsync(parent.number) == 0 else { throw .last }
        } catch {
            throw Setback(step: .flushingFolder, error: error)
        }
    }
}
