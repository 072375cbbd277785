import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_fingerprint
import thumbturn_test_programs

@testable import ThumbSensors

extension OnABus {
    /// The broker's program of this build.
    @Suite("The program of the reader's broker", .timeLimit(.minutes(10))) @OnLoop struct ReaderProgramTests {
        /// Starts it, and waits until it listens.
        private nonisolated static func started(_ stage: FingerStage, _ socket: String, _ more: [String]) async throws -> Child {
            let words = [
                "--socket", socket, "--bus", stage.bus, "--bus-owner", "\(stage.user)", "--templates", stage.templates,
                "--ready-fd",
                "3",
            ]
            return try await onThread {
                var ends: [Int32] = [-1, -1]
                guard thumb_pipe2(&ends, O_CLOEXEC) == 0 else { throw CannotStart(program: "a pipe") }
                defer { close(ends[0]) }
                let child = try Child("thumbturn-reader", words + more, passing: ends[1])
                close(ends[1])
                var byte: UInt8 = 0
                guard read(ends[0], &byte, 1) == 1 else { throw CannotStart(program: "thumbturn-reader") }
                return child
            }
        }

        private func device(_ socket: String) -> RemoteReader {
            RemoteReader(
                reach: {
                    guard case .success(let fd) = UnixSocket.connect(to: socket) else { return nil }
                    BrokeredReader.tell(Serve(uid: getuid()), fd)
                    return fd
                }, log: { _ in })
        }

        @Test("It enrolls, is killed in the middle of a watch, which fails, and the next one's watch matches; then it ends well")
        func whole() async throws {
            let stand = try await BrokeredReader()
            let socket = stand.stage.folder + "/run/reader"
            let first = try await Self.started(stand.stage, socket, ["--peer", "own", "--idle", "0"])
            let ada = device(socket)
            for _ in 0..<24 where ada.kind == .none { await stand.look(ada) }
            #expect(await stand.enroll(.rightIndex, scan: "ada", ada).failure == nil)
            let looking = Heard<Void>()
            stand.hand.onWanted = { looking.put(()) }
            let heard = stand.listen([], ada)
            await looking.next()
            stand.hand.onWanted = nil
            await onThread { first.killed() }
            #expect(await heard.next() == .failed)
            let second = try await Self.started(stand.stage, socket, ["--peer", "own", "--idle", "0"])
            for _ in 0..<24 where ada.kind == .none { await stand.look(ada) }
            guard case .match(.known) = await stand.listen(["SCAN ada"], ada).next() else {
                Issue.record("the next watch didn't match")
                return
            }
            kill(second.pid, SIGTERM)
            #expect(await onThread { second.end() } == 0)
        }
    }
}
