import CThumbLinux
import ThumbCommands
import ThumbSecrets
import ThumbSystem

/// The clipboard of the owner's desktop session, for a while.
struct Clipboard: Sendable {
    static let option = Option("clipboard", "put the secret on the clipboard instead of printing it")
    static let clearOption = Option(
        "clear-after", "how many seconds it stays there, \(usualSeconds) by default", .number("SECONDS", seconds))

    /// Long enough to paste it, short enough not to forget it.
    private static let usualSeconds = 45
    /// At most an hour: the clipboard isn't a place to keep secrets.
    static let seconds = 1...3600
    /// How many milliseconds a program has to take the clipboard: time for a slow display.
    private static let patience: Int32 = 10_000

    private let tool: ClipboardTool
    let seconds: Int

    /// nil if the line doesn't ask for the clipboard. Fails if there is none, before anybody is asked.
    /// - Parameter others: options that say otherwise where the secret goes.
    init?(_ invocation: Invocation, not others: Option...) throws(Failure) {
        guard invocation.has(Self.option) else {
            if invocation.has(Self.clearOption) {
                throw .usage(.onlyWith(Self.clearOption.flag, Self.option.flag), invocation.path)
            }
            return nil
        }
        for other in others where invocation.has(other) {
            throw .usage(.together(other.flag, with: Self.option.flag), invocation.path)
        }
        seconds = invocation.number(Self.clearOption) ?? Self.usualSeconds
        tool = try .chosen()
        // The keeper makes its own, and has nobody to tell why it can't.
        if tool.keepsFile { _ = try MemoryFolder.made() }
    }

    /// Puts the secret there. The program that holds it gets it through a pipe; this one can end then, and has nothing more to do with it.
    func take(_ secret: SecretBytes, of thing: Thing) throws(Failure) {
        guard !secret.isEmpty, UTF8Scalars.areValid(secret) else { throw .secret(.notForClipboard(thing)) }
        do throws(SystemError) {
            let contents = try PipeEnds()
            let report = try PipeEnds()
            let keeper = try Spawn(
                "/proc/self/exe", ["thumbturn"] + ClipboardKeeper.words(tool, seconds), environment: .own,
                descriptors: .only([contents.reading.number, report.writing.number]), hasOwnSession: true
            ).start()
            let reading = report.takenReading()
            do {
                let pipe = contents.takenWriting()
                try unsafe secret.withUnsafeBytes { (bytes) throws(SystemError) in
                    try unsafe Transfer.write(bytes, to: pipe.number)
                }
            }
            var waits = [pollfd(fd: reading.number, events: Int16(POLLIN), revents: 0)]
            let isThere = try polled(&waits, milliseconds: Self.patience) > 0
            // Nothing comes if it ended.
            if isThere, try Transfer.bytes(from: reading.number, count: 1) == ClipboardKeeper.report { return }
            // The keeper and the tool that it waits for.
            kill(-keeper.pid, SIGKILL)
            _ = keeper.wait()
        } catch {
            throw .secret(.clipboardFailed)
        }
        throw .secret(.clipboardFailed)
    }

    /// What is said about it.
    func notice(of thing: Thing, field: String?) -> Notice { .copied(thing, field: field, seconds: seconds) }

    var json: [(String, JSON)] { [("clipboard", .flag(true)), ("seconds", .number(Int64(seconds)))] }
}
