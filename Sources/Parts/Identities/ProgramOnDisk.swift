import CThumbLinux
public import ThumbAccess
import ThumbLoop
import ThumbPeers
import ThumbSystem

/// A program that isn't running, and who it will be.
public enum ProgramOnDisk {
    /// The longest first line that the kernel reads of a script, without the end of the line.
    static let lineBytes = 255

    /// The identity that a process which runs that program has; nil if it would have none.
    ///
    /// A tool that others start has one more part then, the program that starts it. `ReaderTools.isTool` tells.
    ///
    /// - Parameters:
    ///   - path: a program, or a script whose first line names its interpreter.
    ///   - search: the folders in which `env` looks for an interpreter.
    public static func identity(
        of path: String, path search: String = ownSearchPath, _ digests: FileDigests = FileDigests()
    ) -> ExactName? {
        facts(of: path, path: search, digests).flatMap(ProgramIdentity.of)
    }

    /// The folders in which this process looks for programs.
    public static var ownSearchPath: String { unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "" }

    /// What will be known of a process that runs that program; nil if there is none, or if nobody can tell what runs it.
    public static func facts(
        of path: String, path search: String = ownSearchPath, _ digests: FileDigests = FileDigests()
    ) -> PeerFacts? {
        guard let file = RunningFile.named(path) else { return nil }
        let uid = getuid()
        guard let line = firstLine(of: file, for: uid) else {
            var known = ProgramFacts(program: file, for: uid, digests)
            // Started without arguments.
            if ProgramWords(path: file.file.path).isInterpreter {
                known.facts.run =
                    InterpreterArguments.run([Array(path.utf8)], by: file.file.path) == .interactive ? .interactive : .unknown
            }
            return known.facts
        }
        guard let command = InterpreterLine(line, path: search), let program = RunningFile.named(command.program),
            firstLine(of: program, for: uid) == nil
        else { return nil }
        var known = ProgramFacts(program: program, for: uid, digests)
        guard ProgramWords(path: program.file.path).isInterpreter else { return known.facts }
        let words = ([command.program] + command.words + [path]).map { Array($0.utf8) }
        guard case .script(let name) = InterpreterArguments.run(words, by: program.file.path), name == Array(path.utf8) else {
            return nil
        }
        known.take(.file(file), for: uid, digests)
        return known.facts
    }

    /// The first line of a script, without `#!`; nil for a file that isn't one.
    private static func firstLine(of file: borrowing OpenFile, for uid: UInt32) -> [UInt8]? {
        guard let contents = file.contents(for: uid) else { return nil }
        defer { UnixSocket.close(contents) }
        do throws(SystemError) {
            let bytes = try Transfer.bytes(from: contents, count: lineBytes + 1)
            guard bytes.starts(with: "#!".utf8) else { return nil }
            // Without an end within the limit it isn't a line that the kernel would run, but it is no other program either.
            return Array(bytes.dropFirst(2).prefix { $0 != 0x0a && $0 != 0 })
        } catch {  // What can't be read is known as a file, if at all.
            return nil
        }
    }
}

/// The line by which a script names its interpreter.
struct InterpreterLine {
    /// Where the interpreter is.
    let program: String
    /// What is put before the script's path: at most one word, blanks and all.
    let words: [String]

    /// nil for a line that names none, or that leaves to somebody else what it names.
    init?(_ line: [UInt8], path: String) {
        guard let text = String(validating: line, as: UTF8.self) else { return nil }
        let parts = text.split(maxSplits: 1) { $0 == " " || $0 == "\t" }
        guard let first = parts.first.map(String.init), first.hasPrefix("/") else { return nil }
        let rest = parts.count > 1 ? Self.trimmed(parts[1]) : ""
        guard first.utf8.elementsEqual("/usr/bin/env".utf8) || first.utf8.elementsEqual("/bin/env".utf8) else {
            (program, words) = (first, rest.isEmpty ? [] : [rest])
            return
        }
        // `env` looks the name up and is gone by the time that anybody looks.
        var names = rest.split { $0 == " " || $0 == "\t" }.map(String.init)
        if names.first == "-S" {
            names.removeFirst()
            // Quotation marks and variables are a language of their own.
            guard !rest.contains(where: { "\"'\\${}#".contains($0) }) else { return nil }
        } else if names.count > 1 {
            return nil
        }
        guard let name = names.first, !name.hasPrefix("-"), !name.contains("="), let found = Self.found(name, in: path)
        else {
            return nil
        }
        (program, words) = (found, Array(names.dropFirst()))
    }

    private static func trimmed(_ text: Substring) -> String {
        var rest = text.drop { $0 == " " || $0 == "\t" }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return String(rest)
    }

    /// The first program of that name in the folders of a search path.
    private static func found(_ name: String, in path: String) -> String? {
        if name.contains("/") { return name.hasPrefix("/") ? name : nil }
        return path.split(separator: ":").map { "\($0)/\(name)" }.first { place in
            guard place.hasPrefix("/") else { return false }
            return unsafe access(place, X_OK) == 0
        }
    }
}
