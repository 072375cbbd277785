internal import CThumbLinux
internal import ThumbAccess

/// A program's file, held open: what is checked is what is changed, whatever happens to its name meanwhile.
final class ProgramFile {
    /// Where it is in its system, without links.
    let path: String
    private let system: System
    private let descriptor: Int32

    init(_ named: String, _ system: System) throws(Failure) {
        let whole = try System.resolved(system.root + (named.hasPrefix("/") ? named : "/" + named), named)
        guard system.root.isEmpty || whole.hasPrefix(system.root + "/") else {
            throw Failure("notFound", .notFound, "that leads out of the system")
        }
        path = String(whole.dropFirst(system.root.count))
        self.system = system
        descriptor = unsafe thumb_open(whole, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0)
        guard descriptor >= 0 else {
            throw Failure("notFound", .notFound, "there is no such program, or it can't be read")
        }
    }

    deinit { close(descriptor) }

    private func status() throws(Failure) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Failure("notFound", .notFound, "its file can't be looked at") }
        return status
    }

    /// Whether it runs with that group.
    func has(group: UInt32) -> Bool {
        guard let status = try? status() else { return false }
        return status.st_gid == group && status.st_mode & 0o2000 != 0 && status.st_uid == 0 && status.st_mode & 0o022 == 0
    }

    /// Refuses what wouldn't be protected by a group.
    func check(exceptGroup: UInt32?) throws(Failure) {
        let status = try status()
        func refuse(_ message: String, _ advice: String? = nil) -> Failure {
            Failure("notProtectable", .failed, message, advice: advice)
        }
        guard thumb_is_regular(status.st_mode) != 0, status.st_mode & 0o011 == 0o011 else {
            throw refuse("that isn't a program that everybody may run")
        }
        guard status.st_uid == 0, status.st_mode & 0o022 == 0 else {
            throw refuse("others than root can write the program", "make it root's: chown root, chmod go-w")
        }
        guard status.st_mode & 0o4000 == 0 else { throw refuse("it runs as its owner (set-user-ID) already") }
        guard status.st_mode & 0o2000 == 0 || status.st_gid == exceptGroup else {
            throw refuse("it runs with a group of its own already, for another purpose")
        }
        guard try system.isRootsAlone(parentsOf: path) else {
            throw refuse("others than root can put another program in its place", "move it where only root can write")
        }
        var file = statfs()
        guard unsafe fstatfs(descriptor, &file) == 0, UInt64(file.f_flags) & UInt64(ST_NOSUID) == 0 else {
            throw refuse("its file system takes no set-group-ID programs (nosuid)")
        }
        let elf: ELFFile
        do {
            elf = try ELFFile(contents())
        } catch {
            throw refuse(
                "it isn't a program for this machine but a script or something else", "protect what runs it, or a program")
        }
        if let loader = elf.loader {
            guard loader.hasPrefix("/"), try system.isRootsAlone(parentsOf: loader) else {
                throw refuse("it is loaded by a program that others than root can replace")
            }
        }
        for folder in elf.libraryFolders where !folder.hasPrefix("$ORIGIN") && !folder.hasPrefix("${ORIGIN}") {
            // The loader leaves $ORIGIN out in such a program; a folder that it doesn't leave out must be root's.
            guard folder.hasPrefix("/"), try system.isRootsAlone(parentsOf: folder + "/library") else {
                throw refuse("it loads libraries from a folder that others than root can write")
            }
        }
    }

    private func contents() throws -> [UInt8] {
        let size = Int(try status().st_size)
        guard size <= ELFFile.limit else { throw ELFFile.Unreadable() }
        var bytes = [UInt8](repeating: 0, count: size)
        var filled = 0
        while filled < size {
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe pread(descriptor, $0.baseAddress! + filled, $0.count - filled, filled)
            }
            guard count > 0 else { throw ELFFile.Unreadable() }
            filled += count
        }
        return bytes
    }

    /// Lets it run with that group. The group first: changing it takes the bit away.
    func give(group: UInt32) throws(Failure) {
        let mode = try status().st_mode & 0o7777
        guard fchown(descriptor, 0, group) == 0, fchmod(descriptor, (mode & ~0o022) | 0o2000) == 0, has(group: group) else {
            throw Failure("notProtectable", .failed, "its file can't be changed", advice: "is its file system read-only?")
        }
    }

    /// Takes that group from it, if it has it.
    func take(group: UInt32) throws(Failure) {
        let status = try status()
        guard status.st_gid == group else { return }
        guard fchmod(descriptor, status.st_mode & 0o7777 & ~0o2000) == 0, fchown(descriptor, 0, 0) == 0 else {
            throw Failure("notProtectable", .failed, "its file can't be changed", advice: "is its file system read-only?")
        }
    }
}
