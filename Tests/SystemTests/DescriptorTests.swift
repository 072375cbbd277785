import CThumbLinux
import Foundation
import Testing

@testable import ThumbSystem

@Suite("Descriptors") struct DescriptorTests {
    /// Beyond what any other test opens meanwhile, so that a number is nobody else's.
    private func high() throws -> Int32 {
        let null = try Descriptor(opening: "/dev/null", O_RDWR)
        let high = thumb_fcntl(null.number, F_DUPFD_CLOEXEC, 900)
        try #require(high >= 900)
        return high
    }

    private func isOpen(_ number: Int32) -> Bool { thumb_fcntl(number, F_GETFD, 0) >= 0 }

    @Test("One is closed when nobody has it any more, and not before")
    func closes() throws {
        let number = try high()
        do {
            let descriptor = Descriptor(owning: number)
            #expect(isOpen(descriptor.number))
        }
        #expect(!isOpen(number))
    }

    @Test("One that is handed over stays open")
    func released() throws {
        let number = Descriptor(owning: try high()).released()
        #expect(isOpen(number))
        close(number)
    }

    @Test("No program that is started has one that wasn't handed on")
    func closedByItself() throws {
        let file = try Descriptor(opening: "/dev/null", O_RDONLY)
        #expect(thumb_fcntl(file.number, F_GETFD, 0) == FD_CLOEXEC)
        let pipe = try PipeEnds()
        #expect(thumb_fcntl(pipe.reading.number, F_GETFD, 0) == FD_CLOEXEC)
        #expect(thumb_fcntl(pipe.writing.number, F_GETFD, 0) == FD_CLOEXEC)
    }

    @Test("A pipe whose one end is taken has no other")
    func pipe() throws {
        let reading = try PipeEnds().takenReading()
        #expect(try Transfer.bytes(from: reading.number, count: 1) == [])
    }

    @Test("A file that can't be opened says why")
    func missing() {
        #expect(throws: SystemError(ENOENT)) { _ = try Descriptor(opening: "/nowhere", O_RDONLY).number }
    }

    @Test("A file as long as the limit is read whole, and one that is a byte longer isn't read")
    func limit() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "limit-\(UInt64.random(in: 0 ... .max))").path
        defer { unlink(path) }
        for count in [0, 1, 70_000, 64 << 10, 128 << 10] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            try Data(bytes).write(to: URL(filePath: path))
            #expect(Transfer.file(path, atMost: count) == bytes)
            if count > 0 { #expect(Transfer.file(path, atMost: count - 1) == nil) }
        }
        #expect(Transfer.file("/nowhere", atMost: 1) == nil)
    }
}
