import Foundation

/// All that can be read of a process's memory; for root alone.
public struct MemoryImage {
    private let pid: pid_t

    public init(of pid: pid_t) { self.pid = pid }

    /// What a process has mapped, a line each. Not by the file's path: Foundation stops after the first page of one without a length.
    public static func map(of pid: pid_t) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(pid)/maps"))
        defer { try? file.close() }
        let maps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        guard maps.contains("[stack]") else { throw POSIXError(.EIO) }
        return maps
    }

    /// Whether the mapping that begins there is the thread sanitizer's notes of who touched what: terabytes that hold none of the
    /// program's bytes. Programs, libraries and their memory lie below or above.
    public static func isShadow(_ start: UInt64) -> Bool { (0x0100_0000_0000..<0x5500_0000_0000).contains(start) }

    /// Which of the markers stand in it; fails where it can't be read at all.
    public func found(_ markers: [String]) throws -> Set<String> {
        Set(try found(markers.map { Data($0.utf8) }).map { markers[$0] })
    }

    /// Which of the markers stand in it, by their places in the list.
    public func found(_ markers: [Data]) throws -> Set<Int> {
        let maps = try Self.map(of: pid)
        let memory = open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0 else { throw POSIXError(.EACCES) }
        defer { close(memory) }
        var found: Set<Int> = []
        let overlap = markers.map(\.count).max() ?? 0
        var room = [UInt8](repeating: 0, count: 1 << 20)
        var total = 0
        for line in maps.split(separator: "\n") {
            let words = line.split(separator: " ")
            let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard ends.count == 2, words[1].hasPrefix("r"), !line.hasSuffix("[vsyscall]"), !Self.isShadow(ends[0])
            else { continue }
            var place = ends[0]
            while place < ends[1] {
                let count = pread(memory, &room, min(room.count, Int(ends[1] - place)), off_t(place))
                // The kernel's own pages ([vvar]) and guard pages can't be read by anybody.
                guard count > 0 else { break }
                total += count
                let data = Data(room.prefix(count))
                for (place, marker) in markers.enumerated() where data.range(of: marker) != nil { found.insert(place) }
                guard place + UInt64(count) < ends[1] else { break }
                place += UInt64(max(1, count - overlap))
            }
        }
        guard total > 1 << 20 else { throw POSIXError(.EIO) }
        return found
    }
}
