import CThumbLinux
import ThumbAccess
import ThumbSecrets
import ThumbSystem

/// Lines of a conversation with another program, read directly into locked memory.
enum LineInput {
    /// The next line of standard input, without its newline; nil at the end. Nothing beyond the line is read.
    static func next(atMost limit: Int) throws(Failure) -> SecretBytes? {
        var (problem, isAtEnd): (Failure?, Bool) = (nil, false)
        let line = try? unsafe SecretBytes(filling: limit + 1) { room in
            var count = 0
            while count <= limit {
                // One at a time: what follows the newline belongs to whoever reads next.
                let byte = unsafe UnsafeMutableRawBufferPointer(rebasing: room[count..<count + 1])
                do throws(SystemError) {
                    if try unsafe Transfer.some(of: 0, into: byte) == 0 {
                        isAtEnd = count == 0
                        return count
                    }
                } catch {
                    problem = .inputUnreadable
                    return 0
                }
                if unsafe room[count] == UInt8(ascii: "\n") { return count }
                count += 1
            }
            problem = .inputTooLarge(limit: limit)
            return 0
        }
        if let problem { throw problem }
        guard let line else { throw .noLockedMemory }
        return isAtEnd ? nil : line
    }

    /// A line that a person types unseen in the terminal, though standard input is another program's.
    static func fromTerminal(_ label: String) throws(Failure) -> SecretBytes {
        let terminal: Descriptor
        do throws(SystemError) { terminal = try Descriptor(opening: "/dev/tty", O_RDWR) } catch { throw .helper(.noTerminal) }
        let before = thumb_fcntl(0, F_DUPFD_CLOEXEC, 3)
        guard before >= 0, dup2(terminal.number, 0) == 0 else { throw .terminalUnreadable }
        defer {
            dup2(before, 0)
            close(before)
        }
        return try Keyboard().line(label, capacity: QueryLimit.typedBytes)
    }
}
