/// A man page for something that isn't a command: a file's form, or a program that other programs start.
public struct FurtherPage: Sendable {
    let name: String
    /// 5 for a file's form, 8 for a program.
    let section: Int
    let summary: String
    let synopsis: [String]
    let paragraphs: [String]
    let lists: [(title: String, rows: [(name: String, text: String)])]
    let examples: [Example]
    let seeAlso: [String]

    /// - Parameters:
    ///   - summary: One line, in lower case and without a full stop.
    ///   - synopsis: Lines that a person can type or a file can have.
    ///   - paragraphs: Prose, as in a command's description.
    ///   - lists: Names with their meanings, under titles in capitals.
    public init(
        _ name: String, section: Int, _ summary: String, synopsis: [String] = [], paragraphs: [String],
        lists: [(title: String, rows: [(name: String, text: String)])] = [], examples: [Example] = [], seeAlso: [String] = []
    ) {
        (self.name, self.section, self.summary, self.synopsis) = (name, section, summary, synopsis)
        (self.paragraphs, self.lists, self.examples, self.seeAlso) = (paragraphs, lists, examples, seeAlso)
    }
}
