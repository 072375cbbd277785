import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbKeychain
import ThumbLoop
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_tpm

@testable import ThumbCustody

/// The keeper's program of this build, on a software TPM.
private final class KeeperProgram: Sendable {
    let child: Child
    let socket: String

    init(_ folder: Folder, tpm: String, _ more: [String] = ["--peer", "own"], idle: String = "0") throws {
        socket = folder.path + "/run/tpm"
        try FileManager.default.createDirectory(
            atPath: folder.path + "/state", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var ends: [Int32] = [-1, -1]
        guard thumb_pipe2(&ends, O_CLOEXEC) == 0 else { throw CannotStart(program: "a pipe") }
        defer { close(ends[0]) }
        child = try Child(
            "thumbturn-tpm",
            ["--socket", socket, "--state", folder.path + "/state", "--tpm", tpm, "--idle", idle, "--ready-fd", "3"] + more,
            passing: ends[1])
        close(ends[1])
        var byte: UInt8 = 0
        guard read(ends[0], &byte, 1) == 1 else { throw CannotStart(program: "thumbturn-tpm") }
    }

    func device(of uid: UInt32) -> RemoteTPM {
        RemoteTPM { [socket] in
            guard case .success(let fd) = UnixSocket.connect(to: socket) else { return nil }
            tell(Serve(uid: uid), fd)
            return fd
        }
    }
}

@Suite("The program of the TPM's keeper", .timeLimit(.minutes(10)))
struct KeeperProgramTests {
    private let digest = [UInt8](repeating: 7, count: 32)

    @Test("It serves, is killed in the middle, and goes on where it stood: keys, and what was guessed")
    func whole() async throws {
        let (tpm, folder) = (try SoftwareTPM(), try Folder())
        try await onThread {
            let guesser = try CarelessClient(RecordingTCTI(socket: tpm.socket))
            try guesser.lockAfter(12)
            guesser.leave()
            let program = try KeeperProgram(folder, tpm: "swtpm:" + tpm.socket)
            let (ada, eve) = (program.device(of: 1000), program.device(of: 1001))
            let key = try ada.makeKey()
            _ = try ada.sign(digest, with: key)
            let (secret, right, wrong) = (
                try SecretBytes.random(count: 32), try SecretBytes.random(count: 32), try SecretBytes.random(count: 32)
            )
            let seal = try eve.seal(secret, under: right, guardedBy: .guesses)
            for _ in 0..<3 { #expect(try eve.unseal(seal, under: wrong, guardedBy: .guesses) == nil) }
            program.child.killed()
            #expect((#expect(throws: TPMError.self) { try ada.sign(digest, with: key) })?.code == .lost)
            let after = try KeeperProgram(folder, tpm: "swtpm:" + tpm.socket)
            _ = try ada.sign(digest, with: key)
            #expect(throws: KeychainFailure.custodianLocked) { try eve.unseal(seal, under: right, guardedBy: .guesses) }
            // Told to end it ends well, and leaves nothing in the TPM.
            kill(after.child.pid, SIGTERM)
            #expect(after.child.end() == 0)
            #expect(try CarelessClient(RecordingTCTI(socket: tpm.socket)).held() == [])
            #expect(access(after.socket, F_OK) != 0)
        }
    }

    @Test("Without a connection for a while it ends; with one it stays")
    func idle() async throws {
        let (tpm, folder) = (try SoftwareTPM(), try Folder())
        try await onThread {
            for seconds in [0.5, 5, 30] {
                let program = try KeeperProgram(folder, tpm: "swtpm:" + tpm.socket, idle: "\(seconds)")
                let ada = program.device(of: 1000)
                defer {
                    ada.close()
                    #expect(program.child.end() == 0)
                }
                // On a busy machine it may have ended before anybody came: then it has longer.
                guard let key = try? ada.makeKey() else { continue }
                usleep(UInt32(seconds * 2_000_000))
                _ = try ada.sign(digest, with: key)
                return
            }
            Issue.record("nobody came in time")
        }
    }

    @Test("Nothing that it sealed or opened stays in its memory, nor half of it", .enabled(if: geteuid() == 0, "takes root"))
    func forgets() async throws {
        let (tpm, folder) = (try SoftwareTPM(), try Folder())
        try await onThread {
            let program = try KeeperProgram(folder, tpm: "swtpm:" + tpm.socket)
            let ada = program.device(of: 1000)
            var secrets: [SecretBytes] = []
            for guarding in SealGuard.allCases {
                let (secret, own) = (try SecretBytes.random(count: 32), try SecretBytes.random(count: 32))
                let seal = try ada.seal(secret, under: own, guardedBy: guarding)
                for _ in 0..<10 { #expect(try ada.unseal(seal, under: own, guardedBy: guarding) == secret) }
                secrets.append(secret)
            }
            #expect(secrets.count == 3)
            #expect(try left(of: secrets, in: program).isEmpty)
        }
    }

    @Test(
        "Nor what it has just sealed, or the authorization of a counter that it made",
        .enabled(if: geteuid() == 0, "takes root"))
    func forgetsAtOnce() async throws {
        let (tpm, folder) = (try SoftwareTPM(), try Folder())
        try await onThread {
            let program = try KeeperProgram(folder, tpm: "swtpm:" + tpm.socket)
            let ada = program.device(of: 1000)
            for guarding in SealGuard.allCases {
                let (secret, own) = (try SecretBytes.random(count: 32), try SecretBytes.random(count: 32))
                _ = try ada.seal(secret, under: own, guardedBy: guarding)
                #expect(try left(of: [secret, own], in: program).isEmpty, "\(guarding)")
            }
            let (own, other) = (try SecretBytes.random(count: 32), try SecretBytes.random(count: 32))
            let (counter, another) = ([UInt8](repeating: 7, count: 16), [UInt8](repeating: 9, count: 16))
            #expect(try ada.countUp(another, under: other) > 0)
            #expect(try ada.countUp(counter, under: own) > 0)
            // The stack's session keeps the last authorization until the next one (docs/contributors/threat-model.md). That one is of a
            // counter which is there already: making one would write over what was left of making the other.
            #expect(try ada.countUp(another, under: other) > 0)
            #expect(try left(of: [own], in: program).isEmpty)
        }
    }

    /// Which halves of these secrets are in the keeper's memory. It lets go of what it answered with a moment after the answer.
    private func left(of secrets: [SecretBytes], in program: KeeperProgram) throws -> Set<Int> {
        let halves = secrets.flatMap { [Data($0.plainBytes(in: 0..<16)), Data($0.plainBytes(in: 16..<32))] }
        var found: Set<Int> = [0]
        for _ in 0..<20 where !found.isEmpty { found = try MemoryImage(of: program.child.pid).found(halves) }
        return found
    }

    @Test("It takes root's connections alone", .enabled(if: geteuid() == 0, "takes root"))
    func peer() async throws {
        let (tpm, folder) = (try SoftwareTPM(), try Folder())
        try await onThread {
            let program = try KeeperProgram(folder, tpm: "swtpm:" + tpm.socket, [])
            _ = try program.device(of: 1000).makeKey()
            // The socket is root's alone; where it weren't, the kernel still says who connects.
            chmod(program.socket, 0o666)
            chmod(folder.path, 0o755)
            chmod(folder.path + "/run", 0o755)
            let script = """
                import socket, sys
                s = socket.socket(socket.AF_UNIX)
                s.connect(sys.argv[1])
                try:
                    s.sendall(bytes.fromhex("00000009" "c8" "00000001" "000003e8" "00000005" "eb" "00000002"))
                    print(len(s.recv(100)))
                except (BrokenPipeError, ConnectionResetError):
                    print(0)
                """
            let said = try Program.run(
                "/usr/bin/setpriv",
                ["--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", script, program.socket])
            #expect(String(decoding: said, as: UTF8.self) == "0\n")
            let own = try Program.run("/usr/bin/python3", ["-c", script, program.socket])
            #expect(String(decoding: own, as: UTF8.self) != "0\n")
        }
    }
}
