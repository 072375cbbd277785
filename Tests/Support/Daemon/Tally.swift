import Foundation

/// Whether all of it is tried (`make test-crash`) or a sample (`make test`).
public let isWhole = ProcessInfo.processInfo.environment["THUMBTURN_CRASH"] == "whole"

/// What was tried and lost, one line each, where the make target that ends with a sum asks for it.
public enum Tally {
    /// One attack that was tried, by the name that it is counted under: a name counts once, however often it is tried. It was seen to
    /// succeed once, against code without the defence.
    public static func attack(_ name: String, succeeded: Bool) { write("attack \(succeeded ? 1 : 0) \(name)\n") }

    /// An attempt that nobody has seen succeed. Its defence is asserted all the same, but it isn't counted among the attacks.
    public static func check(_ name: String, succeeded: Bool) { write("check \(succeeded ? 1 : 0) \(name)\n") }

    /// A count of what was tried or lost, summed under one word.
    public static func note(_ what: String, _ count: Int) { write("\(what) \(count)\n") }

    /// A part of a test that can't be tried here, and why. It counts as a skipped test.
    public static func skip(_ what: String, because reason: String) { write("skip \(what): \(reason)\n") }

    private static func write(_ text: String) {
        guard let path = ProcessInfo.processInfo.environment["THUMBTURN_TALLY"] else { return }
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        let line = Array(text.utf8)
        _ = line.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
    }
}
