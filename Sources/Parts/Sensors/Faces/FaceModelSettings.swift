import ThumbAccess

/// The administrator's file that says where a camera's module keeps the faces that it knows: a path on each line. Empty lines, and lines that
/// begin with `#`, say nothing.
struct FaceModelSettings: Sendable, Hashable {
    /// Where it is, beside the other settings of this machine.
    static let file = "/etc/thumbturn/face-models"
    /// Longest file that is read. A few paths and a page of remarks take less.
    static let fileBytes = 16 << 10
    /// Most paths. A module keeps its faces in one place, rarely in two.
    static let pathLimit = 8

    let paths: [FaceModelPath]

    /// Reads the file's contents; fails with the line that isn't understood.
    init(_ bytes: [UInt8]) throws(FaceModelFailure) {
        var paths: [FaceModelPath] = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            guard let text = String(validating: line, as: UTF8.self) else { throw Self.refused(index + 1, "isn't UTF-8") }
            let blanks: Set<Character> = [" ", "\t", "\r"]
            let words = text.drop { blanks.contains($0) }
            guard let first = words.first, first != "#" else { continue }
            let end = words.lastIndex { !blanks.contains($0) } ?? words.startIndex
            guard let path = FaceModelPath(String(words[...end])) else {
                throw Self.refused(index + 1, "isn't an absolute path with no other % than %u, %U and %%")
            }
            paths.append(path)
            guard paths.count <= Self.pathLimit else { throw Self.refused(index + 1, "is one path too many") }
        }
        guard !paths.isEmpty else { throw .setting("\(Self.file) names no path") }
        self.paths = paths
    }

    private static func refused(_ line: Int, _ why: String) -> FaceModelFailure {
        .setting("line \(line) of \(file) \(why)")
    }
}

/// Where a module keeps a user's faces: an absolute path in which `%u` stands for the user's name, `%U` for the user's number and `%%` for a
/// percent sign.
struct FaceModelPath: Sendable, Hashable {
    /// Longest path.
    static let longest = 1024

    private enum Piece: Sendable, Hashable {
        case text(String)
        case name
        case number
    }

    /// The pieces of each folder's name, and of the last name.
    private let parts: [[Piece]]

    /// nil if it isn't one.
    init?(_ text: String) {
        let slash = UInt8(ascii: "/")
        guard text.utf8.count <= Self.longest, text.utf8.first == slash else { return nil }
        var parts: [[Piece]] = []
        // Divided by bytes, as the kernel does: a mark that combines with a slash doesn't hide it.
        for part in text.utf8.split(separator: slash).map({ String(Substring($0)) }) {
            guard part != ".", part != "..", let pieces = Self.pieces(part) else { return nil }
            parts.append(pieces)
        }
        guard !parts.isEmpty else { return nil }
        self.parts = parts
    }

    private static func pieces(_ part: String) -> [Piece]? {
        var (pieces, text) = ([Piece](), "")
        var rest = part.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar.value >= 0x20, scalar.value != 0x7f else { return nil }
            guard scalar == "%" else {
                text.unicodeScalars.append(scalar)
                continue
            }
            switch rest.popFirst() {
            case "%":
                text += "%"
                continue
            case "u": pieces += [.text(text), .name]
            case "U": pieces += [.text(text), .number]
            default: return nil
            }
            text = ""
        }
        return pieces + [.text(text)]
    }

    /// The path of one user.
    struct Place: Sendable, Hashable {
        let parts: [String]
        /// How many of them must be there. What comes after them is made when the user's first face is enrolled.
        let fixed: Int
    }

    /// Where a user's faces are; nil if the user's name can't be in a path.
    func place(of uid: UInt32, name: String?) -> Place? {
        var names: [String] = []
        for pieces in parts {
            var part = ""
            for piece in pieces {
                switch piece {
                case .text(let text): part += text
                case .number: part += "\(uid)"
                case .name:
                    guard let name, !name.isEmpty, !name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") }) else {
                        return nil
                    }
                    part += name
                }
            }
            guard part != ".", part != ".." else { return nil }
            names.append(part)
        }
        return Place(parts: names, fixed: parts.firstIndex { $0.count > 1 } ?? parts.count - 1)
    }
}
