import CThumbLinux
import Foundation
import Testing
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_fingerprint
import thumbturn_test_programs

extension OnABus {
    /// What is green on a device that is as strict as a machine is green on that machine: the same cases, asked by the same program.
    @Suite("A simulated device is as strict as the machine", .timeLimit(.minutes(15))) @OnLoop struct StrictTests {
        private nonisolated static let app = "thumbturn-test-ported"

        @Test("The table has a cell for each machine, and cases of every kind")
        func table() {
            let commands = StrictCase.all.filter { !$0.isEvent }
            #expect(commands.count >= 25 && StrictCase.all.count - commands.count == 2)
            for word in ["look", "ask", "keep", "read", "enclave", "group"] {
                #expect(commands.contains { $0.command.hasPrefix(word) }, "\(word)")
            }
            for machine in StrictCase.Machine.allCases {
                for row in commands { #expect(!row.cell(machine).said.isEmpty, "\(row)") }
            }
        }

        @Test("A laptop whose templates can't be read: the preset, the daemon, and a device made after that daemon")
        func laptop() async throws {
            try await play(on: SimulatedSide.start(as: "laptop-with-reader"), .laptop)
            let real = try await RealSide.start(tells: false)
            try await play(on: SimulatedSide.start(as: "this-machine", described: real.socket), .laptop)
            try await play(on: real, .laptop)
        }

        @Test("A server without a sensor: the preset, the daemon, and a device made after that daemon")
        func server() async throws {
            try await play(on: SimulatedSide.start(as: "server-without-sensor"), .server)
            let real = try await RealSide.start(tells: nil)
            try await play(on: SimulatedSide.start(as: "this-machine", described: real.socket), .server)
            try await play(on: real, .server)
        }

        @Test("A machine whose daemon can read the templates: the daemon, and a device made after it")
        func telling() async throws {
            let real = try await RealSide.start(tells: true)
            try await play(on: SimulatedSide.start(as: "this-machine", described: real.socket), .telling)
            try await play(on: real, .telling)
        }

        @Test("An iPhone, whose column is Apple's: faces are asked for, software is an Enclave, an unlock by face counts")
        func iPhone() async throws {
            // An app that wants face recognition says why, in a file beside it.
            let folder = try Scratch(inMemory: false)
            let app = folder.path + "/app"
            try copyProgram(Self.app, to: app)
            let usage = ["NSFaceIDUsageDescription": "to answer cases"]
            try PropertyListSerialization.data(fromPropertyList: usage, format: .xml, options: 0)
                .write(to: URL(filePath: app + ".Info.plist"))
            try await play(on: SimulatedSide.start(as: "iphone"), .iPhone, app: app)
        }

        // MARK: Playing

        private func play(
            on side: some StrictMachine, _ machine: StrictCase.Machine, app: String? = nil,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            let path = app ?? builtPrograms.appending(path: Self.app).path
            let environment = [
                "PATH": "/usr/bin:/bin", "HOME": NSTemporaryDirectory(), "TERM": "dumb", "LANG": "C.UTF-8",
                "THUMBTURN_SOCKET": side.socket, "THUMBTURN_LIBEXEC": builtPrograms.path, "THUMBTURN_PROMPT": "terminal",
            ]
            // The group that is asked about later was made by another program.
            let maker = try await onThread { try Self.ended(["group", "team.shared"], environment) }
            #expect(maker == "team.shared", sourceLocation: sourceLocation)
            let other = try await onThread { try Self.ended(["group", "team.other"], environment) }
            #expect(other == "team.other", sourceLocation: sourceLocation)
            var program = try AskedProgram([path, "cases"], environment: environment)
            var asked = 0
            for row in StrictCase.all {
                if row.isEvent {
                    let event = String(row.command.dropFirst(2))
                    try await side.happens(event)
                    // A connection that ended with its daemon isn't what this is about.
                    if event == "restart" { program = try AskedProgram([path, "cases"], environment: environment) }
                    continue
                }
                let cell = row.cell(machine)
                try await side.prepare(cell.deeds)
                let (said, unasked) = try await Self.ask(program, row.command, cell.deeds, side)
                #expect(
                    unasked.isEmpty, "nobody was asked for these: \(type(of: side)), \(machine): \(row)",
                    sourceLocation: sourceLocation)
                #expect(said == cell.said, "\(type(of: side)), \(machine): \(row)", sourceLocation: sourceLocation)
                #expect(try await side.isDone(), "\(type(of: side)), \(machine): \(row)", sourceLocation: sourceLocation)
                asked += 1
            }
            #expect(asked == StrictCase.all.count { !$0.isEvent }, sourceLocation: sourceLocation)
        }

        /// What it answers, and which deeds with keys no prompt came up for.
        private nonisolated static func ask(
            _ program: AskedProgram, _ command: String, _ deeds: [StrictCase.Deed], _ side: some StrictMachine
        ) async throws -> (said: String, unasked: [StrictCase.Deed]) {
            try await onThread {
                program.type(command + "\n")
                var unasked: [StrictCase.Deed] = []
                for deed in deeds {
                    guard let (after, keys) = side.keys(for: deed) else { continue }
                    guard try program.shows(after) else {
                        unasked.append(deed)
                        continue
                    }
                    program.type(keys)
                }
                return (try program.answer(), unasked)
            }
        }

        /// What another program says, to its end.
        private nonisolated static func ended(_ words: [String], _ environment: [String: String]) throws -> String {
            let (process, said) = (OwnProcess(), Pipe())
            process.executableURL = builtPrograms.appending(path: "thumbturn-test-app")
            (process.arguments, process.environment) = (words, environment)
            (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, said)
            try process.run()
            let words = said.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: words, as: UTF8.self).trimmingCharacters(in: .newlines)
        }
    }
}
