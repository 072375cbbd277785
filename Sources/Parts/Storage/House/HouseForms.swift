import ThumbAccess
import ThumbKeychain

// The rows of the house's own tables, in the form that is hashed and sealed (docs/STORE.md, *What the house keeps for itself*).

/// One of the tables, and its statements.
struct HouseTable: Sendable {
    static let consents = HouseTable(1, "consents", ["name", "app", "wish", "program"])
    static let makers = HouseTable(2, "makers", ["name", "app"])
    static let allowances = HouseTable(3, "allowances", ["name"])
    static let machines = HouseTable(4, "machines", ["name"])

    let number: UInt8
    let name: String
    /// Its columns of MACs. The first one is the row's name.
    let columns: [String]
    let select: String
    let put: String
    let remove: String
    let clear: String
    let nextRow: String
    let count: String

    private init(_ number: UInt8, _ name: String, _ columns: [String]) {
        self.number = number
        self.name = name
        self.columns = columns
        let list = columns.joined(separator: ", ")
        select = "SELECT row, tag, sealed, \(list) FROM \(name)"
        put =
            "INSERT OR REPLACE INTO \(name)(row, tag, sealed, \(list)) VALUES(?, ?, ?"
            + columns.map { _ in ", ?" }.joined() + ")"
        remove = "DELETE FROM \(name) WHERE row = ?"
        clear = "DELETE FROM \(name)"
        nextRow = "SELECT coalesce(max(row), 0) + 1 FROM \(name)"
        count = "SELECT count(*) FROM \(name)"
    }

    /// The kind under which its damaged rows are in quarantine.
    var quarantineKind: Int64 { Int64(number) + 2 }
}

/// Which rows of a table to look for.
enum HouseProbe {
    case all
    /// Rows with that value in a column.
    case value(column: Int, [UInt8])
    /// Rows with any value in a column.
    case filled(column: Int)
}

/// The form of a row.
protocol HouseForm: Sendable {
    static var table: HouseTable { get }
    /// The value behind each of the table's columns; nil: none.
    var keys: [[UInt8]?] { get }
    /// Writes what gets sealed.
    func write(to writer: inout ByteWriter)
    /// Reads what was sealed; fails with `Malformed` if it doesn't have that form.
    init(from reader: inout SecretReader) throws
}

/// Every kind of row.
let houseForms: [any HouseForm.Type] = [Consent.self, MadeGroup.self, GivenAllowance.self, PairedMachine.self]
/// The same in files of format 5.
let houseFormsBeforeMachines: [any HouseForm.Type] = [Consent.self, MadeGroup.self, GivenAllowance.self]

extension HouseRow {
    var form: any HouseForm {
        switch self {
        case .consent(let consent): consent
        case .group(let made): made
        case .allowance(let given): given
        case .machine(let machine): machine
        }
    }
}

extension HouseForm {
    /// The bytes that get sealed.
    var sealable: [UInt8] {
        var writer = ByteWriter(reserving: 256)
        write(to: &writer)
        return writer.bytes
    }
}

extension Consent: HouseForm {
    static var table: HouseTable { .consents }

    var keys: [[UInt8]?] {
        [
            Self.name(known.app, known.wish), Array(known.app.utf8), Self.bytes(known.wish),
            tie.map { Array($0.program.utf8) },
        ]
    }

    private static func name(_ app: ExactName, _ wish: AppWish) -> [UInt8] {
        var writer = ByteWriter(reserving: 128)
        writer.counted(app.text)
        writer.raw(bytes(wish))
        return writer.bytes
    }

    private static func bytes(_ wish: AppWish) -> [UInt8] {
        var writer = ByteWriter(reserving: 64)
        writer.wish(wish)
        return writer.bytes
    }

    func write(to writer: inout ByteWriter) {
        writer.byte(known.verdict.rawValue)
        writer.byte(known.kind.rawValue)
        writer.integer(known.date.bitPattern)
        writer.counted(known.app.text)
        writer.counted(known.name)
        writer.wish(known.wish)
        writer.byte(tie == nil ? 0 : 1)
        if let tie {
            writer.counted(tie.program.text)
            writer.counted(tie.file)
        }
    }

    init(from reader: inout SecretReader) throws {
        guard let verdict = AppVerdict(rawValue: try reader.byte()) else { throw Malformed() }
        let (kind, date) = (try reader.callerClass(), try reader.date())
        let app = try reader.name()
        let known = KnownApp(
            app: app, name: try reader.name().text, kind: kind, wish: try reader.wish(), verdict: verdict, date: date)
        self.init(known)
        guard try reader.byte().asFlag() else { return }
        tie = Tie(program: try reader.name(), file: try reader.counted(limit: HouseSeals.longestForm))
    }
}

extension Consent.Search {
    var probe: HouseProbe {
        switch self {
        case .all: .all
        case .of(let app): .value(column: 1, Array(app.utf8))
        case .on(let app, let wish): Self.like(app, wish, column: 0)
        case .about(let wish): Self.like("", wish, column: 2)
        case .ties: .filled(column: 3)
        case .tied(let program): .value(column: 3, Array(program.utf8))
        }
    }

    /// The probe that finds this app's decision on this wish by a column.
    private static func like(_ app: ExactName, _ wish: AppWish, column: Int) -> HouseProbe {
        let word = Consent(KnownApp(app: app, name: "", wish: wish, verdict: .noted, date: 0))
        return .value(column: column, word.keys[column] ?? [])
    }
}

extension MadeGroup: HouseForm {
    static var table: HouseTable { .makers }

    var keys: [[UInt8]?] { [Array(group.utf8), Array(maker.app.utf8)] }

    func write(to writer: inout ByteWriter) {
        writer.byte(maker.kind.rawValue)
        writer.integer(date.bitPattern)
        writer.counted(group.text)
        writer.counted(maker.app.text)
        writer.counted(maker.name)
    }

    init(from reader: inout SecretReader) throws {
        let (kind, date) = (try reader.callerClass(), try reader.date())
        let group = try reader.name()
        self.init(group, by: Groups.Maker(app: try reader.name(), name: try reader.name().text, kind: kind), date: date)
    }
}

extension MadeGroup.Search {
    var probe: HouseProbe {
        switch self {
        case .all: .all
        case .of(let group): .value(column: 0, Array(group.utf8))
        case .made(let app): .value(column: 1, Array(app.utf8))
        }
    }
}

extension GivenAllowance: HouseForm {
    static var table: HouseTable { .allowances }

    var keys: [[UInt8]?] { [[allowance.rawValue]] }

    func write(to writer: inout ByteWriter) {
        writer.byte(allowance.rawValue)
        writer.integer(date.bitPattern)
    }

    init(from reader: inout SecretReader) throws {
        guard let allowance = Allowance(rawValue: try reader.byte()) else { throw Malformed() }
        self.init(allowance, date: try reader.date())
    }
}

extension PairedMachine: HouseForm {
    static var table: HouseTable { .machines }

    var keys: [[UInt8]?] { [id] }

    func write(to writer: inout ByteWriter) {
        writer.byte(side.rawValue)
        writer.integer(date.bitPattern)
        writer.counted(id)
        writer.counted(name)
        writer.counted(place)
        writer.counted(otherLink)
        writer.counted(otherYes)
        writer.counted(link)
        writer.counted(yes)
    }

    init(from reader: inout SecretReader) throws {
        guard let side = PairingSide(rawValue: try reader.byte()) else { throw Malformed() }
        let date = try reader.date()
        let limit = HouseSeals.longestForm
        self.init(
            id: try reader.counted(limit: limit), side: side, name: try reader.text(limit: limit),
            place: try reader.text(limit: limit), otherLink: try reader.counted(limit: limit),
            otherYes: try reader.counted(limit: limit), link: try reader.counted(limit: limit),
            yes: try reader.counted(limit: limit), date: date)
    }
}

extension ByteWriter {
    /// A wish's number, and the group or path that it is about.
    fileprivate mutating func wish(_ wish: AppWish) {
        let (number, about): (UInt8, ExactName?) =
            switch wish {
            case .face: (0, nil)
            case .group(let group): (1, group)
            case .program(let path): (2, path)
            case .folder(let path): (3, path)
            case .keptItem(let id): (4, id)
            }
        byte(number)
        if let about { counted(about.text) }
    }
}

extension SecretReader {
    fileprivate mutating func wish() throws -> AppWish {
        switch try byte() {
        case 0: .face
        case 1: .group(try name())
        case 2: .program(try name())
        case 3: .folder(try name())
        case 4: .keptItem(try name())
        default: throw Malformed()
        }
    }

    fileprivate mutating func name() throws -> ExactName { ExactName(try text(limit: HouseSeals.longestForm)) }

    fileprivate mutating func date() throws -> Double { Double(bitPattern: try integer(UInt64.self)) }

    fileprivate mutating func callerClass() throws -> CallerClass {
        guard let kind = CallerClass(rawValue: try byte()) else { throw Malformed() }
        return kind
    }
}
