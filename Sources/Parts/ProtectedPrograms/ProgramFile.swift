import CThumbLinux

/// A program's file, held open, so that the file that is checked is the one that is changed, whatever happens to its name.
final class ProgramFile {
    /// Its path in its machine, without links.
    let path: String
    private let machine: Machine
    private let descriptor: Int32

    init(_ named: String, _ machine: Machine) throws(ProtectionFailure) {
        let whole = try Machine.resolved(machine.root + (named.hasPrefix("/") ? named : "/" + named), named)
        guard machine.root.isEmpty || whole.hasPrefix(machine.root + "/") else {
            throw .outsideSystem
        }
        path = String(whole.dropFirst(machine.root.count))
        self.machine = machine
        descriptor = unsafe thumb_open(whole, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0)
        guard descriptor >= 0 else {
            throw .unreadableProgram
        }
    }

    deinit { close(descriptor) }

    private func status() throws(ProtectionFailure) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .unreadableProgram }
        return status
    }

    /// Whether it runs with that group.
    func has(group: UInt32) -> Bool {
        guard let status = try? status() else { return false }
        return status.st_gid == group && status.st_mode & 0o2000 != 0 && status.st_uid == 0 && status.st_mode & 0o022 == 0
    }

    /// Refuses a file that a group wouldn't protect.
    func check(exceptGroup: UInt32?) throws(ProtectionFailure) {
        let status = try status()
        guard thumb_is_regular(status.st_mode) != 0, status.st_mode & 0o011 == 0o011 else {
            throw .notExecutable
        }
        guard status.st_uid == 0, status.st_mode & 0o022 == 0 else {
            throw .writable
        }
        guard status.st_mode & 0o4000 == 0 else { throw .runsAsItsOwner }
        guard status.st_mode & 0o2000 == 0 || status.st_gid == exceptGroup else {
            throw .hasAnotherGroup
        }
        guard try machine.isRootsAlone(parentsOf: path) else {
            throw .replaceable
        }
        var file = statfs()
        guard unsafe fstatfs(descriptor, &file) == 0, UInt64(file.f_flags) & UInt64(ST_NOSUID) == 0 else {
            throw .bitIgnored
        }
        let elf: ELFFile
        do {
            elf = try ELFFile(contents())
        } catch {
            throw .notAProgram
        }
        if let loader = elf.loader {
            guard loader.hasPrefix("/"), try machine.isRootsAlone(parentsOf: loader) else {
                throw .loaderReplaceable
            }
        }
        for folder in elf.libraryFolders where !folder.hasPrefix("$ORIGIN") && !folder.hasPrefix("${ORIGIN}") {
            // The loader ignores $ORIGIN in such a program. A folder that it doesn't ignore must belong to root.
            guard folder.hasPrefix("/"), try machine.isRootsAlone(parentsOf: folder + "/library") else {
                throw .librariesReplaceable
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

    /// Lets it run with that group. The group is set first, because setting it clears the bit.
    func give(group: UInt32) throws(ProtectionFailure) {
        let mode = try status().st_mode & 0o7777
        guard fchown(descriptor, 0, group) == 0, fchmod(descriptor, (mode & ~0o022) | 0o2000) == 0, has(group: group) else {
            throw .unchangeable
        }
    }

    /// Takes that group from it, if it has it.
    func take(group: UInt32) throws(ProtectionFailure) {
        let status = try status()
        guard status.st_gid == group else { return }
        guard fchmod(descriptor, status.st_mode & 0o7777 & ~0o2000) == 0, fchown(descriptor, 0, 0) == 0 else {
            throw .unchangeable
        }
    }
}
