import CThumbLinux
import Foundation
import Testing
import ThumbLoop
import ThumbSSHAgent
import thumbturn_test_programs

@testable import ThumbSSHAgentServer

/// A keyring without keys.
private struct Empty: SSHKeyring {
    func keys() throws(KeyringFailure) -> [OfferedKey] { [] }
    func key(_ blob: [UInt8]) throws(KeyringFailure) -> OfferedKey? { nil }
    func signing(with key: OfferedKey) -> any KeyringSigning { preconditionFailure("there is no key") }
}

/// A keyring whose one key signs at once, although its owner is asked.
private struct Quick: SSHKeyring {
    private final class Signing: KeyringSigning {
        private let forgotten: @Sendable () -> Void
        init(_ forgotten: @escaping @Sendable () -> Void) { self.forgotten = forgotten }
        deinit { forgotten() }
        func sign(_ data: [UInt8], reason: String) throws(KeyringFailure) -> [UInt8] { [1] }
        func takeBack() {}
    }

    /// Called when nobody could take a signature back any more.
    let forgotten: @Sendable () -> Void

    func keys() throws(KeyringFailure) -> [OfferedKey] { [] }
    func key(_ blob: [UInt8]) throws(KeyringFailure) -> OfferedKey? { OfferedKey(blob: blob, name: "work", asksForOwner: true) }
    func signing(with key: OfferedKey) -> any KeyringSigning { Signing(forgotten) }
}

@Suite("The end of an SSH agent", .timeLimit(.minutes(5)))
struct EndTests {
    @Test("Whether a caller is still there is watched until its signature is made, and not for as long as it stays connected")
    func watching() async throws {
        let (kind, isForgotten) = try await onThread {
            let folder = FileManager.default.temporaryDirectory.appending(path: "turn-ssh-\(UInt32.random(in: 0 ... .max))")
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(at: folder) }
            let path = folder.appending(path: "agent").path
            let socket = try AgentSocket.made(at: path)
            defer { socket.remove() }
            let stop = eventfd(0, Int32(EFD_CLOEXEC))
            defer { close(stop) }
            let (isOver, forgotten) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let server = AgentServer(Quick { forgotten.signal() }) { _ in }
            try #require(
                AgentThread.start {
                    server.serve(socket.descriptor, until: stop)
                    isOver.signal()
                })
            let client = try UnixSocket.connect(to: path).get()
            let request = Wire.string(Wire.sign(Wire.message()))
            _ = send(client, request, request.count, Int32(MSG_NOSIGNAL))
            var answer = [UInt8](repeating: 0, count: 16)
            _ = recv(client, &answer, answer.count, 0)
            // The client stays. Its end would end the watch as well.
            let isForgotten = forgotten.wait(timeout: .now() + 60) == .success
            close(client)
            eventfd_write(stop, 1)
            isOver.wait()
            return (answer[4], isForgotten)
        }
        #expect(kind == 14 && isForgotten)
    }

    // The number of a connection that ends by itself is given to the next descriptor of the process.
    @Test("It ends its own connections, and nothing that has got the number of one since")
    func ends() async throws {
        let harmed = try await onThread {
            let folder = FileManager.default.temporaryDirectory.appending(path: "turn-ssh-\(UInt32.random(in: 0 ... .max))")
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(at: folder) }
            return try (0..<200).reduce(into: 0) { harmed, _ in harmed += try Self.round(in: folder) }
        }
        #expect(harmed == 0)
    }

    /// Ends an agent in the moment in which its clients go; how many of the sockets were ended that were made meanwhile.
    private static func round(in folder: URL) throws -> Int {
        let socket = try AgentSocket.made(at: folder.appending(path: "agent").path)
        defer { socket.remove() }
        let stop = eventfd(0, Int32(EFD_CLOEXEC))
        defer { close(stop) }
        let isOver = DispatchSemaphore(value: 0)
        let server = AgentServer(Empty()) { _ in }
        try #require(
            AgentThread.start {
                server.serve(socket.descriptor, until: stop)
                isOver.signal()
            })
        let clients = try (0..<32).map { _ in
            let client = try UnixSocket.connect(to: folder.appending(path: "agent").path).get()
            // It is served once it has its answer: there are no keys.
            let question: [UInt8] = [0, 0, 0, 1, 11]
            _ = send(client, question, question.count, Int32(MSG_NOSIGNAL))
            var answer = [UInt8](repeating: 0, count: 16)
            try #require(recv(client, &answer, answer.count, 0) > 0)
            return client
        }
        Thread.detachNewThread { eventfd_write(stop, 1) }
        var pairs: [[Int32]] = []
        for client in clients {
            close(client)
            var pair: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
            pairs.append(pair)
        }
        isOver.wait()
        defer { for end in pairs.joined() { close(end) } }
        return pairs.count { pair in
            var byte: UInt8 = 0
            return pair.contains { recv($0, &byte, 1, Int32(MSG_DONTWAIT)) == 0 }
        }
    }
}
