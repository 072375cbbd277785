import Foundation
import Testing

@Suite("Login and vault", .timeLimit(.minutes(5)))
struct LoginAndVaultTests {
    let password = "no capes"

    /// A machine and the example on it, after the first login by password.
    private func atTheVault(_ biometry: String = "touch-id") async throws -> (SimulatedMachine, ProgramOnTerminal) {
        let machine = try await SimulatedMachine(biometry: biometry)
        let program = try machine.start("login-and-vault")
        _ = try await program.screen("Vault · locked")
        _ = try await program.type("p", screen: "log in with your password")
        _ = try await program.type(password, screen: "Vault · open")
        return (machine, program)
    }

    @Test(
        "The login screen names the sensor that is there, usable or not, and no other",
        arguments: [
            ("touch-id", "me", "Fingerprint: You can log in with your fingerprint."),
            ("touch-id", "", "Fingerprint: No fingerprint is enrolled."),
            ("face-id", "me", "Face recognition: You can log in with your face."),
            ("face-id", "", "Face recognition: No face is enrolled."),
            ("none", "", "Passcode: This device has no sensor"),
        ])
    func rightSensor(biometry: String, enrolled: String, line: String) async throws {
        let machine = try await SimulatedMachine(biometry: biometry, enrolled: enrolled)
        let program = try machine.start("login-and-vault")
        let screen = try await program.screen(line)
        if biometry != "touch-id" { #expect(!screen.lowercased().contains("finger")) }
        if biometry != "face-id" { #expect(!screen.lowercased().contains("face")) }
        #expect(!screen.contains(" ID"))
        #expect(try machine.prompts().isEmpty)
    }

    @Test("The second screen is reached by the right password and by no other")
    func password() async throws {
        let machine = try await SimulatedMachine()
        let program = try machine.start("login-and-vault")
        let first = try await program.screen("Vault · locked")
        #expect(!first.contains("  s  "), "there is nothing yet that the finger could open")
        for line in ["s", "1", "l"] { _ = try await program.type(line, screen: "There is no such choice.") }
        _ = try await program.type("p", screen: "log in with your password")
        let refused = try await program.type("incredible", screen: "That isn't the password.")
        #expect(refused.contains("Vault · locked") && !program.everything.contains("incredible"))
        _ = try await program.type("p", screen: "log in with your password")
        let vault = try await program.type(password, screen: "Vault · open")
        #expect(!program.everything.contains(password), "what was typed isn't shown")
        #expect(vault.contains("Mission dossiers"))
        #expect(try await program.type("3", screen: "Designs: ").contains("Designs: No capes."))
        program.press(Array("q\n".utf8))
        #expect(await program.end() == 0)
        #expect(try machine.prompts().isEmpty)
    }

    @Test("After a lock the second screen is reached only by the owner's finger")
    func finger() async throws {
        let (machine, program) = try await atTheVault()
        let locked = try await program.type("l", screen: "Vault · locked")
        #expect(locked.contains("  s  Log in with your fingerprint") && !locked.contains("Mission"))
        for _ in 1...3 { try machine.control("answer no-match") }
        let refused = try await program.type("s", screen: "The fingerprint wasn't recognized.")
        #expect(refused.contains("Vault · locked"))
        #expect(try machine.prompts() == ["failure"])
        try machine.control("answer match")
        _ = try await program.type("s", screen: "Vault · open")
        #expect(try await program.type("2", screen: "Mission dossiers: ").contains("Nomanisan"))
        #expect(try machine.prompts() == ["failure", "success"], "a note is read without another prompt")
    }

    @Test("A sensor that missed too often is used again after the passcode, which opens nothing by itself")
    func lockout() async throws {
        let (machine, program) = try await atTheVault()
        _ = try await program.type("l", screen: "  s  Log in with your fingerprint")
        for _ in 1...5 { try machine.control("answer no-match") }
        _ = try await program.type("s", screen: "The fingerprint wasn't recognized.")
        let locked = try await program.type("s", screen: "locked after too many attempts")
        #expect(locked.contains("  c  Give the passcode") && !locked.contains("  s  "))
        #expect(locked.components(separatedBy: "locked after too many attempts").count == 2, "it is said once")
        try machine.control("answer passcode 1234")
        let again = try await program.type("c", screen: "  s  Log in with your fingerprint")
        #expect(again.contains("Vault · locked") && !again.contains("  c  "))
        try machine.control("answer match")
        _ = try await program.type("s", screen: "Vault · open")
    }

    @Test("Three wrong passwords make everybody wait")
    func waiting() async throws {
        let machine = try await SimulatedMachine()
        let program = try machine.start("login-and-vault")
        _ = try await program.screen("Vault · locked")
        for _ in 1...2 {
            _ = try await program.type("p", screen: "log in with your password")
            _ = try await program.type("incredible", screen: "That isn't the password.")
        }
        _ = try await program.type("p", screen: "log in with your password")
        _ = try await program.type("incredible", screen: "Too many wrong passwords. You have to wait.")
    }

    @Test("The fallback button leads to the password")
    func fallback() async throws {
        let (machine, program) = try await atTheVault("face-id")
        _ = try await program.type("l", screen: "Log in with your face")
        for answer in ["no-match", "no-match", "fallback"] { try machine.control("answer \(answer)") }
        _ = try await program.type("s", screen: "log in with your password")
        _ = try await program.type(password, screen: "Vault · open")
    }

    @Test("Putting it aside hides and locks it; coming back asks once, and after a cancel only the button asks")
    func comingBack() async throws {
        let (machine, program) = try await atTheVault()
        _ = try await program.type("1", screen: "The red one survives")
        #expect(!(try await program.putAside()).contains("The red one"))
        try machine.control("answer match")
        program.bringBack()
        #expect(!(try await program.screen("Vault · open")).contains("The red one"))
        #expect(try machine.prompts() == ["success"])

        _ = try await program.putAside()
        try machine.control("answer cancel")
        program.bringBack()
        let locked = try await program.screen("Vault · locked")
        #expect(locked.hasSuffix("q  Quit\n> "), "a cancel is no error to tell")
        _ = try await program.type("", screen: "There is no such choice.")
        #expect(try machine.prompts() == ["success", "cancelled"])
        try machine.control("answer match")
        _ = try await program.type("s", screen: "Vault · open")
    }

    @Test("A session that locks while the vault is open shuts it")
    func sessionLock() async throws {
        let (machine, program) = try await atTheVault()
        _ = try await program.type("l", screen: "Vault · locked")
        try machine.control("answer match")
        _ = try await program.type("s", screen: "Vault · open")
        try machine.control("lock")
        // Nobody touches a key: the device tells the app.
        let locked = try await program.screen("The vault was locked meanwhile.")
        #expect(locked.contains("Vault · locked") && !locked.contains("The red one"))
        try machine.control("unlock 1234")
        let still = try await program.type("1", screen: "There is no such choice.")
        #expect(still.contains("Vault · locked") && !still.contains("The red one"))
        #expect(try machine.prompts() == ["success"])
    }

    @Test("A new start asks for the owner by itself, and another enrolment demands the password first")
    func enrolment() async throws {
        let (machine, first) = try await atTheVault()
        first.press(Array("q\n".utf8))
        #expect(await first.end() == 0)

        try machine.control("answer match")
        let second = try machine.start("login-and-vault")
        _ = try await second.screen("Vault · open")
        try machine.control("enroll somebody")
        let changed = try await second.type("l", screen: "The enrolled fingerprints may have changed.")
        #expect(!changed.contains("  s  "))
        _ = try await second.type("s", screen: "There is no such choice.")
        second.press(Array("q\n".utf8))
        #expect(await second.end() == 0)

        let third = try machine.start("login-and-vault")
        _ = try await third.screen("The enrolled fingerprints may have changed.")
        #expect(try machine.prompts() == ["success"], "nobody was asked for a finger that may be somebody's")
        _ = try await third.type("p", screen: "log in with your password")
        _ = try await third.type(password, screen: "Vault · open")
        _ = try await third.type("l", screen: "  s  Log in with your fingerprint")
        try machine.control("answer match")
        _ = try await third.type("s", screen: "Vault · open")
    }
}
