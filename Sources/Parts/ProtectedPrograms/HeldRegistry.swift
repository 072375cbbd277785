import CThumbLinux
import ThumbAccess
import ThumbSystem

/// The registry while a command changes it. No other command can change it meanwhile.
final class HeldRegistry {
    var programs: ProtectedPrograms
    private let folder: Descriptor
    /// Held until the end. Everybody may open the folder, and whoever opens something can lock it; this only root can open.
    private let lock: Descriptor

    private static let name = "protected"
    private static let lockName = "protected.lock"

    private init(_ folder: consuming Descriptor, _ lock: consuming Descriptor, _ programs: ProtectedPrograms) {
        self.folder = folder
        self.lock = lock
        self.programs = programs
    }

    /// Makes the registry's folder if necessary, and waits for a command that holds it.
    static func open(on machine: Machine) throws(ProtectionFailure) -> HeldRegistry {
        let path = machine.root + ProtectedPrograms.path.dropLast(name.count + 1)
        _ = unsafe mkdir(path, 0o755)
        let folder: Descriptor
        do throws(PrivateFolder.Problem) { folder = try PrivateFolder.open(path, of: 0, .fromWriters) } catch {
            throw .registryFolder(path)
        }
        let lock: Descriptor
        do throws(SystemError) {
            lock = try Descriptor(opening: lockName, in: folder.number, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        } catch {
            throw .registryNotWritten
        }
        let number = lock.number
        guard uninterrupted({ flock(number, LOCK_EX) }) == 0 else { throw .registryNotWritten }
        let programs = try RegistryFile.read(on: machine)
        return HeldRegistry(folder, lock, programs)
    }

    /// Writes it to the disk, whole or not at all.
    func write() throws(ProtectionFailure) {
        do throws(ReplacedFile.Setback) {
            // Everybody may read it.
            try ReplacedFile.put(programs.text, at: Self.name, in: folder.number, mode: 0o644)
        } catch {
            throw .registryNotWritten
        }
    }
}
