import Foundation
import LocalAuthentication
import Security
import Testing
import ThumbturnSimulator

extension OnDevice {
    /// Plays the table.
    @Suite("The matrix of rules, contexts and happenings") struct MatrixTests {
        @Test("the table has every rule, context and happening, and each once")
        func complete() {
            var cells: Set<String> = []
            for row in KeychainMatrix.rows {
                for (happening, _) in row.outcomes { cells.insert("\(row.rule) \(row.hands) \(happening)") }
            }
            let rows = KeychainMatrix.rules.count * KeychainMatrix.Hands.allCases.count
            #expect(KeychainMatrix.rows.count == rows && rows == 69)
            #expect(cells.count == rows * KeychainMatrix.Happening.allCases.count && cells.count == 690)
        }

        @Test("each cell of the table comes out as it says", arguments: KeychainMatrix.rows)
        func row(_ row: KeychainMatrix.Row) async {
            for (happening, expected) in row.outcomes {
                await withDevice { device in
                    let place: Comment = "\(row.rule), \(row.hands), \(happening)"
                    #expect(
                        Item().add(row.flags, kSecAttrAccessibleWhenUnlocked, [kSecUseAuthenticationContext: made(for: row)])
                            == nil,
                        place)
                    let reused = made(for: row)
                    if row.hands == .reused {
                        device.approveEverything()
                        let opens = Item().secret([kSecUseAuthenticationContext: reused]) == .ours
                        #expect(opens == (row.outcomes[0].outcome == .released(asked: false)), place)
                        device.answerAlways(nil)
                    }
                    await bring(about: happening, on: device)
                    device.approveEverything()
                    let context = row.hands == .reused ? reused : made(for: row)
                    context.interactionNotAllowed = row.hands == .silent
                    #expect(read(with: context, device) == expected, place)
                }
            }
        }

        /// A new context, which was given the app's password if the rule has one.
        private func made(for row: KeychainMatrix.Row) -> LAContext { made(for: row.flags) }

        func made(for flags: SecAccessControlCreateFlags) -> LAContext {
            let context = LAContext()
            guard flags.contains(.applicationPassword) else { return context }
            #expect(context.setCredential(Data("open sesame".utf8), type: .applicationPassword))
            return context
        }

        private func read(with context: LAContext, _ device: SimulatedDevice) -> KeychainMatrix.Outcome {
            let before = device.prompts.count
            let release = Item().secret([kSecUseAuthenticationContext: context])
            let asked = device.prompts.count > before
            switch release {
            case .ours: return .released(asked: asked)
            case .released: return .refused(errSecSuccess, asked: asked)
            case .refused(let status): return .refused(status, asked: asked)
            }
        }

        func bring(about happening: KeychainMatrix.Happening, on device: SimulatedDevice) async {
            switch happening {
            case .nothing: break
            case .enrolled: device.enroll("another")
            case .swapped:
                #expect(device.removeEnrolment("me"))
                device.enroll("me")
            case .removed: #expect(device.removeEnrolment("me"))
            case .lockout: await lockOut(device)
            case .changed: device.setPasscode("5678")
            case .unset: device.setPasscode(nil)
            case .locked: device.lock()
            case .restart: device.restart()
            case .unlocked:
                device.restart()
                #expect(device.unlock(with: .passcode("1234")))
            }
        }

        /// Five misses, in two calls.
        private func lockOut(_ device: SimulatedDevice) async {
            let policy = LAPolicy.deviceOwnerAuthenticationWithBiometrics
            device.answer(.noMatch, .noMatch, .noMatch, .noMatch, .noMatch)
            for _ in 1...2 {
                await #expect(throws: LAError.self) {
                    try await LAContext().evaluatePolicy(policy, localizedReason: "lock out")
                }
            }
            #expect(device.unusedAnswers == 0)
        }

        @Test("a finger swapped for another of the same name is another enrolment")
        func swap() async throws {
            try await withDevice { device in
                func state() throws -> Data {
                    let context = LAContext()
                    #expect(context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil))
                    return try #require(context.evaluatedPolicyDomainState)
                }
                let before = try state()
                await bring(about: .swapped, on: device)
                #expect(try state() != before)
            }
        }
    }
}
