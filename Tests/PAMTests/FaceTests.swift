import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_wire

/// A camera that is a program of the test's: PAM's own module runs it, and how it ends is what it saw.
@Suite("Faces behind PAM", .timeLimit(.minutes(10)), .enabled(if: getuid() == 0, "takes root"))
struct FaceTests {
    private static func machine(_ camera: String) throws -> Machine {
        let machine = try Machine([
            // A camera that saw nobody is a failure of pam_exec's own; as a face module's it is a wrong face.
            "thumbturn-face": """
            auth [success=1 default=ignore] pam_exec.so quiet /bin/sh /etc/camera
            auth requisite pam_deny.so
            auth required pam_permit.so
            account required pam_permit.so

            """
        ])
        try machine.write("camera", camera)
        return machine
    }

    /// An owner with a passcode of their own, who allowed this test the camera.
    private static func owner(_ camera: String) throws -> Owner {
        let owner = try Owner(machine("exit 0"))
        guard try owner.isDone(.setPasscode, typing: ["tulip field", "tulip field"]) else { throw Peer.Surprise(what: "not set") }
        // The first use asks for leave, which lasts: the passcode gives it.
        let leave = try owner.evaluate(typing: ["tulip field"], .biometrics)
        guard leave == .success(.biometry) else {
            throw Peer.Surprise(what: "no leave: \(leave), \(owner.notices)")
        }
        try owner.machine.write("camera", camera)
        return owner
    }

    private static func rule(_ constraints: Constraints) throws -> EvaluationRequest {
        EvaluationRequest(
            context: 2, subject: .rule(try AccessRule(.whenUnlocked, constraints), .useItem), words: PromptWords(reason: "open"))
    }

    @Test(
        "a machine with such a service has a face's sensor at convenience level, whose faces nobody named; one without has none"
    )
    func reported() async throws {
        let (with, without, capability) = try await onThread {
            let owner = try Self.owner("exit 0")
            guard case .capability(let capability) = try owner.ask(.capability(context: 1, policy: Policy.biometrics.rawValue))
            else { throw Peer.Surprise(what: "no capability") }
            return (try owner.status, try Owner(Machine()).status, capability)
        }
        #expect(with.biometry == .faceID && with.biometryLevel == .convenience && with.isEnrolled)
        #expect(capability.kind == .faceID && capability.failure == nil && capability.domainState == nil)
        #expect(without.biometry == .none && !without.isEnrolled)
    }

    @Test("a face that is known is the owner, one that isn't is a miss, and the second miss leaves the passcode")
    func looks() async throws {
        let (right, wrong, notices) = try await onThread {
            let owner = try Self.owner("exit 0")
            let right = try owner.evaluate(typing: [])
            try owner.machine.write("camera", "exit 1")
            return (right, try owner.evaluate(typing: ["tulip field"]), owner.notices)
        }
        #expect(right == .success(.biometry) && wrong == .success(.passcode))
        #expect(notices.contains(.missed(attemptsLeft: 1)))
    }

    @Test("misses count towards the lockout, which the passcode ends")
    func lockout() async throws {
        let (failures, locked, after) = try await onThread {
            let owner = try Self.owner("exit 1")
            var failures: [Result<Factor, EvaluationFailure>] = []
            for _ in 0..<3 { failures.append(try owner.evaluate(typing: [], .biometrics)) }
            let locked = try owner.status.isBiometryLocked
            _ = try owner.evaluate(typing: ["tulip field"])
            return (failures, locked, try owner.status.isBiometryLocked)
        }
        #expect(failures.allSatisfy { $0 != .success(.biometry) } && locked && !after)
    }

    @Test(
        "an item can refuse that level: the face isn't asked, the passcode counts, and a match that was shown counts for nothing")
    func refused() async throws {
        let (plain, strict, presence, added) = try await onThread {
            let owner = try Self.owner("exit 0")
            func evaluate(_ constraints: Constraints, _ words: [String]) throws -> Result<Factor, EvaluationFailure> {
                guard
                    case .evaluated(let reply) = try owner.ask(
                        .evaluate(try Self.rule(constraints)), typing: words, faceUsage: "the tests")
                else { throw Peer.Surprise(what: "no verdict") }
                return reply.result
            }
            let item = NewItem(
                itemClass: .genericPassword, attributes: [.account: .text("a"), .service: .text("tests")],
                rule: try AccessRule(.whenUnlocked, [.biometryAny, .strongBiometry]), secret: secret("wine"))
            return (
                try evaluate(.biometryAny, []), try evaluate([.biometryAny, .strongBiometry], []),
                try evaluate([.userPresence, .strongBiometry], ["tulip field"]), try owner.ask(.add(item))
            )
        }
        #expect(plain == .success(.biometry) && strict == .failure(.biometryNotAvailable) && presence == .success(.passcode))
        guard case .failed(.authenticationFailed) = added else {
            Issue.record("an item that no sensor here can open was made")
            return
        }
    }

    @Test("an app that doesn't say why isn't shown to the camera, and the log says which program that was, and in which call")
    func silent() async throws {
        let (answer, log) = try await onThread {
            let owner = try Owner(Self.machine("exit 0"))
            guard try owner.isDone(.setPasscode, typing: ["tulip field", "tulip field"]) else {
                throw Peer.Surprise(what: "not set")
            }
            let request = EvaluationRequest(context: 1, subject: .policy(.biometrics), words: PromptWords(reason: "open"))
            let answer = try owner.ask(.evaluate(request))
            return (answer, try String(contentsOfFile: owner.machine.state + "/daemon.log", encoding: .utf8))
        }
        guard case .evaluated(let reply) = answer else {
            Issue.record("no verdict: \(answer)")
            return
        }
        #expect(reply.result == .failure(.biometryNotAvailable))
        let line = log.split(separator: "\n").first { $0.contains("doesn't say why") }
        #expect(line?.hasSuffix(" client=\(getpid()) uid=\(getuid()) request=1") == true, "\(log)")
    }

    @Test("an item for the present faces can't be made where nobody named the files that they are in")
    func currentSet() async throws {
        let added = try await onThread {
            let owner = try Self.owner("exit 0")
            return try owner.ask(
                .add(
                    NewItem(
                        itemClass: .genericPassword, attributes: [.account: .text("a"), .service: .text("tests")],
                        rule: try AccessRule(.whenUnlocked, .biometryCurrentSet), secret: secret("wine"))))
        }
        guard case .failed(.authenticationFailed) = added else {
            Issue.record("it was made")
            return
        }
    }

    @Test("a stack that asks for words isn't one for faces: it counts as a sensor that broke, and no word is passed on")
    func words() async throws {
        let found = try await onThread {
            let owner = try Self.owner("exit 0")
            try owner.machine.write("pam.d/thumbturn-face", Machine.unix)
            return try owner.evaluate(typing: [], .biometrics)
        }
        #expect(found == .failure(.biometryNotAvailable))
    }

    @Test("cancelling ends the looking: the camera's process is gone")
    func cancelled() async throws {
        let (found, ended) = try await onThread {
            // It says that it looks, in a program of its own, then looks for ever.
            let owner = try Self.owner("exec 9> /etc/seen; echo looking >&9; sh -c 'sleep 600; true'")
            let seen = owner.machine.etc.appending(path: "seen").path
            guard mkfifo(seen, 0o600) == 0 else { throw Peer.Surprise(what: "no pipe") }
            let looking = open(seen, O_RDONLY | O_NONBLOCK)
            defer { close(looking) }
            func waits(for events: Int32) -> Bool {
                var wait = pollfd(fd: looking, events: Int16(events), revents: 0)
                return poll(&wait, 1, 60_000) == 1 && Int32(wait.revents) & events != 0
            }
            let found = try owner.cancel(.biometrics) { waits(for: POLLIN) }
            var room = [UInt8](repeating: 0, count: 64)
            _ = read(looking, &room, room.count)
            // The pipe's end comes with the last of those who had it.
            return (found, waits(for: POLLHUP))
        }
        #expect(found == .failure(.userCancel) && ended)
    }
}
