import Security
import Testing

/// The key rows of the matrix: what comes of using a Secure Enclave key, for each rule, in the same hands and after the same
/// happenings as an item's secret (`KeychainMatrix`). Signing, agreeing and decrypting come out alike, and each is played.
///
/// Every rule has `privateKeyUsage` beside what its name says. A dot is the result, without a word to the owner; `P` the result,
/// after the owner was asked; `LA` an `LAError` and its code, `TK` a code of CryptoTokenKit's; a bare number a status.
enum KeyMatrix {
    static let table = """
        fresh               nothing enrolled  swapped  removed  lockout  changed    unset   locked  restart unlocked
        userPresence              P        P        P        P        P        P     LA-5   -25308        P        P
        biometryAny               P        P        P     LA-7     LA-8        P     LA-5   -25308     LA-8        P
        biometryCurrentSet        P     TK-3     TK-3   -25293     LA-8        P     LA-5   -25308     LA-8        P
        devicePasscode            P        P        P        P        P        P     LA-5   -25308        P        P
        applicationPassword       .        .        .        .        .        .        .   -25308   -25308        .
        companion             LA-11    LA-11    LA-11    LA-11    LA-11    LA-11    LA-11   -25308    LA-11    LA-11
        any|passcode              P        P        P        P        P        P     LA-5   -25308        P        P
        any&passcode              P        P        P     LA-7     LA-8        P     LA-5   -25308     LA-8        P
        set|passcode              P        P        P        P        P        P     LA-5   -25308        P        P
        set&passcode              P     TK-3     TK-3   -25293     LA-8        P     LA-5   -25308     LA-8        P
        any|companion             P        P        P     LA-7     LA-8        P     LA-5   -25308     LA-8        P
        any&companion         LA-11    LA-11    LA-11     LA-7     LA-8    LA-11     LA-5   -25308     LA-8    LA-11
        set|companion             P    LA-11    LA-11    LA-11     LA-8        P     LA-5   -25308     LA-8        P
        set&companion         LA-11     TK-3     TK-3   -25293     LA-8    LA-11     LA-5   -25308     LA-8    LA-11
        passcode|companion        P        P        P        P        P        P     LA-5   -25308        P        P
        passcode&companion    LA-11    LA-11    LA-11    LA-11    LA-11    LA-11    LA-11   -25308    LA-11    LA-11
        presence+app              P        P        P        P        P        P     LA-5   -25308        P        P
        any+app                   P        P        P     LA-7     LA-8        P     LA-5   -25308     LA-8        P
        set+app                   P     TK-3     TK-3   -25293     LA-8        P     LA-5   -25308     LA-8        P
        passcode+app              P        P        P        P        P        P     LA-5   -25308        P        P
        companion+app         LA-11    LA-11    LA-11    LA-11    LA-11    LA-11    LA-11   -25308    LA-11    LA-11
        any|passcode+app          P        P        P        P        P        P     LA-5   -25308        P        P
        any&passcode+app          P        P        P     LA-7     LA-8        P     LA-5   -25308     LA-8        P

        reused              nothing enrolled  swapped  removed  lockout  changed    unset   locked  restart unlocked
        userPresence              .        P        P        P        .        .        .   -25308        P        P
        biometryAny               .        P        P     LA-7        .        .        .   -25308     LA-8        P
        biometryCurrentSet        .     TK-3     TK-3   -25293        .        .        .   -25308     LA-8        P
        devicePasscode            .        .        .        .        .        .        .   -25308        P        P
        applicationPassword       .        .        .        .        .        .        .   -25308   -25293   -25293
        companion             LA-11    LA-11    LA-11    LA-11    LA-11    LA-11    LA-11   -25308    LA-11    LA-11
        any|passcode              .        P        P        P        .        .        .   -25308        P        P
        any&passcode              .        P        P     LA-7        .        .        .   -25308     LA-8        P
        set|passcode              .        P        P        P        .        .        .   -25308        P        P
        set&passcode              .     TK-3     TK-3   -25293        .        .        .   -25308     LA-8        P
        any|companion             .        P        P     LA-7        .        .        .   -25308     LA-8        P
        any&companion         LA-11    LA-11    LA-11     LA-7     LA-8    LA-11     LA-5   -25308     LA-8    LA-11
        set|companion             .    LA-11    LA-11    LA-11        .        .        .   -25308     LA-8        P
        set&companion         LA-11     TK-3     TK-3   -25293     LA-8    LA-11     LA-5   -25308     LA-8    LA-11
        passcode|companion        .        .        .        .        .        .        .   -25308        P        P
        passcode&companion    LA-11    LA-11    LA-11    LA-11    LA-11    LA-11    LA-11   -25308    LA-11    LA-11
        presence+app              .        P        P        P        .        .        .   -25308   -25293   -25293
        any+app                   .        P        P     LA-7        .        .        .   -25308   -25293   -25293
        set+app                   .     TK-3     TK-3   -25293        .        .        .   -25308   -25293   -25293
        passcode+app              .        .        .        .        .        .        .   -25308   -25293   -25293
        companion+app         LA-11    LA-11    LA-11    LA-11    LA-11    LA-11    LA-11   -25308   -25293   -25293
        any|passcode+app          .        P        P        P        .        .        .   -25308   -25293   -25293
        any&passcode+app          .        P        P     LA-7        .        .        .   -25308   -25293   -25293

        silent              nothing enrolled  swapped  removed  lockout  changed    unset   locked  restart unlocked
        userPresence        LA-1004  LA-1004  LA-1004  LA-1004  LA-1004  LA-1004     LA-5   -25308  LA-1004  LA-1004
        biometryAny         LA-1004  LA-1004  LA-1004     LA-7     LA-8  LA-1004     LA-5   -25308     LA-8  LA-1004
        biometryCurrentSet  LA-1004     TK-3     TK-3   -25293     LA-8  LA-1004     LA-5   -25308     LA-8  LA-1004
        devicePasscode      LA-1004  LA-1004  LA-1004  LA-1004  LA-1004  LA-1004     LA-5   -25308  LA-1004  LA-1004
        applicationPassword       .        .        .        .        .        .        .   -25308   -25308        .
        companion             LA-11    LA-11    LA-11    LA-11    LA-11    LA-11    LA-11   -25308    LA-11    LA-11
        any|passcode        LA-1004  LA-1004  LA-1004  LA-1004  LA-1004  LA-1004     LA-5   -25308  LA-1004  LA-1004
        any&passcode        LA-1004  LA-1004  LA-1004     LA-7     LA-8  LA-1004     LA-5   -25308     LA-8  LA-1004
        set|passcode        LA-1004  LA-1004  LA-1004  LA-1004  LA-1004  LA-1004     LA-5   -25308  LA-1004  LA-1004
        set&passcode        LA-1004     TK-3     TK-3   -25293     LA-8  LA-1004     LA-5   -25308     LA-8  LA-1004
        any|companion       LA-1004  LA-1004  LA-1004     LA-7     LA-8  LA-1004     LA-5   -25308     LA-8  LA-1004
        any&companion         LA-11    LA-11    LA-11     LA-7     LA-8    LA-11     LA-5   -25308     LA-8    LA-11
        set|companion       LA-1004    LA-11    LA-11    LA-11     LA-8  LA-1004     LA-5   -25308     LA-8  LA-1004
        set&companion         LA-11     TK-3     TK-3   -25293     LA-8    LA-11     LA-5   -25308     LA-8    LA-11
        passcode|companion  LA-1004  LA-1004  LA-1004  LA-1004  LA-1004  LA-1004     LA-5   -25308  LA-1004  LA-1004
        passcode&companion    LA-11    LA-11    LA-11    LA-11    LA-11    LA-11    LA-11   -25308    LA-11    LA-11
        presence+app        LA-1004  LA-1004  LA-1004  LA-1004  LA-1004  LA-1004     LA-5   -25308  LA-1004  LA-1004
        any+app             LA-1004  LA-1004  LA-1004     LA-7     LA-8  LA-1004     LA-5   -25308     LA-8  LA-1004
        set+app             LA-1004     TK-3     TK-3   -25293     LA-8  LA-1004     LA-5   -25308     LA-8  LA-1004
        passcode+app        LA-1004  LA-1004  LA-1004  LA-1004  LA-1004  LA-1004     LA-5   -25308  LA-1004  LA-1004
        companion+app         LA-11    LA-11    LA-11    LA-11    LA-11    LA-11    LA-11   -25308    LA-11    LA-11
        any|passcode+app    LA-1004  LA-1004  LA-1004  LA-1004  LA-1004  LA-1004     LA-5   -25308  LA-1004  LA-1004
        any&passcode+app    LA-1004  LA-1004  LA-1004     LA-7     LA-8  LA-1004     LA-5   -25308     LA-8  LA-1004
        """

    struct Row: Sendable, CustomTestStringConvertible {
        let hands: KeychainMatrix.Hands
        let rule: String
        let flags: SecAccessControlCreateFlags
        let happenings: [KeychainMatrix.Happening]
        let words: [String]

        var testDescription: String { "\(rule), \(hands)" }
    }

    /// The table's rows. A line that begins with a context heads those below it, and names the columns.
    static let rows: [Row] = {
        var rows: [Row] = []
        var head: (hands: KeychainMatrix.Hands, columns: [KeychainMatrix.Happening])?
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if let hands = words.first.flatMap(KeychainMatrix.Hands.init(rawValue:)) {
                head = (hands, words.dropFirst().compactMap(KeychainMatrix.Happening.init(rawValue:)))
            } else if let head, let rule = KeychainMatrix.rules.first(where: { $0.name == words[0] }) {
                rows.append(
                    Row(
                        hands: head.hands, rule: rule.name, flags: rule.flags.union(.privateKeyUsage), happenings: head.columns,
                        words: Array(words.dropFirst())))
            }
        }
        return rows
    }()
}
