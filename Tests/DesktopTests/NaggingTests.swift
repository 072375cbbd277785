import Foundation
import Testing
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_secret_service

/// How often the owner is asked about a desktop's programs, and what those get who aren't allowed.
@Suite("Programs of the desktop", .timeLimit(.minutes(5))) struct NaggingTests {
    private static let programs = 8
    private static let reads = 40

    private static func stage() async throws -> SecretServiceStage {
        try await onThread {
            let stage = try SecretServiceStage(.simulated)
            let maker = try stage.program("maker")
            guard maker.ask("store password of-the-maker")?.hasPrefix("stored ") == true else {
                throw SecretServiceStage.NotThere(what: "an item")
            }
            return stage
        }
    }

    /// What a program with that name gets, with an owner who answers that.
    private static func read(
        _ stage: SecretServiceStage, by name: String, verb: String = "read", owner: String? = nil
    ) async throws -> String? {
        try await onThread {
            if let owner { try stage.owner(owner) }
            return try stage.program(name).ask("\(verb) password")
        }
    }

    @Test("an item's maker reads it, and nobody is asked") func maker() async throws {
        let stage = try await Self.stage()
        #expect(try await Self.read(stage, by: "maker") == "secret of-the-maker")
        #expect(try stage.prompts() == 0)
    }

    @Test("a day of 40 reads by 8 programs asks at most 8 times, and the second day never") func days() async throws {
        let stage = try await Self.stage()
        for day in 1...2 {
            for read in 0..<Self.reads {
                // The passcode lets a program read from now on.
                let answer = try await Self.read(stage, by: "program-\(read % Self.programs)", owner: "answer passcode 1234")
                #expect(answer == "secret of-the-maker", "day \(day), read \(read)")
            }
            // Each was asked about once, and none again.
            #expect(try stage.prompts() == Self.programs, "day \(day)")
        }
    }

    @Test("a ninth program gets nothing until the owner has said yes") func ninth() async throws {
        let stage = try await Self.stage()
        let looked = try await Self.read(stage, by: "ninth", verb: "look", owner: "answer cancel")
        Tally.check("a program reads another's item without asking", succeeded: looked?.hasPrefix("secret") == true)
        #expect(looked?.hasPrefix("refused") == true, "\(looked ?? "nothing")")
        let refused = try await Self.read(stage, by: "ninth", owner: "answer cancel")
        #expect(refused == "dismissed")
        #expect(try await Self.read(stage, by: "ninth", owner: "answer match") == "secret of-the-maker")
    }

    @Test("a touch lets a program read once") func once() async throws {
        let stage = try await Self.stage()
        #expect(try await Self.read(stage, by: "other", owner: "answer match") == "secret of-the-maker")
        #expect(try await Self.read(stage, by: "other", owner: "answer cancel") == "dismissed")
    }

    @Test("a copy of an allowed program is another program") func copy() async throws {
        let stage = try await Self.stage()
        #expect(try await Self.read(stage, by: "allowed", owner: "answer passcode 1234") == "secret of-the-maker")
        #expect(try await Self.read(stage, by: "allowed", owner: "answer cancel") == "secret of-the-maker")
        let stolen = try await Self.read(stage, by: "copy-of-allowed", owner: "answer cancel")
        Tally.check("a copy of an allowed program reads", succeeded: stolen?.hasPrefix("secret") == true)
        #expect(stolen == "dismissed")
    }

    @Test("a program that was changed after it was allowed is another program") func changed() async throws {
        let stage = try await Self.stage()
        #expect(try await Self.read(stage, by: "allowed", owner: "answer passcode 1234") == "secret of-the-maker")
        try await onThread {
            let (path, changed) = (stage.folder + "/allowed", stage.folder + "/changed")
            // A byte more at the end changes nothing that it does.
            try (try Data(contentsOf: URL(filePath: path)) + [0]).write(to: URL(filePath: changed))
            try FileManager.default.removeItem(atPath: path)
            try copyProgram(at: changed, to: path)
        }
        let stolen = try await Self.read(stage, by: "allowed", owner: "answer cancel")
        Tally.check("a changed program reads as the one that was allowed", succeeded: stolen?.hasPrefix("secret") == true)
        #expect(stolen == "dismissed")
    }

    /// What a script of that name gets, with an owner who answers that.
    private static func script(_ stage: SecretServiceStage, _ name: String, owner: String) async throws -> String? {
        try await onThread {
            try stage.owner(owner)
            return try stage.script(name, reads: "password")
        }
    }

    @Test("a script is known by itself, and not by its interpreter") func scripts() async throws {
        let stage = try await Self.stage()
        #expect(try await Self.script(stage, "allowed.py", owner: "answer passcode 1234") == "secret of-the-maker")
        #expect(try await Self.script(stage, "allowed.py", owner: "answer cancel") == "secret of-the-maker")
        let renamed = try await Self.script(stage, "renamed.py", owner: "answer cancel")
        Tally.check("the same script under another name reads", succeeded: renamed?.hasPrefix("secret") == true)
        #expect(renamed == "dismissed")
        try await onThread {
            let path = stage.folder + "/allowed.py"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try (text + "# and more\n").write(toFile: path, atomically: true, encoding: .utf8)
        }
        let changed = try await Self.script(stage, "allowed.py", owner: "answer cancel")
        Tally.check("another script under the allowed one's name reads", succeeded: changed?.hasPrefix("secret") == true)
        #expect(changed == "dismissed")
    }
}
