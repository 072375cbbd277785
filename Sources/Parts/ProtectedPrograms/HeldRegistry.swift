import CThumbLinux
import ThumbAccess

/// The registry in the hands of a command that changes it: no second command can change it meanwhile.
final class HeldRegistry {
    var programs: ProtectedPrograms
    private let folder: Int32

    private static let name = "protected"

    private init(_ folder: Int32, _ programs: ProtectedPrograms) {
        self.folder = folder
        self.programs = programs
    }

    deinit { close(folder) }

    /// Makes the registry's folder if need be, and waits for another command that holds it.
    static func open(on machine: Machine) throws(ProtectionFailure) -> HeldRegistry {
        let path = machine.root + ProtectedPrograms.path.dropLast(name.count + 1)
        _ = unsafe mkdir(path, 0o755)
        let folder = unsafe thumb_open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0)
        var status = stat()
        guard folder >= 0, unsafe fstat(folder, &status) == 0, RegistryFile.isRootsAlone(status) else {
            if folder >= 0 { close(folder) }
            throw .registryFolder(path)
        }
        flock(folder, LOCK_EX)
        do throws(ProtectionFailure) {
            return HeldRegistry(folder, try RegistryFile.read(on: machine))
        } catch {
            close(folder)
            throw error
        }
    }

    /// Puts it on the disk, whole or not at all.
    func write() throws(ProtectionFailure) {
        let draft = Self.name + ".new"
        let file = unsafe thumb_openat(folder, draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
        let bytes = Array(programs.text.utf8)
        var isWritten = file >= 0 && fchmod(file, 0o644) == 0
        var place = 0
        while isWritten && place < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { unsafe CThumbLinux.write(file, $0.baseAddress! + place, $0.count - place) }
            isWritten = count > 0
            place += count
        }
        isWritten = isWritten && fsync(file) == 0
        if file >= 0 { close(file) }
        guard isWritten, unsafe renameat(folder, draft, folder, Self.name) == 0, fsync(folder) == 0 else {
            unsafe unlinkat(folder, draft, 0)
            throw .registryNotWritten
        }
    }
}
