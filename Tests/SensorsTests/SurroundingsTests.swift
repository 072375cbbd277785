import CThumbLinux
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_fingerprint
import thumbturn_test_programs
import thumbturn_test_wire

extension OnABus {
    /// What happens around a daemon's reader, as its apps notice it.
    @Suite("A daemon and logind", .timeLimit(.minutes(10))) @OnLoop struct SurroundingsTests {
        private nonisolated static let context: UInt64 = 1

        /// Waits until the app is told that something may be different, then asks whether fingers count.
        private func failure(_ peer: WirePeer) async throws -> EvaluationFailure? {
            try await onThread {
                try peer.awaitChange()
                guard
                    case .capability(let capability) = try peer.ask(
                        .capability(context: Self.context, policy: Policy.biometrics.rawValue))
                else {
                    throw WirePeer.Ended()
                }
                return capability.failure
            }
        }

        /// Asks whether the session is locked, after each change that is told, until it is as it should be.
        private func becomes(_ peer: WirePeer, locked: Bool) async throws {
            try await onThread {
                while true {
                    guard case .status(let status) = try peer.ask(.status) else { throw WirePeer.Ended() }
                    if status.isSessionLocked == locked { return }
                    try peer.awaitChange()
                }
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

        /// A user of the system's daemon whose context has shown what an item wants, and who hears of changes.
        private nonisolated static func owner(_ socket: String, _ uid: UInt32) throws -> WirePeer {
            let peer = try WirePeer(socket, as: uid)
            guard case .done = try peer.ask(.setPasscode) else { throw WirePeer.Ended() }
            let rule = try AccessRule(.always, .devicePasscode)
            _ = try peer.ask(
                .add(
                    NewItem(
                        itemClass: .genericPassword, attributes: name, rule: rule,
                        secret: try SecretBytes(copying: Array("4711".utf8)))))
            try show(peer)
            try peer.say(.watchEnvironment, 1000)
            return peer
        }

        private nonisolated static func show(_ peer: WirePeer) throws {
            _ = try peer.ask(
                .evaluate(
                    EvaluationRequest(context: context, subject: .policy(.deviceOwner), words: PromptWords(reason: "tests"))))
        }

        /// Reads, after each change that is told, until what the context was shown counts no more.
        private func losesItsShowing(_ peer: WirePeer) async throws {
            while try await reads(peer) { try await onThread { try peer.awaitChange() } }
        }

        /// System mode on a stage, at a socket that every user reaches.
        private func system(_ folder: Scratch, _ stage: FingerStage) async throws -> (mode: SystemMode, socket: String) {
            let (path, accounts) = (folder.path, try TrustingAccounts())
            let (bus, user, templates, registry) = (stage.bus, stage.user, stage.templates, try WirePeer.registry(in: path))
            let mode = try await onThread {
                try SystemMode(
                    in: path, bus: bus, busOwner: user, templates: templates, ["--protected", registry], accounts: accounts)
            }
            return (mode, mode.socket)
        }

        @Test(
            "a lock reaches the device of that user and no other; sleep reaches each, whether or not the session gets locked",
            .enabled(if: getuid() == 0, "takes root and two users"))
        func users() async throws {
            let stage = try await FingerStage.start()
            // One who is on every machine.
            let (here, other): (UInt32, UInt32) = (getuid(), 1)
            let mock = try await LogindStage(on: stage, other: other)
            let folder = try Scratch()
            let (mode, socket) = try await system(folder, stage)
            defer { mode.end() }
            let (mine, theirs) = try await onThread { (try Self.owner(socket, here), try Self.owner(socket, other)) }
            #expect(try await reads(mine))
            #expect(try await reads(theirs))

            try await mock.lock(true, ofOther: true)
            try await becomes(theirs, locked: true)
            #expect(try await !reads(theirs))
            #expect(try await reads(mine))
            try await mock.lock(false, ofOther: true)
            try await becomes(theirs, locked: false)
            #expect(try await !reads(theirs))
            try await mock.lock(true)
            try await becomes(mine, locked: true)
            try await mock.lock(false)
            try await becomes(mine, locked: false)

            try await onThread { for peer in [mine, theirs] { try Self.show(peer) } }
            #expect(try await reads(mine))
            #expect(try await reads(theirs))
            try await mock.sleep(true)
            try await losesItsShowing(mine)
            try await losesItsShowing(theirs)
            try await mock.sleep(false)
        }

        @Test(
            "a user whom the machine has no name for has no fingers there, and a lock as any other",
            .enabled(if: getuid() == 0, "takes root and two users"))
        func nameless() async throws {
            let stage = try await FingerStage.start()
            let other = FreshUser.next
            let mock = try await LogindStage(on: stage, other: other)
            try await mock.lock(true, ofOther: true)
            let folder = try Scratch()
            let (mode, socket) = try await system(folder, stage)
            defer { mode.end() }
            let (peer, atFirst) = try await onThread {
                let peer = try WirePeer(socket, as: other)
                let item = NewItem(
                    itemClass: .genericPassword, attributes: Self.name, rule: AccessRule(.whenUnlocked),
                    secret: try SecretBytes(copying: Array("4711".utf8)))
                let atFirst = try peer.ask(.add(item))
                try peer.say(.watchEnvironment, 1000)
                return (peer, atFirst)
            }
            // Locked before the daemon knew of the user, it is asked before anything is answered.
            if case .page = atFirst { Issue.record("an item was kept while the session was locked") }
            try await mock.lock(false, ofOther: true)
            try await becomes(peer, locked: false)
            let added = try await onThread {
                try peer.ask(
                    .add(
                        NewItem(
                            itemClass: .genericPassword, attributes: Self.name, rule: AccessRule(.whenUnlocked),
                            secret: try SecretBytes(copying: Array("4711".utf8)))))
            }
            guard case .page = added else {
                Issue.record("\(added)")
                return
            }
            #expect(try await reads(peer))
            try await mock.lock(true, ofOther: true)
            try await becomes(peer, locked: true)
            #expect(try await !reads(peer))
        }

        @Test("asleep, or with the lid closed, a daemon has no usable reader; it knows when its session is locked")
        func told() async throws {
            let stage = try await FingerStage.start()
            let mock = try await LogindStage(on: stage)
            let reader = try await Reader(on: stage)
            #expect(await reader.enroll(.rightIndex, scan: "ada").failure == nil)
            let folder = try Scratch()
            let path = folder.path
            let words = ["--bus", stage.bus, "--bus-owner", "\(stage.user)", "--templates", stage.templates, "--seat", "open"]
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
            try await becomes(peer, locked: true)
            try await mock.lock(false)
            try await becomes(peer, locked: false)
        }

        @Test("whoever asked is told of the lock, of sleep and of what is in front, once each", arguments: [false, true])
        func events(isSystem: Bool) async throws {
            let stage = try await FingerStage.start()
            let mock = try await LogindStage(on: stage)
            try await mock.lock(true)
            let folder = try Scratch()
            let path = folder.path
            let (socket, end): (String, () -> Void)
            if isSystem {
                let (mode, place) = try await system(folder, stage)
                (socket, end) = (place, { mode.end() })
            } else {
                let words = ["--bus", stage.bus, "--bus-owner", "\(stage.user)", "--templates", stage.templates]
                let daemon = try #require(try await onThread { try Daemon.listening(state: path, words) })
                (socket, end) = (daemon.socket, { daemon.child.killed() })
            }
            defer { end() }
            let peer = try await onThread {
                let peer = try WirePeer(socket)
                try peer.say(.watchSession, 1001)
                return peer
            }
            func isTold(_ expected: SessionEvent) async throws {
                let event = try await onThread { try peer.nextEvent() }
                #expect(event == expected)
            }
            try await isTold(.locked)
            try await mock.bringToFront(false)
            try await isTold(.left)
            try await mock.sleep(true)
            try await isTold(.asleep)
            try await mock.sleep(false)
            try await isTold(.awake)
            try await mock.bringToFront(true)
            try await isTold(.returned)
            try await mock.lock(false)
            try await isTold(.unlocked)
        }
    }
}
