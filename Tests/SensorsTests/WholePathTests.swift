import CThumbLinux
import Foundation
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
    /// From an app over the wire through a daemon to the real fprintd, and back.
    @Suite("A finger's way through the whole house", .timeLimit(.minutes(5))) @OnLoop struct WholePathTests {
        private nonisolated static let name: Attributes = [.account: .text("bank"), .service: .text("tests")]

        private func daemon(_ folder: Scratch, _ stage: FingerStage, _ more: [String]) async throws -> Daemon {
            let words = ["--bus", stage.bus, "--bus-owner", "\(stage.user)", "--templates", stage.templates] + more
            let (path, accounts) = (folder.path, try TrustingAccounts())
            return try #require(try await onThread { try Daemon.listening(state: path, words, accounts: accounts) })
        }

        /// Where a daemon or system mode listens, and what ends it.
        private func served(
            _ folder: Scratch, _ stage: FingerStage, isSystem: Bool
        ) async throws -> (socket: String, end: () -> Void) {
            guard isSystem else {
                let daemon = try await daemon(folder, stage, ["--seat", "open"])
                return (daemon.socket, { daemon.child.killed() })
            }
            let (path, bus, user, templates) = (folder.path, stage.bus, stage.user, stage.templates)
            let mode = try await onThread {
                try SystemMode(in: path, bus: bus, busOwner: user, templates: templates, accounts: try TrustingAccounts())
            }
            return (mode.socket, { mode.end() })
        }

        private func with<Value: Sendable>(
            _ socket: String, _ body: @escaping @Sendable (WirePeer) throws -> Value
        ) async throws -> Value {
            try await onThread { try body(WirePeer(socket)) }
        }

        /// What an app prints that asks `LAContext` for a finger.
        private nonisolated static func signIn(_ socket: String) throws -> String {
            let app = OwnProcess()
            let heard = Pipe()
            app.executableURL = builtPrograms.appending(path: "thumbturn-test-app")
            app.arguments = ["sign-in"]
            app.environment = ["PATH": "/usr/bin:/bin", "THUMBTURN_SOCKET": socket]
            (app.standardInput, app.standardOutput) = (FileHandle.nullDevice, heard)
            try app.run()
            let answer = try heard.fileHandleForReading.readToEnd() ?? Data()
            app.waitUntilExit()
            return String(decoding: answer, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
        }

        private nonisolated static func add(_ constraints: Constraints) throws -> AddItem {
            .add(
                NewItem(
                    itemClass: .genericPassword, attributes: name, rule: try AccessRule(.always, constraints),
                    secret: try SecretBytes(copying: Array("4711".utf8))))
        }

        private nonisolated static let find = FindItems(
            Query(itemClass: .genericPassword, attributes: name, shape: .data))

        /// What came of reading the secret: the secret, or why not.
        private nonisolated static func read(_ peer: WirePeer) throws -> Result<String, KeychainFailure> {
            switch try peer.ask(find) {
            case .page(let items, _):
                guard let secret = items.first?.secret else { return .failure(.itemNotFound) }
                return .success(String(decoding: secret.plainBytes(in: 0..<secret.count), as: UTF8.self))
            case .failed(let failure): return .failure(failure)
            case .evaluated(let reply):
                guard case .failure(let failure) = reply.result else { throw WirePeer.Ended() }
                return .failure(failure.keychainFailure)
            default: throw WirePeer.Ended()
            }
        }

        @Test(
            "enrolled through the daemon, a finger releases a secret; swapped under the same name, it never does again",
            arguments: [false, true])
        func swap(isSystem: Bool) async throws {
            let stage = try await FingerStage.start()
            let reader = try await Reader(on: stage)
            let folder = try Scratch()
            let (socket, end) = try await served(folder, stage, isSystem: isSystem)
            defer { end() }

            // Without a passcode nobody changes fingers; then five scans, told as they come.
            let refused = try await with(socket) { try $0.ask(.enroll(.rightIndex)) }
            guard case .enrollingEnded(.notPermitted) = refused else {
                Issue.record("a finger was enrolled without a passcode")
                return
            }
            reader.hand.script = Array(repeating: "SCAN ada", count: 5)
            reader.hand.watchesProperty = true
            let steps = try await with(socket) { peer in
                _ = try peer.ask(.setPasscode)
                guard case .enrollingEnded(nil) = try peer.ask(.enroll(.rightIndex)) else { throw WirePeer.Ended() }
                return peer.progress.map(\.done)
            }
            reader.hand.watchesProperty = false
            #expect(steps == [0, 1, 2, 3, 4, 5])
            let listed = try await with(socket) { try $0.ask(.listFingers) }
            guard case .fingers(let fingers) = listed else {
                Issue.record("the fingers weren't listed")
                return
            }
            #expect(fingers == EnrolledFingers(fingers: [.rightIndex], isSwipe: true))

            // The secret, for the fingers that are enrolled now.
            let status = try await with(socket) { try $0.ask(.status) }
            if case .status(let status) = status { #expect(status.biometry == .touchID && status.isEnrolled) }
            let added = try await with(socket) { try $0.ask(Self.add(.biometryCurrentSet)) }
            guard case .page = added else {
                Issue.record("an item for the present fingers could not be made")
                return
            }
            reader.hand.script = ["SCAN eve", "SCAN ada"]
            #expect(try await with(socket) { try Self.read($0) } == .success("4711"))

            // Another finger under the same name, enrolled past us: the list is the same, the templates aren't.
            #expect(await reader.forget(.rightIndex) == nil)
            #expect(await reader.enroll(.rightIndex, scan: "eve").failure == nil)
            #expect(await reader.fingers() == .success(fingers))
            reader.hand.script = ["SCAN eve"]
            #expect(try await with(socket) { try Self.read($0) } == .failure(.itemNotFound))
            // The first finger back under its name is another template too.
            #expect(await reader.forget(nil) == nil)
            #expect(await reader.enroll(.rightIndex, scan: "ada").failure == nil)
            reader.hand.script = ["SCAN ada"]
            #expect(try await with(socket) { try Self.read($0) } == .failure(.itemNotFound))
            reader.hand.script = []

            // Forgotten through the daemon, after the passcode; a wrong one changes nothing.
            let kept = try await with(socket) { peer in
                peer.passcode = "2580"
                return try peer.ask(.forgetFinger(.leftThumb))
            }
            if case .enrollingEnded(let failure) = kept { #expect(failure == .notEnrolled) }
            let forgotten = try await with(socket) { try $0.ask(.forgetFinger(nil)) }
            guard case .enrollingEnded(nil) = forgotten else {
                Issue.record("the fingers weren't forgotten: \(forgotten)")
                return
            }
            #expect(await reader.fingers() == .success(EnrolledFingers(fingers: [], isSwipe: true)))
            let gone = try await with(socket) { try $0.ask(Self.add(.biometryAny)) }
            if case .failed(let failure) = gone { #expect(failure == .authenticationFailed) } else { Issue.record("\(gone)") }
        }

        @Test("a reader that was out of reach for one item is there for the next one", arguments: [false, true])
        func comesBack(isSystem: Bool) async throws {
            let stage = try await FingerStage.start()
            let reader = try await Reader(on: stage)
            #expect(await reader.enroll(.rightIndex, scan: "ada").failure == nil)
            let folder = try Scratch()
            let (socket, end) = try await served(folder, stage, isSystem: isSystem)
            defer { end() }
            let added = try await with(socket) { peer in
                _ = try peer.ask(.setPasscode)
                _ = try peer.ask(.status)
                return try peer.ask(Self.add(.biometryAny))
            }
            guard case .page = added else {
                Issue.record("an item for a finger could not be made: \(added)")
                return
            }
            reader.hand.habit = "SCAN ada"
            #expect(try await with(socket) { try Self.read($0) } == .success("4711"))

            // From here on only items are asked for, and nobody asks what sensor there is.
            await onThread { stage.endBus() }
            let refused = try await with(socket) { try Self.read($0) }
            #expect(refused == .failure(.authenticationFailed))
            try await onThread { try stage.startBusAgain() }
            let back = try await Reader(on: stage)
            back.hand.habit = "SCAN ada"
            var read = refused
            // What was found out is believed for a second, and on a busy machine the bus and fprintd take their time to start.
            let deadline = EventLoop.now + 60
            while read != .success("4711") && EventLoop.now < deadline {
                try await Task.sleep(for: .milliseconds(250))
                read = try await with(socket) { try Self.read($0) }
            }
            #expect(read == .success("4711"))
        }

        private nonisolated static func capability(_ peer: WirePeer) throws -> Capability {
            guard case .capability(let found) = try peer.ask(.capability(context: 1, policy: Policy.biometrics.rawValue)) else {
                throw WirePeer.Ended()
            }
            return found
        }

        @Test(
            "a reader that is unplugged under a prompt says so, the next daemon remembers it, and it is there again when it is back",
            arguments: [false, true])
        func unplugged(isSystem: Bool) async throws {
            let stage = try await FingerStage.start()
            let reader = try await Reader(on: stage)
            #expect(await reader.enroll(.rightIndex, scan: "ada").failure == nil)
            let folder = try Scratch()
            let first = try await served(folder, stage, isSystem: isSystem)
            let before = try await with(first.socket) { peer in
                _ = try peer.ask(.setPasscode)
                return try Self.capability(peer)
            }
            #expect(before.failure == nil && before.kind == .touchID)

            // Under the prompt, while a finger is awaited.
            reader.hand.script = ["UNPLUG"]
            let request = EvaluationRequest(
                context: 1, subject: .policy(.biometrics), words: PromptWords(reason: "tests"))
            let answer = try await with(first.socket) { try $0.ask(.evaluate(request)) }
            guard case .evaluated(let reply) = answer else {
                Issue.record("no verdict: \(answer)")
                first.end()
                return
            }
            #expect(reply.result == .failure(.biometryDisconnected) && reply.kind == .touchID)
            let after = try await with(first.socket) { try Self.capability($0) }
            #expect(after.failure == .biometryDisconnected && after.kind == .touchID)
            first.end()

            // The next daemon on this store knows that there was one. One on another store has no sensor.
            let second = try await served(folder, stage, isSystem: isSystem)
            defer { second.end() }
            let remembered = try await with(second.socket) { try Self.capability($0) }
            #expect(remembered.failure == .biometryDisconnected && remembered.kind == .touchID)
            let socket = second.socket
            #expect(try await onThread { try Self.signIn(socket) } == "not signed in: -13")
            let status = try await with(second.socket) { try $0.ask(.status) }
            if case .status(let status) = status {
                #expect(status.sensor.hindrance == .unplugged && !status.sensor.name.isEmpty)
            } else {
                Issue.record("no status: \(status)")
            }
            let elsewhere = try Scratch()
            let other = try await served(elsewhere, stage, isSystem: isSystem)
            let unknown = try await with(other.socket) { try Self.capability($0) }
            #expect(unknown.failure == .biometryNotAvailable && unknown.kind == .none)
            other.end()

            // The bus starts another fprintd, which finds the reader. The passcode wasn't given since this daemon started.
            kill(try await stage.fprintdProcess(), SIGKILL)
            var back = remembered
            // What is known about a sensor stays good for a second, and the bus takes its time.
            for _ in 0..<600 where back.failure == .biometryDisconnected || back.failure == .biometryNotAvailable {
                await withCheckedContinuation { done in _ = EventLoop.shared.after(0.1) { done.resume() } }
                back = try await with(second.socket) { try Self.capability($0) }
            }
            #expect(back.failure == .biometryLockout && back.kind == .touchID)
        }

        /// What a program of the user's is told that asks for a finger, with these words in its environment and no terminal.
        private nonisolated static func ask(_ socket: String, _ word: String?) throws -> [String] {
            let app = OwnProcess()
            let (said, heard) = (Pipe(), Pipe())
            app.executableURL = builtPrograms.appending(path: "thumbturn-test-client")
            app.environment = ["PATH": "/usr/bin:/bin", "THUMBTURN_SOCKET": socket].merging(
                word.map { ["THUMBTURN_PROMPT": $0] } ?? [:]
            ) { $1 }
            (app.standardInput, app.standardOutput) = (said, heard)
            try app.run()
            try said.fileHandleForWriting.write(contentsOf: Data("preflight\n".utf8))
            try said.fileHandleForWriting.close()
            let answers = try heard.fileHandleForReading.readToEnd() ?? Data()
            app.waitUntilExit()
            return String(decoding: answers, as: UTF8.self).split(separator: "\n").map(String.init)
        }

        @Test(
            "away from the machine the daemon listens to no finger, whatever a program's environment says; the passcode is taken",
            .enabled(
                if: (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8))?.contains("session-") == false,
                "whoever runs the tests sits at this machine for its logind; SeatAttackTests have it in a world of their own"))
        func elsewhere() async throws {
            let stage = try await FingerStage.start()
            let reader = try await Reader(on: stage)
            await reader.enroll(.rightIndex, scan: "ada")
            let folder = try Scratch()
            // These tests sit in no session of logind's: for a daemon that asks it, nobody is at the reader.
            let daemon = try await daemon(folder, stage, [])
            let socket = daemon.socket
            defer { daemon.child.killed() }
            _ = try await with(socket) { try $0.ask(.setPasscode) }
            // A finger that would match touches the reader whenever one is wanted.
            reader.hand.habit = "SCAN ada"
            let before = reader.hand.wanted
            for word in [nil, "window", "terminal"] {
                let told = try await onThread { try Self.ask(socket, word) }
                #expect(told == ["> preflight touchID biometryNotAvailable"])
                Tally.check(
                    "a finger counts away from the machine, by THUMBTURN_PROMPT=\(word ?? "")",
                    succeeded: told.first?.hasSuffix("ready") == true)
            }
            _ = try await with(socket) { try $0.ask(Self.add(.userPresence)) }
            #expect(try await with(socket) { try Self.read($0) } == .success("4711"))
            #expect(reader.hand.wanted == before)
            Tally.check("a real reader listens away from the machine", succeeded: reader.hand.wanted > before)
        }

        @Test("where templates can't be read, an item isn't bound to the present fingers; one for any finger is")
        func unreadable() async throws {
            let stage = try await FingerStage.start()
            let reader = try await Reader(on: stage)
            await reader.enroll(.rightIndex, scan: "ada")
            let folder = try Scratch()
            let words = [
                "--bus", stage.bus, "--bus-owner", "\(stage.user)", "--templates", folder.path + "/none", "--seat", "open",
            ]
            let path = folder.path
            let daemon = try #require(try await onThread { try Daemon.listening(state: path, words) })
            let socket = daemon.socket
            defer { daemon.child.killed() }
            _ = try await with(socket) { try $0.ask(.setPasscode) }
            let bound = try await with(socket) { try $0.ask(Self.add(.biometryCurrentSet)) }
            guard case .failed(.authenticationFailed) = bound else {
                Issue.record("an item was bound to an enrolment that nobody can tell")
                return
            }
            let any = try await with(socket) { try $0.ask(Self.add(.biometryAny)) }
            guard case .failed(.authenticationFailed) = any else {
                reader.hand.script = ["SCAN ada"]
                #expect(try await with(socket) { try Self.read($0) } == .success("4711"))
                return
            }
        }

        @Test("a daemon believes another fprintd than the machine's on a store of its own alone")
        func otherReader() async throws {
            let status = try await onThread { () -> Int32 in
                // No --state: the user's own store.
                try Child("thumbturnd", ["--serve", "--bus", "unix:path=/nowhere/bus"], environment: [:]).end()
            }
            #expect(status == 64)
        }
    }
}
