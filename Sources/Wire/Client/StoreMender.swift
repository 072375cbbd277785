public import ThumbSecrets
import ThumbSystem

/// Has the user's daemon program repair a store that no daemon can open.
public enum StoreMender {
    /// What came of it.
    public enum Outcome: Sendable, Hashable {
        case mended
        /// This isn't the recovery code.
        case wrongCode
        /// The code's check symbols are wrong, so nothing was tried.
        case mistyped
        /// A daemon has the store open, so there is nothing to repair.
        case isServed
        /// It failed otherwise; standard error says how.
        case failed
    }

    /// Opens the store with its recovery code, for the TPM that the machine has now. Fails if the daemon program is missing.
    public static func recover(with code: SecretBytes) throws(ClientError) -> Outcome { try run("--recover", code) }

    /// Goes on with what is left of the store. Fails if the daemon program is missing.
    public static func acceptLosses() throws(ClientError) -> Outcome { try run("--accept-losses", nil) }

    private static func run(_ action: String, _ code: SecretBytes?) throws(ClientError) -> Outcome {
        // In system mode the store belongs to root, and so does repairing it.
        if Finding.environment("THUMBTURN_STATE") == nil, Finding.isSystemMode {
            throw ClientError(.notFound, Advice.mendingIsRoots)
        }
        guard let program = Installed.program("thumbturnd") else { throw ClientError(.notFound, Advice.notInstalled) }
        let arguments = try ["thumbturnd", action] + UserStore.arguments()
        let child: Child
        do throws(SystemError) {
            let pipe = try PipeEnds()
            // The code fits into the pipe, so neither side waits for the other.
            let writing = pipe.writing.number
            if let code {
                try unsafe code.withUnsafeBytes { (bytes) throws(SystemError) in try unsafe Transfer.write(bytes, to: writing) }
            }
            let reading = pipe.takenReading()
            child = try Spawn(program, arguments, descriptors: .only([reading.number, 1, 2])).start()
        } catch {
            throw notStarted
        }
        return switch child.wait() {
        case 0: .mended
        case 1: .wrongCode
        case 65: .mistyped
        case 75: .isServed
        default: .failed
        }
    }

    private static let notStarted = ClientError(.notFound, "thumbturnd could not be started")
}
