import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_fingerprint
import thumbturn_test_programs

extension OnABus {
    /// What happens around a daemon's reader, as its apps notice it.
    @Suite("A daemon and logind", .timeLimit(.minutes(2))) @OnLoop struct SurroundingsTests {
        private nonisolated static let context: UInt64 = 1

        /// Waits until the app is told that something may be different, then asks whether fingers count.
        private func failure(_ peer: WirePeer) async throws -> EvaluationFailure? {
            try await onThread {
                while true { if case .changed = try peer.hear() { break } }
                guard
                    case .capability(let capability) = try peer.ask(
                        .capability(context: Self.context, policy: Policy.biometrics.rawValue))
                else {
                    throw WirePeer.Ended()
                }
                return capability.failure
            }
        }

        private func isLocked(_ peer: WirePeer) async throws -> Bool {
            try await onThread {
                while true { if case .changed = try peer.hear() { break } }
                guard case .status(let status) = try peer.ask(.status) else { throw WirePeer.Ended() }
                return status.isSessionLocked
            }
        }

        @Test("asleep, or with the lid closed, a daemon has no usable reader; it knows when its session is locked")
        func told() async throws {
            let stage = try await FingerStage.start()
            let mock = try await LogindStage(on: stage)
            let reader = try await Reader(on: stage)
            #expect(await reader.enroll(.rightIndex, scan: "ada").failure == nil)
            let folder = try Scratch()
            let path = folder.path
            let words = ["--bus", stage.bus, "--bus-owner", "\(stage.user)", "--templates", stage.templates]
            let daemon = try #require(try await onThread { try Daemon.listening(state: path, words) })
            defer { daemon.child.killed() }
            let socket = daemon.socket
            let (peer, first) = try await onThread {
                let peer = try WirePeer(socket)
                _ = try peer.ask(.setPasscode)
                guard
                    case .capability(let capability) = try peer.ask(
                        .capability(context: Self.context, policy: Policy.biometrics.rawValue))
                else {
                    throw WirePeer.Ended()
                }
                try peer.say(.watchEnvironment, 1000)
                return (peer, capability)
            }
            #expect(first.failure == nil && first.kind == .touchID)
            try await mock.closeLid(true)
            #expect(try await failure(peer) == .biometryNotAvailable)
            try await mock.closeLid(false)
            #expect(try await failure(peer) == nil)
            try await mock.sleep(true)
            #expect(try await failure(peer) == .biometryNotAvailable)
            try await mock.sleep(false)
            #expect(try await failure(peer) == nil)
            try await mock.lock(true)
            #expect(try await isLocked(peer))
            try await mock.lock(false)
            #expect(try await !isLocked(peer))
        }
    }
}
