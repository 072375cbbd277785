import LocalAuthentication
import Testing
import ThumbturnSimulator

/// Every sensor, in every condition, with and without a passcode, under both policies: what comes of each thing an owner can
/// do. A dot is a success by the sensor, `P` one by the passcode, a number the error.
///
/// `ask` is what a preflight says before anybody does anything. What an owner does:
/// - `match` shows the right finger, or types the passcode where no sensor listens;
/// - `miss` shows the wrong one as often as the call allows, then cancels if there is a choice and types the passcode if that
///   would do; where no sensor listens, three wrong passcodes come before the right one;
/// - `canc` cancels;
/// - `fall` misses once (a face twice, where only a face will do), presses the fallback button and types the passcode if that
///   would do; where no sensor listens there is no such button, and the passcode is typed;
/// - `syst` has the prompt taken away.
struct Matrix {
    static let table = """
                                    biometrics only                  device owner
        sensor  condition passcode  ask match miss canc fall syst    ask match miss canc fall syst
        finger  enrolled  set        .   .   -1   -2   -3   -4        .   .    P   -2    P   -4
        finger  enrolled  unset     -5  -5   -5   -5   -5   -5       -5  -5   -5   -5   -5   -5
        finger  not       set       -7  -7   -7   -7   -7   -7        .   P    P   -2    P   -4
        finger  not       unset     -7  -7   -7   -7   -7   -7       -5  -5   -5   -5   -5   -5
        finger  locked    set       -8  -8   -8   -8   -8   -8        .   P    P   -2    P   -4
        finger  locked    unset     -8  -8   -8   -8   -8   -8       -5  -5   -5   -5   -5   -5
        finger  denied    set       -6  -6   -6   -6   -6   -6        .   P    P   -2    P   -4
        finger  denied    unset     -6  -6   -6   -6   -6   -6       -5  -5   -5   -5   -5   -5
        face    enrolled  set        .   .   -2   -2   -3   -4        .   .    P   -2    P   -4
        face    enrolled  unset     -5  -5   -5   -5   -5   -5       -5  -5   -5   -5   -5   -5
        face    not       set       -7  -7   -7   -7   -7   -7        .   P    P   -2    P   -4
        face    not       unset     -7  -7   -7   -7   -7   -7       -5  -5   -5   -5   -5   -5
        face    locked    set       -8  -8   -8   -8   -8   -8        .   P    P   -2    P   -4
        face    locked    unset     -8  -8   -8   -8   -8   -8       -5  -5   -5   -5   -5   -5
        face    denied    set       -6  -6   -6   -6   -6   -6        .   P    P   -2    P   -4
        face    denied    unset     -6  -6   -6   -6   -6   -6       -5  -5   -5   -5   -5   -5
        none    enrolled  set       -6  -6   -6   -6   -6   -6        .   P    P   -2    P   -4
        none    enrolled  unset     -6  -6   -6   -6   -6   -6       -5  -5   -5   -5   -5   -5
        none    not       set       -6  -6   -6   -6   -6   -6        .   P    P   -2    P   -4
        none    not       unset     -6  -6   -6   -6   -6   -6       -5  -5   -5   -5   -5   -5
        none    locked    set       -6  -6   -6   -6   -6   -6        .   P    P   -2    P   -4
        none    locked    unset     -6  -6   -6   -6   -6   -6       -5  -5   -5   -5   -5   -5
        none    denied    set       -6  -6   -6   -6   -6   -6        .   P    P   -2    P   -4
        none    denied    unset     -6  -6   -6   -6   -6   -6       -5  -5   -5   -5   -5   -5
        """

    enum Sensor: String, CaseIterable, Sendable {
        case finger, face, none

        var biometry: SimulatedDevice.Biometry {
            switch self {
            case .finger: .touchID
            case .face: .faceID
            case .none: .none
            }
        }

        var type: LABiometryType {
            switch self {
            case .finger: .touchID
            case .face: .faceID
            case .none: .none
            }
        }
    }

    enum Condition: String, CaseIterable, Sendable { case enrolled, not, locked, denied }
    enum Passcode: String, CaseIterable, Sendable { case set, unset }
    enum Deed: Int, CaseIterable, Sendable { case match, miss, cancel, fallback, systemCancel }

    enum Expected: Hashable, Sendable {
        case success(byPasscode: Bool)
        case failure(LAError.Code)

        init(_ word: Substring) {
            switch word {
            case ".": self = .success(byPasscode: false)
            case "P": self = .success(byPasscode: true)
            default:
                guard let code = Int(word).flatMap(LAError.Code.init(rawValue:)) else { fatalError("not a cell: \(word)") }
                self = .failure(code)
            }
        }

        var code: LAError.Code? { if case .failure(let code) = self { code } else { nil } }
    }

    /// What one policy says in one row.
    struct Half: Sendable {
        let policy: LAPolicy
        let preflight: Expected
        let outcomes: [Deed: Expected]

        init(_ policy: LAPolicy, _ words: ArraySlice<Substring>) {
            let cells = words.map(Expected.init)
            self.policy = policy
            preflight = cells[0]
            outcomes = Dictionary(uniqueKeysWithValues: zip(Deed.allCases, cells.dropFirst()))
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let sensor: Sensor
        let condition: Condition
        let passcode: Passcode
        let halves: [Half]

        init(_ line: Substring) {
            let words = line.split(separator: " ")
            guard words.count == 15, let sensor = Sensor(rawValue: String(words[0])),
                let condition = Condition(rawValue: String(words[1])), let passcode = Passcode(rawValue: String(words[2]))
            else { fatalError("not a row: \(line)") }
            self.sensor = sensor
            self.condition = condition
            self.passcode = passcode
            halves = [
                Half(.deviceOwnerAuthenticationWithBiometrics, words[3..<9]),
                Half(.deviceOwnerAuthentication, words[9..<15]),
            ]
        }

        var testDescription: String { "\(sensor), \(condition), passcode \(passcode)" }

        /// Whether the sensor would listen under a policy that gets as far as a prompt.
        var listens: Bool { sensor != .none && condition == .enrolled && passcode == .set }
    }

    static let rows = table.split(separator: "\n").dropFirst(2).map(Row.init)
}
