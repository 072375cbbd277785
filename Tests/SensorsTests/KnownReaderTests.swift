import Foundation
import Testing
import ThumbAccess
import ThumbLoop
import thumbturn_test_daemon

@testable import ThumbSensors

@Suite("The reader that was here before") @OnLoop struct KnownReaderTests {
    private func reader(_ folder: Scratch) -> KnownReader { KnownReader(in: folder.path) { _ in } }

    @Test("a reader that knows the user is remembered by the next daemon; one that doesn't know them any more is forgotten")
    func learns() throws {
        let folder = try Scratch()
        let first = reader(folder)
        #expect(first.name == nil)
        first.learn(.here(name: "A reader", isEnrolled: false))
        #expect(first.name == nil && reader(folder).name == nil)
        first.learn(.here(name: "A reader", isEnrolled: true))
        #expect(first.name == "A reader" && reader(folder).name == "A reader")
        first.learn(.here(name: "Another", isEnrolled: true))
        #expect(reader(folder).name == "Another")
        first.learn(.here(name: "Another", isEnrolled: false))
        #expect(first.name == nil && reader(folder).name == nil)
        #expect(try folder.files.isEmpty)
    }

    @Test("while nobody says anything of the reader, and while it is away, it stays remembered")
    func stays() throws {
        let folder = try Scratch()
        let known = reader(folder)
        known.learn(.here(name: "A reader", isEnrolled: true))
        for presence in [ReaderPresence.unknown, .away] {
            known.learn(presence)
            #expect(known.name == "A reader" && reader(folder).name == "A reader")
        }
    }

    @Test("a name as long as a name may be is kept whole, a longer one as far as it is shown")
    func long() throws {
        let folder = try Scratch()
        let known = reader(folder)
        let longest = String(repeating: "\u{1f590}", count: SensorFacts.longestName)
        known.learn(.here(name: longest, isEnrolled: true))
        #expect(reader(folder).name == longest)
        known.learn(.here(name: longest + "x", isEnrolled: true))
        #expect(known.name == longest + "…" && reader(folder).name == longest + "…")
    }

    @Test(
        "a file in another form stands for no reader",
        arguments: [
            [], Array("A reader".utf8), Array("A\nreader\n".utf8), Array("A\u{1b}[2J\n".utf8), [0xff, 0x0a],
            Array(repeating: 0x61, count: 4096) + [0x0a],
        ] as [[UInt8]])
    func damaged(_ bytes: [UInt8]) throws {
        let folder = try Scratch()
        try folder.hold(["reader": bytes])
        #expect(reader(folder).name == nil)
    }

    @Test("a folder that can't be written is told once, and the reader is remembered as long as the daemon runs")
    func unwritable() throws {
        let folder = try Scratch()
        var told: [String] = []
        let known = KnownReader(in: folder.path + "/none") { told.append($0) }
        known.learn(.here(name: "A reader", isEnrolled: true))
        known.learn(.here(name: "A reader", isEnrolled: true))
        #expect(known.name == "A reader" && told.count == 1)
    }
}
