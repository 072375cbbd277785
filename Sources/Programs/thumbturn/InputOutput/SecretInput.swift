import CThumbLinux
import ThumbAccess
import ThumbSecrets
import ThumbSystem

/// Reads a secret from standard input, directly into locked memory.
enum SecretInput {
    /// The size of the first piece. Each next one is twice as large, so that a short secret locks little memory.
    private static let firstPiece = 4096

    /// A new secret: typed twice in a terminal, otherwise all of standard input.
    static func read() throws(Failure) -> SecretBytes {
        guard isatty(0) == 1 else { return try readAll(from: 0) }
        let keyboard = try Keyboard()
        while true {
            let first = try keyboard.line(TypedQuestion.secret, capacity: QueryLimit.typedBytes)
            if first == (try keyboard.line(TypedQuestion.again, capacity: QueryLimit.typedBytes)) { return first }
            Output.say(TypedQuestion.differs)
        }
    }

    /// The values of fields: each typed twice in a terminal. Otherwise the only one is all of standard input, and several are a line each.
    static func readFields(_ names: [String]) throws(Failure) -> [SecretBytes] {
        guard isatty(0) == 1 else {
            let whole = try readAll(from: 0)
            if names.count == 1 { return [whole] }
            do throws(Failure) { return try lines(whole, names.count) } catch .inputLines(let count) {
                throw .secret(.fieldLines(count))
            }
        }
        return try readCodes(names.map { TypedQuestion("\($0): ", isNew: true) })
    }

    /// A code, typed once or read as a line.
    static func readCode(_ label: String) throws(Failure) -> SecretBytes {
        guard isatty(0) == 1 else { return try withoutNewline(try readAll(from: 0)) }
        return try Keyboard().line(label, capacity: QueryLimit.typedBytes)
    }

    /// Several codes in turn, each typed, or each a line of standard input.
    static func readCodes(_ questions: [TypedQuestion]) throws(Failure) -> [SecretBytes] {
        if questions.isEmpty { return [] }
        guard isatty(0) == 1 else { return try lines(try readAll(from: 0), questions.count) }
        let keyboard = try Keyboard()
        var codes: [SecretBytes] = []
        for question in questions {
            var code = try keyboard.line(question.label, capacity: QueryLimit.typedBytes)
            while question.isNew, code != (try keyboard.line(TypedQuestion.again, capacity: QueryLimit.typedBytes)) {
                Output.say(TypedQuestion.differs)
                code = try keyboard.line(question.label, capacity: QueryLimit.typedBytes)
            }
            codes.append(code)
        }
        return codes
    }

    /// This many lines. The last one may lack its newline.
    private static func lines(_ whole: SecretBytes, _ count: Int) throws(Failure) -> [SecretBytes] {
        var ends: [Int] = []
        unsafe whole.withUnsafeBytes { bytes in
            for place in 0..<bytes.count where unsafe bytes[place] == 0x0a { ends.append(place) }
        }
        if ends.last != whole.count - 1 { ends.append(whole.count) }
        guard ends.count == count else {
            throw .inputLines(count)
        }
        var (start, lines): (Int, [SecretBytes]) = (0, [])
        for end in ends {
            guard let line = try? whole.slice(start..<end) else { throw .noLockedMemory }
            lines.append(try withoutNewline(line))
            start = end + 1
        }
        return lines
    }

    /// A passphrase for a backup: typed twice in a terminal, otherwise standard input without the newline at its end.
    static func readNewPassphrase() throws(Failure) -> SecretBytes {
        guard isatty(0) == 1 else {
            let line = try withoutNewline(try readAll(from: 0))
            guard BackupLimit.passphrase.contains(line.count) else { throw .backup(.passphraseLength) }
            return line
        }
        let keyboard = try Keyboard()
        while true {
            let first = try keyboard.line(TypedQuestion.newPassphrase, capacity: QueryLimit.typedBytes)
            guard BackupLimit.passphrase.contains(first.count) else {
                Output.say(BackupFailure.passphraseLength.words.message)
                continue
            }
            if first == (try keyboard.line(TypedQuestion.again, capacity: QueryLimit.typedBytes)) { return first }
            Output.say(TypedQuestion.differs)
        }
    }

    /// All of the input, unchanged. Empty input is refused: it is more often a broken pipe than a secret.
    static func readAll(from fd: Int32) throws(Failure) -> SecretBytes {
        var pieces: [SecretBytes] = []
        var total = 0
        var room = firstPiece
        while true {
            let piece = try self.piece(from: fd, room: room)
            total += piece.count
            guard total <= QueryLimit.secretBytes else {
                throw .secretTooLarge(limit: QueryLimit.secretBytes)
            }
            let isLast = piece.count < room
            pieces.append(piece)
            if isLast { break }
            room *= 2
        }
        if total == 0 { throw .inputEmpty }
        if pieces.count == 1 { return pieces[0] }
        return try joined(pieces, total)
    }

    /// As many bytes as there is room for, or fewer at the end.
    private static func piece(from fd: Int32, room: Int) throws(Failure) -> SecretBytes {
        var isReadable = true
        let piece = try? unsafe SecretBytes(filling: room) { memory in
            do throws(SystemError) { return try unsafe Transfer.fill(memory, from: fd) } catch {
                isReadable = false
                return 0
            }
        }
        guard let piece else { throw .noLockedMemory }
        guard isReadable else { throw .inputUnreadable }
        return piece
    }

    private static func joined(_ pieces: [SecretBytes], _ total: Int) throws(Failure) -> SecretBytes {
        let whole = try? unsafe SecretBytes(count: total) { memory in
            var place = 0
            for piece in pieces {
                unsafe piece.withUnsafeBytes {
                    unsafe UnsafeMutableRawBufferPointer(rebasing: memory[place...]).copyMemory(from: $0)
                }
                place += piece.count
            }
        }
        guard let whole else { throw .noLockedMemory }
        return whole
    }

    private static func withoutNewline(_ line: SecretBytes) throws(Failure) -> SecretBytes {
        var count = line.count
        unsafe line.withUnsafeBytes { bytes in
            while unsafe count > 0 && (bytes[count - 1] == 0x0a || bytes[count - 1] == 0x0d) { count -= 1 }
        }
        guard let code = try? line.slice(0..<count) else { throw .noLockedMemory }
        return code
    }
}

/// A question whose answer is typed unseen, and the label that the terminal shows.
struct TypedQuestion {
    let label: String
    /// Typed twice in a terminal, because nobody can see a new secret and nothing can check it yet.
    let isNew: Bool

    init(_ label: String, isNew: Bool = false) { (self.label, self.isNew) = (label, isNew) }

    static let secret = "Secret: "
    static let again = "Again: "
    static let passphrase = "Passphrase: "
    static let newPassphrase = "New passphrase: "
    static let recoveryCode = "Recovery code: "
    static let newPassword = "New password: "
    static func password(of account: String) -> String { "Password of \(SafeText(account, limit: 128)): " }

    static let differs = "The two were not the same. Start again."
}

extension QueryLimit {
    /// The longest typed line, which is also a terminal's own limit.
    static let typedBytes = 4096
}
