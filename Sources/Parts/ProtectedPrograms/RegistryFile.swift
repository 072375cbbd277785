import CThumbLinux
import ThumbAccess
import ThumbSystem

/// Reads the registry of protected programs. `ProtectedPrograms` defines its format, and docs/STORE.md describes it.
enum RegistryFile {
    /// Whether only root can write a file or a folder.
    static func isRootsAlone(_ status: stat) -> Bool { status.st_uid == 0 && status.st_mode & 0o022 == 0 }

    /// What a machine's registry says; empty if there is none.
    static func read(on machine: Machine) throws(ProtectionFailure) -> ProtectedPrograms {
        let path = machine.root + ProtectedPrograms.path
        guard unsafe access(path, F_OK) == 0 else { return ProtectedPrograms() }
        guard let bytes = Transfer.file(path, atMost: ProtectedPrograms.fileBytes), let programs = ProtectedPrograms(bytes) else {
            throw .unreadableRegistry
        }
        return programs
    }
}
