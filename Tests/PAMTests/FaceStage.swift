import CThumbLinux
import Foundation
import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_wire

/// A machine whose camera holds a picture against those of a user, and an owner who allowed these tests the camera.
///
/// What is before the camera is the file `scene`; each file in `faces/owner` is a face that the module knows. The administrator's file
/// names that folder.
final class FaceStage {
    /// The module of the tests' own: PAM runs it, and how it ends is what it saw.
    static let matches = """
        for model in /etc/faces/"$PAM_USER"/*; do /usr/bin/cmp -s "$model" /etc/scene && exit 0; done; exit 1
        """
    private static let word = "tulip field"

    let machine: Machine
    let owner: Owner
    private let reader: Child?

    /// - Parameter isSystem: in system mode the reader's broker reads the models.
    init(isSystem: Bool) throws {
        machine = try Machine([
            "thumbturn": Machine.unix,
            // A camera that saw nobody is a failure of pam_exec's own; as a face module's it is a wrong face.
            "thumbturn-face": """
            auth [success=1 default=ignore] pam_exec.so quiet /bin/sh /etc/camera
            auth requisite pam_deny.so
            auth required pam_permit.so
            account required pam_permit.so

            """,
        ])
        for folder in ["faces", "faces/owner", "thumbturn"] {
            let path = machine.etc.appending(path: folder).path
            guard mkdir(path, 0o755) == 0, chmod(path, 0o755) == 0 else { throw Errno(thumb_errno()) }
        }
        reader = isSystem ? try Self.broker(machine) : nil
        owner = try Owner(machine, isSystem: isSystem)
        try name("/etc/faces/%u\n")
        try write("camera", Self.matches)
        try write("scene", "ada")
        try write("faces/owner/1", "ada")
        let proof = isSystem ? [Machine.password] : []
        guard try owner.isDone(.setPasscode, typing: proof + [Self.word, Self.word]) else { throw Peer.Surprise(what: "not set") }
        // The first use asks for leave, which lasts: the passcode gives it.
        let leave = try owner.evaluate(typing: [Self.word], .biometrics)
        guard leave == .success(.biometry) else { throw Peer.Surprise(what: "no leave: \(leave), \(owner.notices)") }
    }

    deinit {
        owner.end()
        reader?.killed()
    }

    /// The reader's broker on that machine, which has no bus.
    private static func broker(_ machine: Machine) throws -> Child {
        var ends: [Int32] = [-1, -1]
        guard thumb_pipe2(&ends, O_CLOEXEC) == 0 else { throw CannotStart(program: "a pipe") }
        defer { close(ends[0]) }
        let words = [
            Machine.program("thumbturn-reader"), "--socket", machine.root.appending(path: "run/reader").path, "--bus",
            "unix:path=/nowhere/bus", "--idle", "0", "--ready-fd", "3",
        ]
        let child = try machine.start(words, passing: ends[1])
        close(ends[1])
        var byte: UInt8 = 0
        guard CThumbLinux.read(ends[0], &byte, 1) == 1 else { throw CannotStart(program: "thumbturn-reader") }
        return child
    }

    // MARK: What is on the machine

    /// Whatever this process's umask is.
    func write(_ name: String, _ text: String) throws {
        try machine.write(name, text)
        try allow(name, 0o644)
    }

    func allow(_ name: String, _ mode: mode_t) throws {
        guard chmod(machine.etc.appending(path: name).path, mode) == 0 else { throw Errno(thumb_errno()) }
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(at: machine.etc.appending(path: name)) }

    /// What the administrator's file says.
    func name(_ text: String) throws { try write("thumbturn/face-models", text) }

    /// Another face is before the camera, and is the only one that the module knows.
    func swap(to face: String) throws {
        try write("faces/owner/1", face)
        try write("scene", face)
    }

    // MARK: What an app sees

    var capability: Capability {
        get throws {
            guard case .capability(let found) = try owner.ask(.capability(context: 1, policy: Policy.biometrics.rawValue)) else {
                throw Peer.Surprise(what: "no capability")
            }
            return found
        }
    }

    /// Whether a face is recognized as the owner's.
    func evaluate() throws -> Result<Factor, EvaluationFailure> { try owner.evaluate(typing: [], .biometrics) }

    private static func name(_ account: String) -> Attributes { [.account: .text(account), .service: .text("tests")] }

    /// Keeps an item; nil where that is done.
    func add(_ account: String, _ constraints: Constraints) throws -> KeychainFailure? {
        let item = NewItem(
            itemClass: .genericPassword, attributes: Self.name(account), rule: try AccessRule(.whenUnlocked, constraints),
            secret: secret("wine"))
        switch try owner.ask(.add(item)) {
        case .page: return nil
        case .failed(let failure): return failure
        case let other: throw Peer.Surprise(what: "\(other)")
        }
    }

    /// The secret of an item, or why not. An item that isn't found is no failure of the call's.
    func read(_ account: String) throws -> Result<String, KeychainFailure> {
        let query = Query(itemClass: .genericPassword, attributes: Self.name(account), shape: .data)
        switch try owner.ask(.find(query)) {
        case .page(let items, _):
            guard let found = items.first?.secret else { return .failure(.itemNotFound) }
            return .success(String(decoding: found.plainBytes(in: 0..<found.count), as: UTF8.self))
        case .failed(let failure): return .failure(failure)
        case let other: throw Peer.Surprise(what: "\(other)")
        }
    }
}
