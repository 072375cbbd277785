import Foundation
import Testing

/// The folder of published vectors is whole: no file and no vector can go missing unseen.
@Suite("The published vectors") struct VectorFolderTests {
    /// Files that hold no vectors.
    private static let others = ["README.md", "compact", "numbers"]

    /// A file's vectors, counted by nothing but the lines that they stand on.
    private func count(_ file: String) throws -> Int {
        let mark = file.hasSuffix(".txt") ? "COUNT = " : file == "apple-ecies.json" ? "{\"set\":" : "{\"tcId\":"
        return try String(decoding: Vectors.data(file), as: UTF8.self).split(whereSeparator: \.isNewline)
            .count { $0.hasPrefix(mark) }
    }

    @Test("every file is there, none is without a number, and each has exactly as many vectors")
    func files() throws {
        let numbers = try Vectors.numbers()
        let all = try FileManager.default.contentsOfDirectory(atPath: Vectors.folder.path)
        let files = Set(all).subtracting(Self.others)
        // A line is a file, or a file and what it is tried on.
        #expect(Set(numbers.keys.map { String($0.prefix { $0 != " " }) }) == files)
        for (line, number) in numbers { #expect(try count(String(line.prefix { $0 != " " })) == number, "\(line)") }
    }

    @Test("there are 1,434 in five files, and those of P-256 are tried on a TPM too")
    func whole() throws {
        let numbers = try Vectors.numbers()
        let (onTPM, inSoftware) = (numbers.filter { $0.key.hasSuffix(" (TPM)") }, numbers.filter { !$0.key.hasSuffix(" (TPM)") })
        #expect(inSoftware.count == 5 && inSoftware.values.reduce(0, +) == 1434)
        #expect(onTPM.count == 2 && onTPM.values.reduce(0, +) == 1083)
    }

    @Test("the README has a row for each file, with its number")
    func readme() throws {
        let rows = try String(decoding: Vectors.data("README.md"), as: UTF8.self).split(separator: "\n")
        for (file, number) in try Vectors.numbers() where !file.contains(" ") {
            // One of them has two rows, for two sources.
            let cells = rows.filter { $0.hasPrefix("| `\(file)`") }.map { $0.split(separator: "|")[1] }
            #expect(cells.compactMap { Int($0.filter(\.isNumber)) }.reduce(0, +) == number, "\(file)")
        }
    }
}
