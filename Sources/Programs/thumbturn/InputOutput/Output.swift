import CThumbLinux
import ThumbCommands
import ThumbSecrets
import ThumbSystem

/// Standard output and standard error, unbuffered, so that no secret stays in a buffer.
enum Output {
    /// Where a result goes instead of standard output.
    static let option = Option("output", "write the result to a new file that only you can read", .file("FILE"))

    static var isTerminal: Bool { isatty(1) == 1 }

    /// Prints one line on standard error.
    static func say(_ line: String) { Transfer.say(line + "\n", to: 2) }

    /// Whether standard output can be written to at all.
    static var isOpen: Bool { thumb_fcntl(1, F_GETFL, 0) & O_ACCMODE != O_RDONLY }

    static func write(_ pieces: [Outcome.Piece], to fd: Int32 = 1) throws(Failure) {
        for piece in pieces {
            var isWritten = true
            switch piece {
            case .text(let text): unsafe Array(text.utf8).withUnsafeBytes { isWritten = unsafe send($0, to: fd) }
            case .secret(let secret, let encoding):
                do {
                    try unsafe encoding.encode(secret) {
                        isWritten = unsafe send($0, to: fd)
                        return isWritten
                    }
                } catch {
                    throw .noLockedMemory
                }
            }
            if !isWritten { throw .outputNotWritten }
        }
    }

    /// Writes to a new file for this user alone. An existing file is never overwritten, because others may be able to read it.
    static func write(_ pieces: [Outcome.Piece], toNew path: String) throws(Failure) {
        let file = try made(path)
        do throws(Failure) { try write(pieces, to: file.number) } catch {
            // A part of a secret is of no use to anybody but a thief.
            unsafe unlink(path)
            throw error
        }
    }

    /// Refuses a place for the result where no new file can be made. The owner is asked after this: a yes that leads nowhere is a yes too
    /// many.
    static func check(_ invocation: Invocation) throws(Failure) {
        guard let path = invocation.value(option) else { return }
        // Nothing else tells for sure. It is made again when there is something to write.
        _ = try made(path)
        unsafe unlink(path)
    }

    private static func made(_ path: String) throws(Failure) -> Descriptor {
        do throws(SystemError) {
            return try Descriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        } catch {
            throw error.number == EEXIST ? .outputExists : .outputNotMade
        }
    }

    private static func send(_ bytes: UnsafeRawBufferPointer, to fd: Int32) -> Bool {
        do throws(SystemError) { try unsafe Transfer.write(bytes, to: fd) } catch { return false }
        return true
    }
}
