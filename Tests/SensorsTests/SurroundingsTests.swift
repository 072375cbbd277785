import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import ThumbSecrets
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

        private nonisolated static let name: Attributes = [.account: .text("bank"), .service: .text("tests")]

        /// What comes of reading an item in a context, without a prompt: what it was shown counts, or nothing does.
        private func reads(_ peer: WirePeer) async throws -> Bool {
            let asking = AskingTerms(context: Self.context, permission: .fail)
            let query = Query(itemClass: .genericPassword, attributes: Self.name, shape: .data, asking: asking)
            return try await onThread {
                switch try peer.ask(.find(query)) {
                case .page(let items, _): return items.count == 1
                case .failed(.interactionNotAllowed): return false
                default: throw WirePeer.Ended()
                }
            }
        }

        @Test("when the machine sleeps, a context forgets what it was shown, whether or not the session gets locked")
        func sleep() async throws {
            let stage = try await FingerStage.start()
            let mock = try await LogindStage(on: stage)
            let folder = try Scratch()
            let path = folder.path
            let words = ["--system", "--bus", stage.bus, "--bus-owner", "\(stage.user)", "--templates", stage.templates]
            let daemon = try #require(try await onThread { try Daemon.listening(state: path, words) })
            defer { daemon.child.killed() }
            let socket = daemon.socket
            let peer = try await onThread {
                let peer = try WirePeer(socket)
                _ = try peer.ask(.setPasscode)
                let rule = try AccessRule(.always, .devicePasscode)
                _ = try peer.ask(
                    .add(
                        NewItem(
                            itemClass: .genericPassword, attributes: Self.name, rule: rule,
                            secret: try SecretBytes(copying: Array("4711".utf8)))))
                _ = try peer.ask(
                    .evaluate(
                        EvaluationRequest(
                            context: Self.context, subject: .policy(.deviceOwner), words: PromptWords(reason: "tests"))))
                try peer.say(.watchEnvironment, 1000)
                return peer
            }
            #expect(try await reads(peer))
            try await mock.sleep(true)
            try await onThread { while true { if case .changed = try peer.hear() { break } } }
            #expect(try await !reads(peer))
            try await mock.sleep(false)
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
