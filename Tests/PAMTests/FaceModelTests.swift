import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_wire

/// A camera whose module keeps its faces in files that the administrator named, in user mode and in system mode.
@Suite("Faces with an enrolment", .timeLimit(.minutes(10)), .enabled(if: getuid() == 0, "takes root"))
struct FaceModelTests {
    private typealias Read = Result<String, KeychainFailure>

    @Test("a face has a domain state, which is another one while another face is known too", arguments: [false, true])
    func domainState(isSystem: Bool) async throws {
        let (states, status) = try await onThread {
            let stage = try FaceStage(isSystem: isSystem)
            var states = [try stage.capability]
            states.append(try stage.capability)
            try stage.write("faces/owner/2", "eve")
            states.append(try stage.capability)
            try stage.remove("faces/owner/2")
            states.append(try stage.capability)
            return (states, try stage.owner.status)
        }
        #expect(states.allSatisfy { $0.failure == nil && $0.kind == .faceID && $0.domainState?.isEmpty == false })
        #expect(states[0].domainState == states[1].domainState && states[0].domainState == states[3].domainState)
        #expect(states[2].domainState != states[0].domainState)
        #expect(status.biometry == .faceID && status.biometryLevel == .convenience && status.isEnrolled)
        #expect(status.sensor.tellsEnrolments && status.sensor.hindrance == nil)
    }

    @Test(
        "an item for the present faces opens to them, and never again once another face took their place; one for any face does",
        arguments: [false, true])
    func swapped(isSystem: Bool) async throws {
        let (added, before, bound, any, back, fresh) = try await onThread {
            let stage = try FaceStage(isSystem: isSystem)
            let added = [try stage.add("bound", .biometryCurrentSet), try stage.add("any", .biometryAny)]
            let before = [try stage.read("bound"), try stage.read("any")]
            try stage.swap(to: "eve")
            let (bound, any) = (try stage.read("bound"), try stage.read("any"))
            // The first face back under its name finds the item dead.
            try stage.swap(to: "ada")
            let back = try stage.read("bound")
            return (added, before, bound, any, back, [try stage.add("fresh", .biometryCurrentSet)])
        }
        #expect(added == [nil, nil] && before == [Read.success("wine"), .success("wine")])
        #expect(bound == .failure(.itemNotFound) && any == .success("wine"))
        #expect(back == .failure(.itemNotFound) && fresh == [nil])
        Tally.check(
            "a face that was put in another's place opens an item for the present faces", succeeded: bound == .success("wine"))
    }

    @Test("a face file that is written anew with the same face in it is the same face", arguments: [false, true])
    func replaced(isSystem: Bool) async throws {
        let reads = try await onThread {
            let stage = try FaceStage(isSystem: isSystem)
            guard try stage.add("bound", .biometryCurrentSet) == nil else { throw Peer.Surprise(what: "not kept") }
            try stage.write("faces/owner/1", "ada")
            var reads = [try stage.read("bound")]
            try stage.write("new", "ada")
            let etc = stage.machine.etc.path
            guard rename(etc + "/new", etc + "/faces/owner/1") == 0 else { throw Errno(thumb_errno()) }
            reads.append(try stage.read("bound"))
            return reads
        }
        #expect(reads == [Read.success("wine"), .success("wine")])
    }

    @Test(
        "without its files a camera knows nobody, and items wait: they open again if the same faces come back",
        arguments: [false, true])
    func removed(isSystem: Bool) async throws {
        let (gone, refused, added, status, back) = try await onThread {
            let stage = try FaceStage(isSystem: isSystem)
            guard try [stage.add("bound", .biometryCurrentSet), stage.add("any", .biometryAny)] == [nil, nil] else {
                throw Peer.Surprise(what: "not kept")
            }
            try stage.remove("faces/owner/1")
            let gone = try stage.capability
            let refused = [try stage.read("bound"), try stage.read("any")]
            let (added, status) = (try stage.add("more", .biometryAny), try stage.owner.status)
            try stage.remove("faces/owner")
            guard try stage.capability == gone else { throw Peer.Surprise(what: "a folder that is gone isn't one without faces") }
            guard mkdir(stage.machine.etc.path + "/faces/owner", 0o755) == 0 else { throw Errno(thumb_errno()) }
            try stage.write("faces/owner/1", "ada")
            return (gone, refused, added, status, [try stage.read("bound"), try stage.read("any")])
        }
        #expect(gone.failure == .biometryNotEnrolled && gone.kind == .faceID && gone.domainState == nil)
        #expect(refused == [Read.failure(.authenticationFailed), .failure(.authenticationFailed)])
        #expect(added == .authenticationFailed && !status.isEnrolled)
        #expect(back == [Read.success("wine"), .success("wine")])
    }

    /// What happens to the models while the module looks, before it says that it knows the face. The other face is before the camera.
    static let meanwhile: [(what: String, script: String)] = [
        ("another face takes the place of the owner's", "/bin/cp /etc/other /etc/faces/owner/1; exit 0"),
        (
            "another face takes the owner's place, and the owner's is put back",
            "/bin/cp /etc/faces/owner/1 /etc/kept; /bin/cp /etc/other /etc/faces/owner/1; "
                + "/usr/bin/cmp -s /etc/faces/owner/1 /etc/scene; saw=$?; /bin/cp /etc/kept /etc/faces/owner/1; exit $saw"
        ),
        (
            "the owner's file is moved away for another one, and back",
            "cd /etc/faces; /bin/mv owner/1 kept; /bin/cp /etc/other owner/1; /usr/bin/cmp -s owner/1 /etc/scene; saw=$?; "
                + "/bin/mv kept owner/1; exit $saw"
        ),
        (
            "another face is added, and removed",
            "/bin/cp /etc/other /etc/faces/owner/2; /usr/bin/cmp -s /etc/faces/owner/2 /etc/scene; saw=$?; "
                + "/bin/rm /etc/faces/owner/2; exit $saw"
        ),
        ("the owner's face is removed", "/bin/rm /etc/faces/owner/1; exit 0"),
        ("others may write the owner's face", "/bin/chmod 666 /etc/faces/owner/1; exit 0"),
    ]

    @Test(
        "a match counts for nothing if its models changed while it was looked for, even if they are the same again",
        arguments: [false, true])
    func changedMeanwhile(isSystem: Bool) async throws {
        let outcomes = try await onThread {
            let stage = try FaceStage(isSystem: isSystem)
            guard try stage.add("any", .biometryAny) == nil else { throw Peer.Surprise(what: "not kept") }
            try stage.write("other", "eve")
            return try Self.meanwhile.map { what, script in
                try stage.write("scene", "eve")
                try stage.write("camera", script)
                let evaluated = try stage.evaluate()
                try stage.write("faces/owner/1", "ada")
                let read = try stage.read("any")
                // The owner's own face, as it was before, counts.
                try stage.write("faces/owner/1", "ada")
                try stage.write("scene", "ada")
                try stage.write("camera", FaceStage.matches)
                return (what, evaluated, read, try stage.evaluate())
            }
        }
        #expect(outcomes.count == Self.meanwhile.count)
        for (what, evaluated, read, after) in outcomes {
            #expect(evaluated == .failure(.biometryNotAvailable), "\(what)")
            #expect(read == .failure(.authenticationFailed), "\(what)")
            #expect(after == .success(.biometry), "\(what)")
            Tally.check(
                "while a face is looked for, \(what), isSystem \(isSystem)",
                succeeded: evaluated == .success(.biometry) || read == .success("wine"))
        }
    }

    private typealias Found = (hindrance: SensorHindrance?, capability: Capability, evaluated: Result<Factor, EvaluationFailure>)

    private static func look(_ stage: FaceStage) throws -> Found {
        (try stage.owner.status.sensor.hindrance, try stage.capability, try stage.evaluate())
    }

    @Test("models that somebody else could change make no face count, and the owner is told why", arguments: [false, true])
    func distrusted(isSystem: Bool) async throws {
        let (found, log, mended) = try await onThread {
            let stage = try FaceStage(isSystem: isSystem)
            let face = stage.machine.etc.path + "/faces/owner/1"
            var found: [Found] = []
            try stage.allow("faces/owner/1", 0o666)
            found.append(try Self.look(stage))
            try stage.allow("faces/owner/1", 0o644)
            guard chown(face, 1, 1) == 0 else { throw Errno(thumb_errno()) }
            found.append(try Self.look(stage))
            try stage.remove("faces/owner/1")
            try stage.write("real", "ada")
            guard symlink("/etc/real", face) == 0 else { throw Errno(thumb_errno()) }
            found.append(try Self.look(stage))
            let log = try? String(contentsOfFile: stage.machine.state + "/daemon.log", encoding: .utf8)
            try stage.remove("faces/owner/1")
            try stage.write("faces/owner/1", "ada")
            return (found, log, try Self.look(stage))
        }
        #expect(found.map(\.hindrance) == [.modelsWritable, .modelsForeign, .modelsLink])
        for (hindrance, capability, evaluated) in found {
            #expect(capability.failure == .biometryNotAvailable && capability.kind == .faceID, "\(String(describing: hindrance))")
            #expect(evaluated == .failure(.biometryNotAvailable), "\(String(describing: hindrance))")
            Tally.check(
                "a face counts although its models are refused as \(String(describing: hindrance)), isSystem \(isSystem)",
                succeeded: evaluated == .success(.biometry))
        }
        // In system mode the broker has the log, and the journal keeps it.
        if !isSystem {
            for words in [
                "face models: /etc/faces/owner/1 can be written by others", "face models: /etc/faces/owner/1 belongs to user 1",
                "face models: /etc/faces/owner/1 is a link",
            ] { #expect(log?.contains(words) == true, "\(words)") }
        }
        #expect(mended.hindrance == nil && mended.capability.domainState != nil && mended.evaluated == .success(.biometry))
    }

    @Test("models that are named wrongly leave the camera as it is without them: a face counts, and no set of faces is bound to")
    func misnamed() async throws {
        let (found, added) = try await onThread {
            let stage = try FaceStage(isSystem: false)
            let found = try ["faces/%u\n", "/etc/none/%u\n", "/etc/scene/%u\n"].map { text in
                try stage.name(text)
                return (try stage.owner.status.sensor, try stage.capability, try stage.evaluate())
            }
            return (found, try stage.add("bound", .biometryCurrentSet))
        }
        #expect(found.map(\.0.hindrance) == [.modelsSetting, .modelsMissing, .modelsStrange])
        #expect(found.allSatisfy { !$0.0.tellsEnrolments && $0.1.failure == nil && $0.1.domainState == nil })
        #expect(found.allSatisfy { $0.2 == .success(.biometry) } && added == .authenticationFailed)
    }

    @Test("with an enrolment a face is still a weaker proof, which an item can refuse")
    func level() async throws {
        let (kept, refused, status) = try await onThread {
            let stage = try FaceStage(isSystem: false)
            return (
                try stage.add("plain", .biometryCurrentSet), try stage.add("strict", [.biometryCurrentSet, .strongBiometry]),
                try stage.owner.status
            )
        }
        #expect(kept == nil && refused == .authenticationFailed && status.biometryLevel == .convenience)
    }

    @Test("a daemon that starts again knows the same enrolment, and an item for it", arguments: [false, true])
    func restart(isSystem: Bool) async throws {
        let (before, after, read) = try await onThread {
            let stage = try FaceStage(isSystem: isSystem)
            guard try stage.add("bound", .biometryCurrentSet) == nil else { throw Peer.Surprise(what: "not kept") }
            let before = try stage.capability
            try stage.owner.restart()
            // Until the passcode is given once, biometry is locked.
            _ = try stage.owner.evaluate(typing: ["tulip field"], .deviceOwner)
            return (before, try stage.capability, try stage.read("bound"))
        }
        #expect(before.domainState != nil && after.domainState == before.domainState && read == .success("wine"))
    }
}
