import ThumbCommands

/// A file with a variable on each line: `NAME=VALUE`. A value that is a reference stands for a secret; every other one is as it is.
struct EnvironmentFile: Sendable {
    static let option = Option(
        "env-file", "put the variables of a file into the environment; a value can be a reference to a secret", .file("FILE"),
        isRepeatable: true)

    /// The largest file. The kernel takes little more for a program's environment.
    private static let mostBytes = 1 << 20

    private(set) var plain: [(variable: String, value: String)] = []
    private(set) var secrets: [(variable: String, reference: SecretReference)] = []

    init(_ path: String) throws(Failure) {
        let bytes = try KeyInput(path).all(atMost: Self.mostBytes)
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (place, line) in lines.enumerated() {
            guard let text = String(validating: line, as: UTF8.self), !text.utf8.contains(0) else {
                throw .secret(.environmentLine(place + 1, of: path))
            }
            try take(Self.trimmed(text[...]), place + 1, path)
        }
    }

    private mutating func take(_ line: Substring, _ number: Int, _ path: String) throws(Failure) {
        if line.isEmpty || line.hasPrefix("#") { return }
        let assignment = line.hasPrefix("export ") ? Self.trimmed(line.dropFirst("export ".count)) : line
        let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, HandedSecret.isVariable(parts[0]) else { throw .secret(.environmentLine(number, of: path)) }
        let (variable, value) = (String(parts[0]), String(Self.unquoted(Self.trimmed(parts[1]))))
        guard value.hasPrefix(SecretReference.scheme) else { return plain.append((variable, value)) }
        guard let reference = SecretReference(value) else {
            throw .secret(.badReference(line: number, of: path, meant: SecretReference.meant(by: value)))
        }
        secrets.append((variable, reference))
    }

    /// A value in quotes is what stands between them.
    private static func unquoted(_ value: Substring) -> Substring {
        for mark in ["'", "\""] where value.count >= 2 && value.hasPrefix(mark) && value.hasSuffix(mark) {
            return value.dropFirst().dropLast()
        }
        return value
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let last = text.unicodeScalars.last, isBlank(last) { text.unicodeScalars.removeLast() }
        while let first = text.unicodeScalars.first, isBlank(first) { text.unicodeScalars.removeFirst() }
        return text
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" || scalar == "\r" }
}
