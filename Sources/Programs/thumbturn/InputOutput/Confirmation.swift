import CThumbLinux
import ThumbCommands
import ThumbSystem

/// Questions that a person answers in the terminal.
enum Confirmation {
    static let force = Option("force", "don't ask whether you mean it")

    /// Longest line that is read; a terminal's own limit.
    private static let lineBytes = 4096

    /// Asks before something is lost for good; nobody is asked if the line has the option. Returns only if the answer is yes.
    static func ask(_ loss: Notice) throws(Failure) {
        guard isatty(0) == 1 else { throw .notConfirmed(loss) }
        Output.say(loss.text)
        Transfer.say("Go on? [y/N] ", to: 2)
        guard let answer = line() else {
            // Nothing was typed that would have ended the line.
            Output.say("")
            throw .cancelled
        }
        guard ["y", "yes"].contains(answer.lowercased()) else { throw .cancelled }
    }

    /// Asks a question; Return alone means yes. Nobody wants it if the input ends, or a signal comes that ends programs.
    static func isWanted(_ question: String, until interruption: Interruption) -> Bool {
        Transfer.say("\(question) [Y/n] ", to: 2)
        guard interruption.waitForInput(), let answer = line() else {
            Output.say("")
            return false
        }
        return ["", "y", "yes"].contains(answer.lowercased())
    }

    /// What is typed, without blanks and the newline; nil at the end of the input.
    private static func line() -> String? {
        var room = [UInt8](repeating: 0, count: lineBytes)
        var span = room.mutableSpan
        let count: Int
        do throws(SystemError) {
            // A terminal hands over one line at a time.
            count = try unsafe span.withUnsafeMutableBytes { (room) throws(SystemError) in
                try unsafe Transfer.some(of: 0, into: room)
            }
        } catch {
            return nil
        }
        if count == 0 { return nil }
        return String(decoding: room.prefix(count).filter { $0 > 0x20 }, as: UTF8.self)
    }
}
