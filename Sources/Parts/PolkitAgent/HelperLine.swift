import ThumbAccess

/// One line of polkit's helper: what PAM asks or says, or how it ended.
enum HelperLine: Sendable, Equatable {
    case asks(AccountQuestion)
    /// PAM tells the person something.
    case says(String)
    case success
    case failure

    /// nil if it is no line of a helper's.
    init?(_ line: some Collection<UInt8>) {
        let text = String(decoding: line, as: UTF8.self)
        switch text {
        case "SUCCESS": self = .success
        case "FAILURE": self = .failure
        default:
            guard let blank = text.firstIndex(of: " ") else { return nil }
            let rest = Self.unescaped(text[text.index(after: blank)...].utf8)
            switch text[..<blank] {
            case "PAM_PROMPT_ECHO_OFF": self = .asks(AccountQuestion(text: rest, isHidden: true))
            case "PAM_PROMPT_ECHO_ON": self = .asks(AccountQuestion(text: rest, isHidden: false))
            case "PAM_ERROR_MSG", "PAM_TEXT_INFO": self = .says(rest)
            default: return nil
            }
        }
    }

    /// Undoes GLib's `g_strescape`, which the helper writes every text with.
    private static func unescaped(_ bytes: some Collection<UInt8>) -> String {
        var (plain, rest): ([UInt8], [UInt8]) = ([], Array(bytes))
        while let byte = rest.first {
            rest.removeFirst()
            guard byte == UInt8(ascii: "\\"), let escape = rest.first else {
                plain.append(byte)
                continue
            }
            let digits = rest.prefix(3).prefix { (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }
            if digits.isEmpty {
                rest.removeFirst()
                plain.append(escapes[escape] ?? escape)
            } else {
                rest.removeFirst(digits.count)
                plain.append(UInt8(truncatingIfNeeded: digits.reduce(0) { $0 * 8 + Int($1 - UInt8(ascii: "0")) }))
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
        UInt8(ascii: "v"): 11,
    ]
}
