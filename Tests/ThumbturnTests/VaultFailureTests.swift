import LocalAuthentication
import Testing
import ThumbturnSimulator

@testable import Thumbturn

extension OnDevice {
    @Suite("Vault: what fails")
    @MainActor final class VaultFailureTests {
        let device = SimulatedDevice(biometry: .touchID, passcode: "1234").install()
        let vault = Vault("org.example.vault")

        deinit { device.uninstall() }

        /// What is kept now, read by the owner.
        private func kept() async throws -> String? {
            device.answer(.match)
            return try await vault.read("token", as: String.self)
        }

        @Test(
            "System mode is the remedy for an unknown enrolment only where it is off and the sensor reads fingers; elsewhere the doctor says",
            arguments: [
                (BiometrySupport.available(.touchID), false, "sudo thumbturn system-mode on"),
                (.lockedOut(.touchID), false, "sudo thumbturn system-mode on"), (.available(.touchID), true, "thumbturn doctor"),
                (.available(.faceID), false, "thumbturn doctor"), (.available(.faceID), true, "thumbturn doctor"),
                (.lockedOut(.faceID), true, "thumbturn doctor"),
            ])
        nonisolated func remedies(_ support: BiometrySupport, _ isSystem: Bool, _ remedy: String) {
            #expect(UnknownEnrolment.remedy(support, isSystem: isSystem) == remedy)
        }

        @Test("A save that the owner cancels or somebody else tries keeps the old value")
        func refused() async throws {
            try await vault.save("old", as: "token")
            device.answer(.cancel)
            await #expect(throws: VaultError.cancelled) { try await vault.save("new", as: "token") }
            #expect(try await kept() == "old")
            let strict = Vault("org.example.vault", guardedBy: .biometry)
            try await strict.save("biometric", as: "other")
            device.answer(.noMatch, .noMatch, .noMatch)
            await #expect(throws: VaultError.notAuthenticated) { try await strict.save("new", as: "other") }
            device.answer(.match)
            #expect(try await strict.read("other", as: String.self) == "biometric")
        }

        @Test("A save that can't be done keeps the old value: too large, unmet, not allowed to ask")
        func impossible() async throws {
            try await vault.save("old", as: "token")
            device.answer(.match)
            await #expect(throws: VaultError.tooLarge) { try await vault.save(Data(count: 1 << 20 + 1), as: "token") }
            let silent = LAContext()
            silent.interactionNotAllowed = true
            await #expect(throws: VaultError.cannotAsk) { try await vault.save("new", as: "token", context: silent) }
            device.answerAlways(.passcode("1234"))
            device.removeEnrolment("me")
            await #expect(throws: VaultError.notAuthenticated) {
                try await Vault("org.example.vault", guardedBy: .biometry).save("new", as: "token")
            }
            #expect(try await vault.read("token", as: String.self) == "old")
            await #expect(throws: VaultError.notPermitted) {
                try await Vault("org.example.vault", accessGroup: "somebody.else").save("new", as: "token")
            }
        }

        @Test("Cancelling the task that waits takes the prompt away, and is no failure of the owner's")
        func taskCancelled() async throws {
            try await vault.save("old", as: "token")
            device.answer(.nothing)
            let vault = vault
            let reading = Task { try await vault.read("token", as: String.self) }
            try await until("the prompt is up") { device.isAsking }
            reading.cancel()
            await #expect(throws: VaultError.cancelled) { try await reading.value }
            #expect(!device.isAsking)
        }

        @Test("Cancelling the task that waits leaves a context that was given as it is: the prompt stays, and its answer counts")
        func givenContext() async throws {
            try await vault.save("old", as: "token")
            let vault = vault
            let context = LAContext()
            device.answer(.nothing)
            let reading = Task { try await vault.read("token", as: String.self, context: context) }
            try await until("the prompt is up") { device.isAsking }
            reading.cancel()
            #expect(device.isAsking)
            device.answer(.match)
            #expect(try await reading.value == "old")
            // What was shown still counts for the next call.
            #expect(try await vault.read("token", as: String.self, context: context) == "old")
            #expect(device.prompts.count == 1)
        }

        @Test("A locked device can't ask, and says so; what needs no asking isn't given out either")
        func locked() async throws {
            try await vault.save("old", as: "token")
            let unguarded = Vault("org.example.unguarded", guardedBy: .nothing)
            try await unguarded.save("any", as: "token")
            device.lock()
            await #expect(throws: VaultError.cannotAsk) { try await unguarded.read("token", as: String.self) }
            await #expect(throws: VaultError.cannotAsk) { try await vault.read("token", as: String.self) }
            await #expect(throws: VaultError.cannotAsk) { try await vault.save("new", as: "fresh") }
            #expect(device.unlock(with: .biometry))
            #expect(try await kept() == "old")
            #expect(try await unguarded.read("token", as: String.self) == "any")
        }

        @Test("Saving one name from many sides at once fails for nobody and leaves one value whole")
        func manyAtOnce() async throws {
            let vault = Vault("org.example.vault", guardedBy: .nothing)
            let values = (0..<8).map { String(repeating: "\($0)", count: 1000) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for value in values { group.addTask { try await vault.save(value, as: "token") } }
                try await group.waitForAll()
            }
            #expect(try vault.list() == ["token"])
            #expect(values.contains(try await vault.read("token", as: String.self) ?? ""))
        }
    }
}

@Suite("Replacement")
struct ReplacementTests {
    /// Runs one against these answers of the keychain's; what was called, and how it ended.
    private func run(_ answers: [OSStatus]) -> (calls: [String], status: OSStatus) {
        var answers = answers[...]
        var calls: [String] = []
        func answer(_ call: String) -> OSStatus {
            calls.append(call)
            return answers.popFirst() ?? errSecInternalComponent
        }
        let status = Replacement(update: { answer("update") }, add: { answer("add") }).run()
        return (calls, status)
    }

    @Test("First an update; one that worked or failed is the end of it")
    func update() {
        for status in [errSecSuccess, errSecUserCanceled, errSecAuthFailed, errSecNotAvailable] {
            #expect(run([status]) == (["update"], status))
        }
    }

    @Test("Where there is none, one is added")
    func add() {
        for status in [errSecSuccess, errSecAuthFailed, errSecNotAvailable] {
            #expect(run([errSecItemNotFound, status]) == (["update", "add"], status))
        }
    }

    @Test("Where another added one meanwhile, that one is updated; where another removes it each time, it ends")
    func race() {
        #expect(
            run([errSecItemNotFound, errSecDuplicateItem, errSecSuccess]) == (["update", "add", "update"], errSecSuccess))
        let endless = run((0..<100).map { $0 % 2 == 0 ? errSecItemNotFound : errSecDuplicateItem })
        #expect(endless.status == errSecDuplicateItem && endless.calls.count == 2 * Replacement.rounds)
    }
}
