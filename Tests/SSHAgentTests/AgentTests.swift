import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbCrypto
import ThumbLoop
import ThumbSSHAgent
import thumbturn_test_programs

@testable import ThumbSSHAgentServer
@testable import thumbturn

extension OnDevice {
    @Suite("The agent's socket") struct AgentTests {
        private static let failure: [UInt8] = [5]

        private func signature(_ reply: [UInt8]?) -> [UInt8]? {
            guard let reply, reply.first == 14 else { return nil }
            return Array(reply.dropFirst(5))
        }

        @Test("It offers its keys by name, and no key that wasn't made for it")
        func identities() async throws {
            try await withAgent { stand in
                let keys = [try stand.key("home"), try stand.key("work", "none")]
                let peer = try Peer(stand)
                let expected = AgentReply.identities(keys.map { SSHIdentity(blob: $0.blob, comment: $0.name) })
                #expect(await peer.ask([11]) == Array(expected.frame.dropFirst(4)))
                #expect(stand.device.prompts.isEmpty)
            }
        }

        @Test("A signature is the key's over the data, and its owner was asked")
        func signs() async throws {
            try await withAgent { stand in
                let key = try stand.key("work")
                let peer = try Peer(stand)
                let data = Wire.message()
                stand.device.answer(.match, .cancel)
                let blob = try #require(signature(await peer.ask(Wire.sign(data, key: key.blob))))
                #expect(try proof(key.blob, data, blob).isGenuine)
                #expect(await peer.ask(Wire.sign(data, key: key.blob)) == Self.failure)
                let reason = try #require(stand.device.prompts.first?.reason)
                #expect(reason.hasPrefix("give a signature for 'git', with the SSH key 'work', for "))
                #expect(reason.hasSuffix("(process \(getpid()))"))
                #expect(stand.device.prompts.count == 2)
                #expect(stand.lines == ["no signature for process \(getpid()): Cancelled."])
            }
        }

        @Test("A key without protection signs unasked, but not what could be anything")
        func unasked() async throws {
            try await withAgent { stand in
                let key = try stand.key("work", "none")
                let peer = try Peer(stand)
                #expect(signature(await peer.ask(Wire.sign(Wire.message(), key: key.blob))) != nil)
                #expect(await peer.ask(Wire.sign([1, 2, 3], key: key.blob)) == Self.failure)
                #expect(await peer.ask(Wire.sign(Wire.message(), key: Wire.key)) == Self.failure)
                #expect(await peer.ask(Wire.sign(Wire.message(), key: key.blob, flags: 2)) == Self.failure)
                #expect(
                    stand.lines.map { String($0.drop { $0 != ":" }) } == [
                        ": " + AgentRefusal.unknownForm.reason, ": " + AgentRefusal.unknownKey.reason,
                    ])
                #expect(stand.device.prompts.isEmpty)
            }
        }

        @Test("A key that is removed while the agent runs signs nothing any more")
        func removed() async throws {
            try await withAgent { stand in
                let key = try stand.key("work", "none")
                let peer = try Peer(stand)
                #expect(signature(await peer.ask(Wire.sign(Wire.message(), key: key.blob))) != nil)
                try key.remove()
                #expect(await peer.ask(Wire.sign(Wire.message(), key: key.blob)) == Self.failure)
                #expect(await peer.ask([11]) == [12, 0, 0, 0, 0])
            }
        }

        @Test("Requests that an agent needn't know fail, and the connection goes on")
        func others() async throws {
            try await withAgent { stand in
                let peer = try Peer(stand)
                for kind in [1, 17, 18, 19, 22, 23, 25, 200] as [UInt8] { #expect(await peer.ask([kind, 9]) == Self.failure) }
                #expect(await peer.ask([27] + Wire.string("query")) == Self.failure)
                #expect(await peer.ask([13, 1]) == Self.failure)
                #expect(await peer.ask([11]) == [12, 0, 0, 0, 0])
            }
        }

        @Test("A false binding fails, and after it nothing is signed on that connection")
        func binding() async throws {
            try await withAgent { stand in
                let key = try stand.key("work", "none")
                let peer = try Peer(stand)
                #expect(await peer.ask(Wire.binding()) == Self.failure)
                #expect(await peer.ask(Wire.sign(Wire.message(), key: key.blob)) == Self.failure)
                #expect(try await signature(Peer(stand).ask(Wire.sign(Wire.message(), key: key.blob))) != nil)
            }
        }

        @Test(
            "A binding takes the host's own signature over that session, whatever kind of key the host has",
            arguments: ["ecdsa-sha2-nistp256", "rsa-sha2-256", "rsa-sha2-512"])
        func hostSignatures(algorithm: String) async throws {
            let host = try SigningHost(algorithm)
            let (right, other) = (try host.signature(Wire.session), try host.signature(Wire.otherSession))
            try await withAgent { stand in
                let key = try stand.key("work", "none")
                let peer = try Peer(stand)
                #expect(await peer.ask(Wire.binding(host.blob, signature: other)) == Self.failure)
                #expect(await peer.ask(Wire.sign(Wire.message(), key: key.blob)) == Self.failure)
                #expect(try await Peer(stand).ask(Wire.binding(host.blob, signature: right)) == [6])
            }
        }

        @Test(
            "A length over the limit or of nothing ends the connection before a byte more is read",
            arguments: [[0xff, 0xff, 0xff, 0xff], [0, 4, 0, 1], [0, 0, 0, 0], [0x80, 0, 0, 0]] as [[UInt8]])
        func lengths(head: [UInt8]) async throws {
            try await withAgent { stand in
                let peer = try Peer(stand)
                peer.send(head)
                #expect(await peer.isClosed())
                #expect(try await Peer(stand).ask([11]) != nil)
            }
        }

        @Test("A frame of 256 KiB is read")
        func longest() async throws {
            try await withAgent { stand in
                let body = [UInt8](repeating: 200, count: AgentLimit.frameBytes)
                let peer = try Peer(stand)
                #expect(await peer.ask(body) == Self.failure)
            }
        }

        @Test("Who begins a frame and doesn't go on is hung up on; who says nothing yet isn't, and disturbs nobody")
        func slow() async throws {
            try await withAgent(secondsForFrame: 1) { stand in
                let (silent, begun, halfway) = (try Peer(stand), try Peer(stand), try Peer(stand))
                begun.send([0])
                halfway.send([0, 0, 0, 9, 11])
                #expect(try await Peer(stand).ask([11]) != nil)
                #expect(await begun.isClosed())
                #expect(await halfway.isClosed())
                #expect(await silent.ask([11]) != nil)
            }
        }

        @Test("Who doesn't read its answers is hung up on")
        func unread() async throws {
            try await withAgent(secondsForFrame: 1) { stand in
                let peer = try Peer(stand)
                // Otherwise the test would wait as long as an agent that only waits.
                UnixSocket.limitWriting(peer.fd, seconds: 60)
                let reason = await onThread { () -> Int32 in
                    let request = Wire.string([200])
                    while true {
                        let count = request.withUnsafeBytes { send(peer.fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                        if count < 0 && errno != EINTR { return errno }
                    }
                }
                #expect(reason == EPIPE || reason == ECONNRESET)
            }
        }

        @Test("While one client waits for a finger, others are served")
        func parallel() async throws {
            try await withAgent { stand in
                let (asking, silent) = (try stand.key("asking"), try stand.key("silent", "none"))
                let (first, second) = (try Peer(stand), try Peer(stand))
                stand.device.answer(.nothing)
                first.send(Wire.string(Wire.sign(Wire.message(), key: asking.blob)))
                try await until("nobody was asked") { !stand.device.prompts.isEmpty }
                #expect(await second.ask([11]) != nil)
                #expect(signature(await second.ask(Wire.sign(Wire.message(), key: silent.blob))) != nil)
                #expect(stand.device.prompts.last?.outcome == nil)
                stand.device.answer(.match)
                #expect(signature(await first.answer()) != nil)
            }
        }

        @Test("Two clients that want a finger get one each, one after the other")
        func queued() async throws {
            try await withAgent { stand in
                let key = try stand.key("work")
                stand.device.answer(.match, .match)
                let peers = [try Peer(stand), try Peer(stand)]
                for peer in peers { peer.send(Wire.string(Wire.sign(Wire.message(), key: key.blob))) }
                for peer in peers { #expect(signature(await peer.answer()) != nil) }
                #expect(stand.device.prompts.count == 2)
            }
        }

        @Test("When a caller goes away, its prompt goes too")
        func hangUp() async throws {
            try await withAgent { stand in
                let key = try stand.key("work")
                var peer: Peer? = try Peer(stand)
                stand.device.answer(.nothing)
                peer?.send(Wire.string(Wire.sign(Wire.message(), key: key.blob)))
                try await until("nobody was asked") { !stand.device.prompts.isEmpty }
                peer = nil
                try await until("the prompt stayed") { stand.device.prompts.last?.outcome == .cancelled }
            }
        }

        @Test("After a start of the device the passcode opens the key, once")
        func restarted() async throws {
            try await withAgent { stand in
                let key = try stand.key("work")
                stand.device.restart()
                stand.device.answer(.passcode("1234"))
                #expect(try await signature(Peer(stand).ask(Wire.sign(Wire.message(), key: key.blob))) != nil)
                #expect(stand.device.prompts.count == 1)
            }
        }

        @Test("Nobody of another user is heard, even where the file system lets them in")
        func strangers() async throws {
            try await withAgent { stand in
                try stand.key("work")
                try #require(chmod(stand.folder.path, 0o755) == 0 && chmod(stand.path, 0o777) == 0)
                let ours = try await stand.run("ssh-add", "-l")
                #expect(ours.status == 0)
                let theirs = try await stand.run(
                    "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "ssh-add", "-l")
                #expect(theirs.status != 0 && !theirs.output.contains("SHA256:"), "\(theirs.output)")
            }
        }
    }

    @Suite("Where the agent listens") struct AgentSocketTests {
        @Test("The socket is its user's alone, and no agent takes a living one's place")
        func alive() async throws {
            try await withAgent { stand in
                var status = stat()
                try #require(stat(stand.path, &status) == 0)
                #expect(status.st_mode & 0o777 == 0o600)
                #expect(throws: AgentSocketFailure.agentRuns) { try AgentSocket.made(at: stand.path) }
                #expect(try await Peer(stand).ask([11]) != nil)
            }
        }

        @Test("A dead agent's socket is replaced; anything else is left alone")
        func dead() async throws {
            try await withAgent { stand in
                let path = stand.folder.appending(path: "other").path
                close(try UnixSocket.listen(at: path).get())
                let socket = try AgentSocket.made(at: path)
                socket.remove()
                #expect(!FileManager.default.fileExists(atPath: path))
                try stand.write("mine", to: "other")
                #expect(throws: AgentSocketFailure.inTheWay) { try AgentSocket.made(at: path) }
                #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
            }
        }

        @Test(
            "A dead socket of another user's is left alone",
            .enabled(if: getuid() == 0, "takes root, to be somebody else as well"))
        func anothers() async throws {
            try await withAgent { stand in
                let path = stand.folder.appending(path: "other").path
                close(try UnixSocket.listen(at: path).get())
                try #require(chown(path, 65534, 65534) == 0)
                #expect(throws: AgentSocketFailure.inTheWay) { try AgentSocket.made(at: path) }
                #expect(FileManager.default.fileExists(atPath: path))
            }
        }

        @Test("Another agent's socket isn't removed by one that ends later")
        func replaced() async throws {
            try await withAgent { stand in
                let path = stand.folder.appending(path: "other").path
                let first = try AgentSocket.made(at: path)
                unlink(path)
                let second = try AgentSocket.made(at: path)
                first.remove()
                #expect(FileManager.default.fileExists(atPath: path))
                second.remove()
            }
        }

        @Test("A folder that others can enter is refused", arguments: [0o755, 0o710, 0o701, 0o1777])
        func open(mode: Int) async throws {
            try await withAgent { stand in
                let folder = stand.folder.appending(path: "open")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
                try #require(chmod(folder.path, mode_t(mode)) == 0)
                #expect(throws: AgentSocketFailure.folderIsOpen) { try AgentSocket.made(at: folder.path + "/agent") }
            }
        }
    }
}

/// A host that signs by that algorithm, with a key of its own.
private struct SigningHost {
    /// Its public key in SSH's form.
    let blob: [UInt8]
    private let key: PrivateKey
    private let algorithm: String

    init(_ algorithm: String) throws {
        self.algorithm = algorithm
        if algorithm == SSHForms.algorithm {
            key = try PrivateKey.generate(.elliptic(.p256))
            blob = try #require(SSHForms.publicKey(key.publicKey.external))
        } else {
            key = try PrivateKey.generate(.rsa(bits: 2048))
            // In PKCS#1's form the modulus begins at the ninth byte, with a zero for its sign. The exponent is 65537.
            blob = Wire.string("ssh-rsa") + Wire.string([1, 0, 1]) + Wire.string(Array(key.publicKey.external[8..<265]))
        }
    }

    func signature(_ session: [UInt8]) throws -> [UInt8] {
        let hash: HashFunction = algorithm == "rsa-sha2-512" ? .sha512 : .sha256
        let digest = try hash.hash(session)
        if algorithm == SSHForms.algorithm {
            let der = try key.signature(digest: digest, .ecdsa)
            return try #require(SSHForms.signature(der))
        }
        return Wire.string(algorithm) + Wire.string(try key.signature(digest: digest, .rsaPKCS1(hash)))
    }
}

/// A signature of the agent's, looked at as if a host had made it: hosts have such keys too.
private func proof(_ key: [UInt8], _ data: [UInt8], _ signature: [UInt8]) throws -> HostProof {
    var session = AgentSession()
    let binding = try AgentRequest.read(Wire.binding(key, data, signature: signature))
    guard case .bind(let bound) = binding else { throw AgentRefusal.malformed }
    var found: HostProof?
    try session.bind(bound) {
        found = $0
        return true
    }
    return try #require(found)
}
