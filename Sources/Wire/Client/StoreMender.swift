public import ThumbSecrets
import ThumbSystem

/// Has the user's daemon program mend a store that no daemon can open.
public enum StoreMender {
    /// What came of it.
    public enum Outcome: Sendable, Hashable {
        case mended
        /// It isn't the recovery code.
        case wrongCode
        /// The code's check symbols are wrong: nothing was tried.
        case mistyped
        /// A daemon has it open: nothing is to be mended.
        case isServed
        /// What else went wrong stands on standard error.
        case failed
    }

    /// Opens the store with its recovery code, for the TPM there is now. Fails where there is no daemon program.
    public static func recover(with code: SecretBytes) throws(ClientError) -> Outcome { try run("--recover", code) }

    /// Goes on with what there is. Fails where there is no daemon program.
    public static func acceptLosses() throws(ClientError) -> Outcome { try run("--accept-losses", nil) }

    private static func run(_ action: String, _ code: SecretBytes?) throws(ClientError) -> Outcome {
        // The store is root's there, and so is its mending.
        if Finding.environment("THUMBTURN_STATE") == nil, Finding.isSystemMode {
            throw ClientError(.notFound, Advice.mendingIsRoots)
        }
        guard let program = Installed.program("thumbturnd") else { throw ClientError(.notFound, Advice.notInstalled) }
        let arguments = try ["thumbturnd", action] + UserStore.arguments()
        let child: Child
        do throws(SystemError) {
            let pipe = try PipeEnds()
            // It fits into the pipe, so nobody waits for anybody.
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
