import CThumbLinux
import Foundation
import Testing
import ThumbDaemonProcess

/// One after the other, because each releases all pages of this process.
@Suite("Pages of programs", .serialized)
struct CodePagesTests {
    /// A file of ones that this process has mapped, and nobody else.
    private final class Mapped {
        static let bytes = 1 << 20
        let file = URL(filePath: "/tmp/pages-\(UInt32.random(in: 0 ... .max))")
        let memory: UnsafeMutableRawBufferPointer

        init() throws {
            try Data(repeating: 1, count: Self.bytes).write(to: file)
            let descriptor = thumb_open(file.path, O_RDONLY | O_CLOEXEC, 0)
            defer { close(descriptor) }
            let start = mmap(nil, Self.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor, 0)
            try #require(start != thumb_map_failed())
            memory = UnsafeMutableRawBufferPointer(start: start, count: Self.bytes)
        }

        deinit {
            munmap(memory.baseAddress, memory.count)
            // A file that can't be removed is a temporary file left behind, nothing more.
            try? FileManager.default.removeItem(at: file)
        }

        /// From now on it can only be read, as code is.
        func isCode() { mprotect(memory.baseAddress, memory.count, PROT_READ) }

        var sum: Int { memory.reduce(0) { $0 + Int($1) } }

        /// How many KiB of it are in this process's memory.
        func resident() throws -> Int {
            // It comes in pieces, and only this way to its end.
            let bytes = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/smaps")).readToEnd()
            let list = String(decoding: try #require(bytes), as: UTF8.self).split(separator: "\n")
            let place = try #require(list.firstIndex { $0.hasSuffix(file.path) })
            let line = try #require(list[place...].first { $0.hasPrefix("Rss:") })
            return try #require(line.split(separator: " ").compactMap { Int($0) }.first)
        }
    }

    @Test("what holds what its file holds is released, and comes back when it is used")
    func release() throws {
        let mapped = try Mapped()
        mapped.isCode()
        #expect(mapped.sum == Mapped.bytes)
        #expect(try mapped.resident() == Mapped.bytes >> 10)
        CodePages.release()
        #expect(try mapped.resident() == 0)
        #expect(mapped.sum == Mapped.bytes)
    }

    @Test("what was changed in memory stays, though it can only be read now")
    func changed() throws {
        let mapped = try Mapped()
        mapped.memory[5] = 8
        mapped.isCode()
        CodePages.release()
        #expect(mapped.sum == Mapped.bytes + 7)
    }
}
