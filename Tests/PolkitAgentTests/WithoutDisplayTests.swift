import CThumbLinux
import Testing
import ThumbAccess
import ThumbBus
import ThumbConversation
import ThumbLoop
import ThumbSecrets

@testable import ThumbPolkitAgent

@Suite("Polkit's agent where nobody sees a window", .serialized, .timeLimit(.minutes(5))) @OnLoop struct WithoutDisplayTests {
    @Test("the daemon hears of a prompt that nobody shows, in a terminal or in a window, and isn't left waiting for it")
    func unshown() async throws {
        let ticket = [UInt8](repeating: 7, count: WireLimit.ticketBytes)
        let needed: [any Word] = [PromptNeeded(ticket: ticket), WindowNeeded(ticket: ticket)]
        for word in needed {
            let stage = try await Stage { frame in
                switch frame.kind {
                case .askForPolkit: [word]
                case .promptUnavailable: [EvaluationReply(result: .failure(.notInteractive), kind: .touchID)]
                default: []
                }
            }
            let lost = Locked<[PolkitAgent.Failure]>([])
            stage.agent.onFailure = { failure in lost.withLock { $0.append(failure) } }
            await #expect(throws: BusError(.refused, name: PlayedPolkit.errors + "Failed")) { try await stage.polkit.begin() }
            #expect(stage.daemon.words(PromptUnavailable.self).map(\.ticket) == [ticket])
            #expect(lost.withLock { $0 } == [.noDaemon])
        }
    }

    @Test("for a user without a session in front of a display it doesn't register, and says why")
    func noDisplay() async throws {
        let stage = try await Stage { _ in [] }
        let logind = "org.freedesktop.login1"
        let nowhere = BusValue.variant(.structure([.string(""), .path("/")]))
        _ = try await Bus(address: stage.address).call(
            BusCall(
                logind, "/org/freedesktop/login1/user/\(getuid())", "org.freedesktop.DBus.Properties", "Set",
                [.string(logind + ".User"), .string("Display"), nowhere]), within: 30)
        await #expect(throws: PolkitAgent.Failure.noSession) { try await stage.agent.begin() }
        #expect(stage.polkit.registrations.count == 1)
    }
}
