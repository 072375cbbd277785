import Security
import Testing

/// Every rule, in the hands of three kinds of context, after everything that can happen to a device: what comes of wanting the
/// item's secret. A dot is the secret, without a word to the owner; `P` the secret, after the owner was asked; a number the
/// status, without a word to the owner.
///
/// Asked, the owner does what the prompt wants: shows the finger where the sensor listens, else types the passcode. Items are of
/// the when-unlocked class.
///
/// The rules: `any` and `set` are biometry of either kind, `presence` is the owner's; `|` is one of both, `&` both; `+app` has the
/// app's own password mixed in. Nothing can be paired, so a companion is never there.
///
/// The contexts: `fresh` was never used; `reused` opened this item just before the thing happened, if it could be opened;
/// `silent` is a fresh one that may not ask. Each was given the app's password when it was made, if the rule has one.
///
/// What happens between adding and reading: nothing; another finger is `enrolled`; the finger is `swapped` for another of the
/// same name; every finger is `removed`; the sensor is in `lockout`; the passcode is `changed`, or `unset`; the session is
/// `locked`; after a `restart` of the daemon nothing was given yet, or the device was `unlocked` with the passcode.
struct KeychainMatrix {
    static let table = """
        fresh                nothing enrolled  swapped  removed  lockout  changed    unset   locked  restart unlocked
        userPresence               P        P        P        P        P        P   -25293   -25308        P        P
        biometryAny                P        P        P   -25293   -25293        P   -25293   -25308   -25293        P
        biometryCurrentSet         P   -25300   -25300   -25293   -25293        P   -25293   -25308   -25293        P
        devicePasscode             P        P        P        P        P        P   -25293   -25308        P        P
        applicationPassword        .        .        .        .        .        .        .   -25308   -25308        .
        companion             -25293   -25293   -25293   -25293   -25293   -25293   -25293   -25308   -25293   -25293
        any|passcode               P        P        P        P        P        P   -25293   -25308        P        P
        any&passcode               P        P        P   -25293   -25293        P   -25293   -25308   -25293        P
        set|passcode               P        P        P        P        P        P   -25293   -25308        P        P
        set&passcode               P   -25300   -25300   -25293   -25293        P   -25293   -25308   -25293        P
        any|companion              P        P        P   -25293   -25293        P   -25293   -25308   -25293        P
        any&companion         -25293   -25293   -25293   -25293   -25293   -25293   -25293   -25308   -25293   -25293
        set|companion              P   -25293   -25293   -25293   -25293        P   -25293   -25308   -25293        P
        set&companion         -25293   -25300   -25300   -25293   -25293   -25293   -25293   -25308   -25293   -25293
        passcode|companion         P        P        P        P        P        P   -25293   -25308        P        P
        passcode&companion    -25293   -25293   -25293   -25293   -25293   -25293   -25293   -25308   -25293   -25293
        presence+app               P        P        P        P        P        P   -25293   -25308        P        P
        any+app                    P        P        P   -25293   -25293        P   -25293   -25308   -25293        P
        set+app                    P   -25300   -25300   -25293   -25293        P   -25293   -25308   -25293        P
        passcode+app               P        P        P        P        P        P   -25293   -25308        P        P
        companion+app         -25293   -25293   -25293   -25293   -25293   -25293   -25293   -25308   -25293   -25293
        any|passcode+app           P        P        P        P        P        P   -25293   -25308        P        P
        any&passcode+app           P        P        P   -25293   -25293        P   -25293   -25308   -25293        P

        reused               nothing enrolled  swapped  removed  lockout  changed    unset   locked  restart unlocked
        userPresence               .        P        P        P        .        .        .   -25308        P        P
        biometryAny                .        P        P   -25293        .        .        .   -25308   -25293        P
        biometryCurrentSet         .   -25300   -25300   -25293        .        .        .   -25308   -25293        P
        devicePasscode             .        .        .        .        .        .        .   -25308        P        P
        applicationPassword        .        .        .        .        .        .        .   -25308   -25293   -25293
        companion             -25293   -25293   -25293   -25293   -25293   -25293   -25293   -25308   -25293   -25293
        any|passcode               .        P        P        P        .        .        .   -25308        P        P
        any&passcode               .        P        P   -25293        .        .        .   -25308   -25293        P
        set|passcode               .        P        P        P        .        .        .   -25308        P        P
        set&passcode               .   -25300   -25300   -25293        .        .        .   -25308   -25293        P
        any|companion              .        P        P   -25293        .        .        .   -25308   -25293        P
        any&companion         -25293   -25293   -25293   -25293   -25293   -25293   -25293   -25308   -25293   -25293
        set|companion              .   -25293   -25293   -25293        .        .        .   -25308   -25293        P
        set&companion         -25293   -25300   -25300   -25293   -25293   -25293   -25293   -25308   -25293   -25293
        passcode|companion         .        .        .        .        .        .        .   -25308        P        P
        passcode&companion    -25293   -25293   -25293   -25293   -25293   -25293   -25293   -25308   -25293   -25293
        presence+app               .        P        P        P        .        .        .   -25308   -25293   -25293
        any+app                    .        P        P   -25293        .        .        .   -25308   -25293   -25293
        set+app                    .   -25300   -25300   -25293        .        .        .   -25308   -25293   -25293
        passcode+app               .        .        .        .        .        .        .   -25308   -25293   -25293
        companion+app         -25293   -25293   -25293   -25293   -25293   -25293   -25293   -25308   -25293   -25293
        any|passcode+app           .        P        P        P        .        .        .   -25308   -25293   -25293
        any&passcode+app           .        P        P   -25293        .        .        .   -25308   -25293   -25293

        silent               nothing enrolled  swapped  removed  lockout  changed    unset   locked  restart unlocked
        userPresence          -25308   -25308   -25308   -25308   -25308   -25308   -25293   -25308   -25308   -25308
        biometryAny           -25308   -25308   -25308   -25293   -25293   -25308   -25293   -25308   -25293   -25308
        biometryCurrentSet    -25308   -25300   -25300   -25293   -25293   -25308   -25293   -25308   -25293   -25308
        devicePasscode        -25308   -25308   -25308   -25308   -25308   -25308   -25293   -25308   -25308   -25308
        applicationPassword        .        .        .        .        .        .        .   -25308   -25308        .
        companion             -25293   -25293   -25293   -25293   -25293   -25293   -25293   -25308   -25293   -25293
        any|passcode          -25308   -25308   -25308   -25308   -25308   -25308   -25293   -25308   -25308   -25308
        any&passcode          -25308   -25308   -25308   -25293   -25293   -25308   -25293   -25308   -25293   -25308
        set|passcode          -25308   -25308   -25308   -25308   -25308   -25308   -25293   -25308   -25308   -25308
        set&passcode          -25308   -25300   -25300   -25293   -25293   -25308   -25293   -25308   -25293   -25308
        any|companion         -25308   -25308   -25308   -25293   -25293   -25308   -25293   -25308   -25293   -25308
        any&companion         -25293   -25293   -25293   -25293   -25293   -25293   -25293   -25308   -25293   -25293
        set|companion         -25308   -25293   -25293   -25293   -25293   -25308   -25293   -25308   -25293   -25308
        set&companion         -25293   -25300   -25300   -25293   -25293   -25293   -25293   -25308   -25293   -25293
        passcode|companion    -25308   -25308   -25308   -25308   -25308   -25308   -25293   -25308   -25308   -25308
        passcode&companion    -25293   -25293   -25293   -25293   -25293   -25293   -25293   -25308   -25293   -25293
        presence+app          -25308   -25308   -25308   -25308   -25308   -25308   -25293   -25308   -25308   -25308
        any+app               -25308   -25308   -25308   -25293   -25293   -25308   -25293   -25308   -25293   -25308
        set+app               -25308   -25300   -25300   -25293   -25293   -25308   -25293   -25308   -25293   -25308
        passcode+app          -25308   -25308   -25308   -25308   -25308   -25308   -25293   -25308   -25308   -25308
        companion+app         -25293   -25293   -25293   -25293   -25293   -25293   -25293   -25308   -25293   -25293
        any|passcode+app      -25308   -25308   -25308   -25308   -25308   -25308   -25293   -25308   -25308   -25308
        any&passcode+app      -25308   -25308   -25308   -25293   -25293   -25308   -25293   -25308   -25293   -25308
        """

    enum Happening: String, CaseIterable, Sendable {
        case nothing, enrolled, swapped, removed, lockout, changed, unset, locked, restart, unlocked
    }

    enum Hands: String, CaseIterable, Sendable { case fresh, reused, silent }

    static let rules: [(name: String, flags: SecAccessControlCreateFlags)] = [
        ("userPresence", .userPresence), ("biometryAny", .biometryAny), ("biometryCurrentSet", .biometryCurrentSet),
        ("devicePasscode", .devicePasscode), ("applicationPassword", .applicationPassword), ("companion", .companion),
        ("any|passcode", [.biometryAny, .or, .devicePasscode]), ("any&passcode", [.biometryAny, .and, .devicePasscode]),
        ("set|passcode", [.biometryCurrentSet, .or, .devicePasscode]),
        ("set&passcode", [.biometryCurrentSet, .and, .devicePasscode]),
        ("any|companion", [.biometryAny, .or, .companion]), ("any&companion", [.biometryAny, .and, .companion]),
        ("set|companion", [.biometryCurrentSet, .or, .companion]), ("set&companion", [.biometryCurrentSet, .and, .companion]),
        ("passcode|companion", [.devicePasscode, .or, .companion]),
        ("passcode&companion", [.devicePasscode, .and, .companion]),
        ("presence+app", [.userPresence, .applicationPassword]), ("any+app", [.biometryAny, .applicationPassword]),
        ("set+app", [.biometryCurrentSet, .applicationPassword]), ("passcode+app", [.devicePasscode, .applicationPassword]),
        ("companion+app", [.companion, .applicationPassword]),
        ("any|passcode+app", [.biometryAny, .or, .devicePasscode, .applicationPassword]),
        ("any&passcode+app", [.biometryAny, .and, .devicePasscode, .applicationPassword]),
    ]

    enum Outcome: Hashable, Sendable {
        case released(asked: Bool)
        case refused(OSStatus, asked: Bool)

        init(_ word: Substring) {
            switch word {
            case ".": self = .released(asked: false)
            case "P": self = .released(asked: true)
            default:
                guard let status = OSStatus(word) else { fatalError("not a cell: \(word)") }
                self = .refused(status, asked: false)
            }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let hands: Hands
        let rule: String
        let flags: SecAccessControlCreateFlags
        let outcomes: [(happening: Happening, outcome: Outcome)]

        init(_ hands: Hands, _ columns: [Happening], _ words: [Substring]) {
            guard let rule = KeychainMatrix.rules.first(where: { $0.name == words[0] }), words.count == columns.count + 1 else {
                fatalError("not a row: \(words)")
            }
            self.hands = hands
            (self.rule, flags) = rule
            outcomes = zip(columns, words.dropFirst().map(Outcome.init)).map { ($0, $1) }
        }

        var testDescription: String { "\(rule), \(hands)" }
    }

    /// The table's rows. A line that begins with a context heads those below it, and names the columns.
    static let rows: [Row] = {
        var rows: [Row] = []
        var head: (hands: Hands, columns: [Happening])?
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ")
            if let hands = words.first.flatMap({ Hands(rawValue: String($0)) }) {
                head = (hands, words.dropFirst().compactMap { Happening(rawValue: String($0)) })
            } else if let head {
                rows.append(Row(head.hands, head.columns, words))
            }
        }
        return rows
    }()
}
