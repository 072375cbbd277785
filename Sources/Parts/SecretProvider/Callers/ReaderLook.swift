import ThumbAccess
import ThumbIdentities
import ThumbLoop
import ThumbProtectedPrograms
import ThumbSecretService

/// Finds out which program a process is, off the loop: reading a program's digest takes its time.
final class ReaderLook: @unchecked Sendable {
    /// What a look found.
    enum Sight {
        case known(ReaderFacts.Found)
        /// Nobody can tell which program it is.
        case nobody
        /// Too much is being asked at the moment.
        case notNow
    }

    // @unchecked: `digests` is touched on the worker's one thread alone.
    private let digests = FileDigests()
    private let protected: ProtectedRegistry
    private let worker = Worker(limit: waiting)

    /// Clients whose programs are being looked at: as many as may be there.
    private static let waiting = SecretServiceLimit.clients

    /// - Parameter protected: the programs that root protected, asked anew for each client.
    init(_ protected: ProtectedRegistry) { self.protected = protected }

    /// The reader that is that process.
    ///
    /// - Parameter groups: what the bus reports. It has them from the kernel, fixed when the process connected.
    @OnLoop func find(_ process: Int32, _ user: UInt32, _ groups: [UInt32]) async -> Sight {
        // A group that is named twice is still one program's.
        let groups = Set(groups)
        var programs: [UInt32: ProtectedProgram] = [:]
        for group in groups { programs[group] = protected.program(of: group) }
        let known = programs
        let found = await worker.result {
            ReaderFacts(digests: self.digests) { known[$0] }.of(pid: process, uid: user, groups: Array(groups))
        }
        guard let found else { return .notNow }
        return found.map { .known($0) } ?? .nobody
    }
}
