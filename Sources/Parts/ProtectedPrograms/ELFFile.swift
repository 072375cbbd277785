/// A program for this machine, read only as far as necessary to see where it loads libraries from.
struct ELFFile {
    struct Unreadable: Error {}

    /// Largest program that is read.
    static let limit = 1 << 30

    /// The folders in the program's own search path, as written there. An empty one is the working folder.
    let libraryFolders: [String]
    /// The loader that it asks for; nil in a program that needs none.
    let loader: String?

    private static let (loaded, dynamic, interpreter): (UInt64, UInt64, UInt64) = (1, 2, 3)
    private static let (end, strings, oldPath, path): (UInt64, UInt64, UInt64, UInt64) = (0, 5, 15, 29)

    /// Reads 64-bit files in this machine's byte order; throws for all others.
    init(_ bytes: [UInt8]) throws {
        func number(_ place: UInt64, _ width: Int) throws -> UInt64 {
            guard place <= UInt64(bytes.count), bytes.count - Int(place) >= width else { throw Unreadable() }
            return (0..<width).reversed().reduce(0) { $0 << 8 | UInt64(bytes[Int(place) + $1]) }
        }
        guard bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1]) else { throw Unreadable() }
        let kind = try number(16, 2)
        guard kind == 2 || kind == 3 else { throw Unreadable() }
        let (table, size, count) = (try number(32, 8), try number(54, 2), try number(56, 2))
        guard size >= 56, table <= UInt64(bytes.count) else { throw Unreadable() }
        let segments: [(kind: UInt64, offset: UInt64, address: UInt64, size: UInt64)] = try (0..<count).map {
            let place = table + $0 * size
            return (try number(place, 4), try number(place + 8, 8), try number(place + 16, 8), try number(place + 32, 8))
        }
        func text(_ place: UInt64) throws -> String {
            guard place < UInt64(bytes.count), let end = bytes[Int(place)...].firstIndex(of: 0) else { throw Unreadable() }
            return String(decoding: bytes[Int(place)..<end], as: UTF8.self)
        }
        loader = try segments.first { $0.kind == Self.interpreter }.map { try text($0.offset) }
        var found: [(tag: UInt64, value: UInt64)] = []
        for segment in segments where segment.kind == Self.dynamic {
            var place = segment.offset
            while found.count < 4096 {
                let tag = try number(place, 8)
                if tag == Self.end { break }
                found.append((tag, try number(place + 8, 8)))
                place += 16
            }
        }
        let paths = found.filter { $0.tag == Self.path || $0.tag == Self.oldPath }
        guard !paths.isEmpty else {
            libraryFolders = []
            return
        }
        guard let address = found.first(where: { $0.tag == Self.strings })?.value,
            let segment = segments.first(where: {
                $0.kind == Self.loaded && address >= $0.address && address - $0.address < $0.size
            })
        else { throw Unreadable() }
        let start = segment.offset &+ (address - segment.address)
        libraryFolders = try paths.flatMap { entry in
            let (place, isOver) = start.addingReportingOverflow(entry.value)
            guard !isOver else { throw Unreadable() }
            // Byte by byte, as the loader does: a mark behind a colon would make one character with it.
            return try text(place).utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
