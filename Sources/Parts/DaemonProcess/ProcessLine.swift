import CThumbLinux
public import ThumbCommands
public import ThumbLogging

/// The command line of a daemon.
public enum ProcessLine {
    /// The work that the command line asks for. A line that only asks about the program is answered, and the process ends. It also ends,
    /// with 64, if the line can't be understood or carried out.
    public static func read<Work>(_ program: Program<Work, LineProblem>) -> Work {
        let name = program.overview.name
        do throws(Misuse) {
            switch try program.read(Array(CommandLine.arguments.dropFirst())) {
            case .about(let about):
                Output.write(program.overview.text(about), to: 1)
                exit(0)
            case .work(let action, let given):
                do throws(LineProblem) { return try action(given) } catch {
                    refuse(name, error.message, Misuse.advice([name]))
                }
            }
        } catch {
            refuse(name, error.message, error.advice)
        }
    }

    private static func refuse(_ name: String, _ message: String, _ advice: String) -> Never {
        Output.error("\(name): \(message)\n  \(advice)")
        exit(64)
    }

    // MARK: What several of them take

    /// How many seconds without a connection a process waits before it ends, unless it is told otherwise.
    public static let usualIdleSeconds = 600.0
    public static let idle = Option(
        "idle", "end after this many seconds without a connection; 600 by default, 0 for never", .seconds("SECONDS"))
    public static let logForm = Option(
        "log-format", "how the log is written; logfmt by default", .choice("FORM", LogForm.allCases.map(\.rawValue)))
    public static let readyDescriptor = Option(
        "ready-fd", "a descriptor that gets one byte when it listens", .number("NUMBER", 3...Int(Int32.max)), isHidden: true)
}

extension Invocation {
    /// How the log is to be written. Parsing has made sure that it is a form.
    public var logForm: LogForm { value(ProcessLine.logForm).flatMap { LogForm(rawValue: $0) } ?? .logfmt }

    /// The descriptor that gets a byte when the process listens, if there is one.
    public var readyDescriptor: Int32? { number(ProcessLine.readyDescriptor).map { Int32($0) } }
}
