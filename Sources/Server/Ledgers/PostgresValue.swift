/// One value for a PostgreSQL statement. Lists are sent as arrays, so that one statement handles any number of rows of a table.
enum PostgresValue {
    case integer(Int64)
    case integers([Int64?])
    case bytes([[UInt8]?])
    case texts([String])

    // PostgreSQL's numbers for types, which are the same in every version.
    private static let bytea: Int32 = 17
    private static let int8: Int32 = 20
    private static let text: Int32 = 25

    /// The value in PostgreSQL's binary form.
    var encoded: [UInt8] {
        switch self {
        case .integer(let number): Self.bytes(of: number)
        case .integers(let list): Self.array(Self.int8, list.map { number in number.map { Self.bytes(of: $0) } })
        case .bytes(let list): Self.array(Self.bytea, list)
        case .texts(let list): Self.array(Self.text, list.map { Array($0.utf8) })
        }
    }

    /// An array of one dimension: its head, then each element's length and bytes; a length of -1 is NULL.
    private static func array(_ element: Int32, _ list: [[UInt8]?]) -> [UInt8] {
        let hasNull: Int32 = list.contains { $0 == nil } ? 1 : 0
        guard !list.isEmpty else { return bytes(of: Int32(0)) + bytes(of: Int32(0)) + bytes(of: element) }
        var all: [UInt8] = []
        all.reserveCapacity(20 + list.reduce(0) { $0 + 4 + ($1?.count ?? 0) })
        for number in [1, hasNull, element, Int32(list.count), 1] { all += bytes(of: number) }
        for value in list {
            all += bytes(of: Int32(value?.count ?? -1))
            if let value { all += value }
        }
        return all
    }

    /// Most significant byte first.
    private static func bytes<Number: FixedWidthInteger>(of number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: number >> Number($0 * 8)) }
    }
}
