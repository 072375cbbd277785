import Foundation
import Testing
import thumbturn_test_daemon

/// Who uses up what a store needs has nothing of it taken for damaged, and hides no damage either.
@Suite("Attacks by using up what a store needs", .timeLimit(.minutes(10))) struct WantAttackTests {
    @Test("with too little of it, at every degree, nothing intact is called damaged, set apart or lost", arguments: Lack.allCases)
    func intact(_ lack: Lack) async throws { try await attack(lack, isFlipped: false) }

    @Test(
        "with too little of it, at every degree, a wrong bit is never passed over, and is reported afterwards",
        arguments: Lack.allCases)
    func flipped(_ lack: Lack) async throws { try await attack(lack, isFlipped: true) }

    /// In a process of its own, because what is used up is the whole process's.
    private func attack(_ lack: Lack, isFlipped: Bool) async throws {
        let report = NSTemporaryDirectory() + "want-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: report) }
        await #expect(processExitsWith: .success) {
            [lack = lack.rawValue as String, isFlipped = isFlipped as Bool, report = report as String] in
            guard let lack = Lack(rawValue: lack) else { exit(2) }
            let said = Victim.allCases.map { victim in
                do { return "\(victim): \(try success(of: lack, on: victim, isFlipped: isFlipped) ?? "nothing")" } catch {
                    return "\(victim): \(error)"
                }
            }
            try Data(said.joined(separator: "\n").utf8).write(to: URL(filePath: report))
            exit(EXIT_SUCCESS)
        }
        let said = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
        #expect(said.count == Victim.allCases.count)
        #expect(said.filter { !$0.hasSuffix(": nothing") } == [])
        for (victim, line) in zip(Victim.allCases, said) {
            let succeeded = !line.hasSuffix(": nothing")
            if isFlipped {
                Tally.check("\(lack.name), a wrong bit is passed over in \(victim.name)", succeeded: succeeded)
            } else {
                Tally.attack("\(lack.name), damage is seen in \(victim.name)", succeeded: succeeded)
            }
        }
    }
}

/// Tries an attack at every degree, before the store is opened and after; how it succeeded, nil if it didn't.
private func success(of lack: Lack, on victim: Victim, isFlipped: Bool) throws -> String? {
    let stage = try WantStage()
    var wanted = 0
    for level in 0..<lack.levels {
        for isOpen in [false, true] {
            try stage.restore(flipping: isFlipped ? victim : nil)
            let told: Told
            do {
                // What is flipped may keep it from opening at all, and then it is told when it is tried.
                let store = isOpen && victim != .backup ? try? stage.open() : nil
                lack.begin(level, stage.disk, stage.ballast)
                told = stage.told(of: victim, store)
            }
            Lack.end(stage.disk, stage.ballast)
            if told == .wanting { wanted += 1 }
            if told != .wanting, told != (isFlipped ? .damaged : .whole) { return "at \(level), open: \(isOpen): it is \(told)" }
            if isFlipped {
                // An addition has taken the damaged item's place.
                guard victim == .itemBeforeAdding || stage.told(of: victim) == .damaged else {
                    return "at \(level): passed over afterwards"
                }
            } else if let loss = try stage.loss() {
                return "at \(level), open: \(isOpen), afterwards: \(loss)"
            }
        }
    }
    // A backup isn't on the disk here and needs no descriptor; and a damaged keybag is told before anything else is wanted.
    let isSpared = isFlipped || victim == .backup && lack != .lockedMemory
    return wanted == 0 && !isSpared ? "nothing was ever wanting" : nil
}
