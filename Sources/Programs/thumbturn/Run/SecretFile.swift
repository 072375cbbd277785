import CThumbLinux
import ThumbSecrets

/// A secret as a file that exists only in memory and has no name. It is gone with the last process that has it open.
struct SecretFile {
    /// Lowest descriptor: scripts redirect the first ten, and shells keep theirs just above those.
    private static let lowestDescriptor = 64

    private let descriptor: Int32

    init(_ secret: SecretBytes) throws(Failure) {
        let made = unsafe thumb_memfd_create("secret", thumb_MFD_CLOEXEC | thumb_MFD_ALLOW_SEALING)
        guard made >= 0 else { throw .noMemoryFile }
        defer { close(made) }
        // ssh and similar programs refuse keys that look as if others could read them.
        guard fchmod(made, 0o400) == 0 else { throw .noMemoryFile }
        try Output.write([.secret(secret, .raw)], to: made)
        guard thumb_fcntl(made, thumb_F_ADD_SEALS, Int(thumb_F_SEAL_ALL)) == 0 else { throw .noMemoryFile }
        descriptor = thumb_fcntl(made, F_DUPFD_CLOEXEC, Self.lowestDescriptor)
        guard descriptor >= 0 else { throw .noMemoryFile }
    }

    /// Valid in every process that has inherited it. Each opening of the path reads from the beginning.
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// Whether a program that takes this one's place inherits it.
    func isInherited(_ isInherited: Bool) { _ = thumb_fcntl(descriptor, F_SETFD, isInherited ? 0 : Int(FD_CLOEXEC)) }
}
