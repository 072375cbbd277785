/// Why a command did not do what it was asked.
struct Failure: Error, Sendable {
    /// A word for programs, the same in every version.
    let code: String
    let exit: Exit
    /// What happened, for a person.
    let message: String
    /// What to do about it.
    var advice: String?

    init(_ code: String, _ exit: Exit, _ message: String, advice: String? = nil) {
        self.code = code
        self.exit = exit
        self.message = message
        self.advice = advice
    }

    static func usage(_ message: String, _ path: [String]) -> Failure {
        Failure("usage", .usage, message, advice: "'\(path.joined(separator: " ")) --help' tells how it is used")
    }

    static let noLockedMemory = Failure(
        "noLockedMemory", .failed, "no memory could be locked for the secret",
        advice: "raise the limit on locked memory (ulimit -l)")

    static let cancelled = Failure("userCanceled", .cancelled, "cancelled")

    var json: JSON {
        .object([
            (
                "error",
                .object([
                    ("code", .text(code)), ("message", .text(message)), ("advice", .optional(advice)),
                    ("exitStatus", .number(Int64(exit.rawValue))),
                ])
            )
        ])
    }

    var lines: [String] { ["thumbturn: \(message)"] + (advice.map { ["  \($0)"] } ?? []) }
}
