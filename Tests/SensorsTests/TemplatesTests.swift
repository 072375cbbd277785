import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import thumbturn_test_daemon

@testable import ThumbSensors

@Suite("Templates") struct TemplatesTests {
    private func write(_ folder: Scratch, _ path: String, _ bytes: [UInt8] = [1, 2, 3]) throws {
        let url = URL(filePath: folder.path + "/" + path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    @Test("a user's files are read, sorted, and nobody else's")
    func read() throws {
        let folder = try Scratch()
        for path in ["ada/driver/0/7", "ada/driver/0/2", "ada/other/9/1", "ben/driver/0/3"] { try write(folder, path) }
        let files = try Templates(folder: folder.path, user: "ada").files()
        #expect(files.map(\.path) == ["driver/0/2", "driver/0/7", "other/9/1"])
        #expect(files.map { String($0.name) } == ["2", "7", "1"])
        #expect(try Templates(folder: folder.path, user: "eve").files().isEmpty)
    }

    @Test("a folder that isn't there, a link, a pipe and a name that leads elsewhere can't be read: never taken for nobody")
    func refused() throws {
        let folder = try Scratch()
        try write(folder, "ada/driver/0/7")
        #expect(throws: Templates.Failure.outOfReach) { try Templates(folder: folder.path + "/no", user: "ada").files() }
        // Something else in its place says nothing about who is enrolled.
        #expect(throws: Templates.Failure.unreadable) {
            try Templates(folder: folder.path + "/ada/driver/0/7", user: "ada").files()
        }
        for name in ["", ".", "..", "ada/driver"] {
            #expect(throws: Templates.Failure.unreadable) { try Templates(folder: folder.path, user: name).files() }
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/ada/driver/0/2", withDestinationPath: folder.path + "/ada/driver/0/7")
        #expect(throws: Templates.Failure.unreadable) { try Templates(folder: folder.path, user: "ada").files() }
        try FileManager.default.removeItem(atPath: folder.path + "/ada/driver/0/2")
        #expect(mkfifo(folder.path + "/ada/driver/0/2", 0o600) == 0)
        #expect(throws: Templates.Failure.unreadable) { try Templates(folder: folder.path, user: "ada").files() }
    }

    @Test("as many files as the limit are read, one more isn't; nor is one that lies too deep")
    func limits() throws {
        let folder = try Scratch()
        for number in 0..<Templates.fileLimit { try write(folder, "ada/driver/0/\(number)") }
        #expect(try Templates(folder: folder.path, user: "ada").files().count == Templates.fileLimit)
        try write(folder, "ada/driver/0/more")
        #expect(throws: Templates.Failure.unreadable) { try Templates(folder: folder.path, user: "ada").files() }
        try write(folder, "ben/driver/0/deep/er/7")
        #expect(throws: Templates.Failure.unreadable) { try Templates(folder: folder.path, user: "ben").files() }
        try write(folder, "cyd/driver/0/7", [UInt8](repeating: 0, count: Templates.byteLimit))
        #expect(try Templates(folder: folder.path, user: "cyd").files().count == 1)
        try write(folder, "cyd/driver/0/7", [UInt8](repeating: 0, count: Templates.byteLimit + 1))
        #expect(throws: Templates.Failure.unreadable) { try Templates(folder: folder.path, user: "cyd").files() }
    }

    @Test("a digest changes with the reader, a name, and a template; names alone make another than templates")
    func digests() throws {
        // Stands in for a hash: every message is another.
        let hash: ([UInt8]) -> [UInt8]? = { [UInt8(truncatingIfNeeded: $0.count)] + $0 }
        let file = Templates.File(path: "driver/0/7", content: [1])
        let base = EnrolmentDigest.strong("reader", [file], hash)
        #expect(base == EnrolmentDigest.strong("reader", [file], hash))
        for (reader, files) in [
            ("other", [file]), ("reader", []), ("reader", [file, file]),
            ("reader", [Templates.File(path: "driver/0/7", content: [2])]),
            ("reader", [Templates.File(path: "driver/0/6", content: [1])]),
        ] {
            #expect(EnrolmentDigest.strong(reader, files, hash) != base)
        }
        #expect(
            EnrolmentDigest.weak("reader", [.leftThumb, .rightThumb], hash)
                == EnrolmentDigest.weak("reader", [.rightThumb, .leftThumb], hash))
        #expect(EnrolmentDigest.weak("reader", [], hash) != EnrolmentDigest.strong("reader", [], hash))
        #expect(EnrolmentDigest.strong("reader", [file]) { _ in nil } == nil)
    }

    @Test("names alone tell readers and fingers apart, and nothing is known without a digest")
    func names() {
        // Stands in for a hash: every message is another.
        let hash: ([UInt8]) -> [UInt8]? = { [UInt8(truncatingIfNeeded: $0.count)] + $0 }
        let base = EnrolmentDigest.weak("reader", [.leftThumb], hash)
        #expect(base != nil && base == EnrolmentDigest.weak("reader", [.leftThumb], hash))
        let others: [(String, [Finger])] = [
            ("other", [.leftThumb]), ("reader", [.leftIndex]), ("reader", [.leftThumb, .leftIndex]),
        ]
        for (reader, fingers) in others {
            #expect(EnrolmentDigest.weak(reader, fingers, hash) != base, "\(reader) \(fingers)")
        }
        #expect(EnrolmentDigest.weak("reader", [.leftThumb]) { _ in nil } == nil)
    }
}
