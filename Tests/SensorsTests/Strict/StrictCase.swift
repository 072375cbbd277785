/// What `thumbturn-test-ported cases` says on each machine: the same on a simulated device as on a real daemon.
///
/// A cell is what the owner does, if there is anything to do, and after the colon what the app is told. A finger that matches or misses, the
/// passcode, and cancelling are what an owner does. A line that begins with a `!` is no call: it happens to the machine.
struct StrictCase: Sendable, CustomStringConvertible {
    /// The machines of the table, in the order of its columns.
    enum Machine: Int, CaseIterable, Sendable {
        /// A reader whose templates the daemon can't read.
        case laptop = 1
        case server = 2
        /// A reader whose templates it can read.
        case telling = 3
        case iPhone = 4
    }

    enum Deed: String, Sendable { case match, miss, passcode, cancel }

    struct Cell: Sendable {
        let deeds: [Deed]
        let said: String

        init(_ text: String) {
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            said = (parts.last ?? "").trimmed
            deeds =
                parts.count < 2
                ? []
                : parts[0].split(separator: " ").map { word in
                    guard let deed = Deed(rawValue: String(word)) else { fatalError("no deed of an owner's: \(word)") }
                    return deed
                }
        }
    }

    let command: String
    private let cells: [Cell]
    var description: String { command }
    /// Whether it happens to the machine, rather than being asked by an app.
    var isEvent: Bool { command.hasPrefix("!") }

    private init(_ line: Substring) {
        let fields = line.split(separator: "|").map { String($0).trimmed }
        command = fields[0]
        cells = fields.dropFirst().map(Cell.init)
        guard isEvent || cells.count == Machine.allCases.count else {
            fatalError("a row without a cell for each machine: \(line)")
        }
    }

    func cell(_ machine: Machine) -> Cell { cells[machine.rawValue - 1] }

    static let all = table.split(separator: "\n").dropFirst().map { StrictCase($0) }

    /// A group that another program made is `team.shared`, or `team.other`.
    private static let table = """
        command             | laptop                | server           | telling             | iPhone
        look biometrics     | touchID ready untold  | none -6 untold   | touchID ready told  | faceID ready told
        look owner          | touchID ready untold  | none ready untold| touchID ready told  | faceID ready told
        ask biometrics      | match: ok untold      | -6               | match: ok told      | passcode match: ok told
        ask biometrics      | cancel: -2            | -6               | cancel: -2          | cancel: -2
        ask biometrics      | miss miss miss: -1    | -6               | miss miss miss: -1  | miss miss cancel: -2
        ask owner           | passcode: ok untold   | passcode: ok untold | passcode: ok untold | passcode: ok untold
        ask owner           | match: ok untold      | cancel: -2       | match: ok told      | match: ok told
        keep present one    | -25293                | -25293           | 0                   | 0
        read one            | -25300                | -25300           | match: secret       | match: secret
        keep any two        | 0                     | -25293           | 0                   | 0
        read two            | match: secret         | -25300           | match: secret       | match: secret
        keep presence three | 0                     | 0                | 0                   | 0
        read three          | passcode: secret      | passcode: secret | passcode: secret    | passcode: secret
        read three          | cancel: -128          | cancel: -128     | cancel: -128        | cancel: -128
        keep presence three | -25299                | -25299           | -25299              | -25299
        keep bound four     | 0                     | 0                | 0                   | 0
        keep passcode five  | 0                     | 0                | 0                   | 0
        read five           | passcode: secret      | passcode: secret | passcode: secret    | passcode: secret
        enclave             | -4                    | -4               | -4                  | made
        group team.shared   | cancel: -34018        | cancel: -34018   | cancel: -34018      | cancel: -34018
        group team.shared   | -34018                | -34018           | -34018              | -34018
        group team.other    | passcode: 0           | passcode: 0      | passcode: 0         | passcode: 0
        ! lock and unlock
        ask owner reuse     | match: ok untold      | passcode: ok untold | match: ok told   | ok told
        ! restart
        look biometrics     | touchID -8 untold     | none -6 untold   | touchID -8 untold   | faceID -8 untold
        read two            | -25293                | -25300           | -25293              | -25293
        ask owner           | passcode: ok untold   | passcode: ok untold | passcode: ok untold | passcode: ok untold
        read two            | match: secret         | -25300           | match: secret       | match: secret
        read four           | passcode: secret      | passcode: secret | passcode: secret    | passcode: secret
        group team.shared   | -34018                | -34018           | -34018              | -34018
        """
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
