import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbSecrets

@testable import ThumbClient

/// A call that the device can't have seen may be made again, however the client hears that the connection is lost.
@Suite("Calls that weren't sent", .timeLimit(.minutes(5))) struct UnsentTests {
    /// A connection that the loop reads, because a call is under way, and the device's end of it.
    private func watched() throws -> (connection: DeviceConnection, device: Int32, lost: DispatchSemaphore) {
        let (mine, theirs) = try UnixSocket.pair().get()
        let connection = DeviceConnection(mine, socket: nil, patience: nil)
        let lost = DispatchSemaphore(value: 0)
        try connection.start(WatchEnvironment()) { answer in
            guard case .failure = answer else { return .more }
            lost.signal()
            return .finished
        }
        return (connection, theirs, lost)
    }

    private func failure(_ connection: DeviceConnection) -> ClientError? {
        do throws(ClientError) {
            _ = try connection.call(GetStatus()) { (_: Frame) throws(ClientError) in true }
            return nil
        } catch {
            return error
        }
    }

    @Test("where the loop has heard of the loss before the call is made")
    func before() throws {
        let (connection, device, lost) = try watched()
        close(device)
        #expect(lost.wait(timeout: .now() + 60) == .success)
        #expect(failure(connection)?.nothingWasSent == true)
    }

    @Test("where the loop hears of the loss while the call waits that couldn't be written")
    func meanwhile() throws {
        let (connection, device, _) = try watched()
        // It takes no more words, and its end isn't told yet.
        #expect(shutdown(device, Int32(SHUT_RD)) == 0)
        let ended = DispatchSemaphore(value: 0)
        let found = Locked<ClientError?>(nil)
        Thread.detachNewThread {
            let failure = failure(connection)
            found.withLock { $0 = failure }
            ended.signal()
        }
        usleep(100_000)
        close(device)
        #expect(ended.wait(timeout: .now() + 60) == .success)
        #expect(found.withLock { $0 }?.nothingWasSent == true)
    }

    @Test("an evaluation that a device that is gone can't have seen is asked of the next one, and answered once")
    func evaluation() throws {
        let (devices, client) = try PlayedDevice.several(2)
        let (connected, heard) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let told = Locked<[EvaluationReply]>([])
        Thread.detachNewThread {
            _ = try? client.mode()
            connected.signal()
        }
        devices[0].say(Welcome(mode: .simulated), try devices[0].heard().call)
        #expect(connected.wait(timeout: .now() + 60) == .success)
        // Nobody reads this connection just now, so nobody knows of its end before the evaluation is written. A program that another test
        // starts may have a copy of the descriptor for a moment, so closing alone wouldn't end it.
        shutdown(devices[0].fd, Int32(SHUT_RDWR))
        close(devices[0].fd)
        UnixSocket.limitReading(devices[1].fd, seconds: 60)
        Thread.detachNewThread {
            let request = EvaluationRequest(
                context: 1, subject: .policy(.biometrics), words: PromptWords(reason: "open the vault"))
            client.evaluate(request) { reply in
                told.withLock { $0.append(reply) }
                heard.signal()
            }
        }
        devices[1].say(Welcome(mode: .simulated), try devices[1].heard().call)
        let asked = try devices[1].heard()
        #expect(asked.kind == .evaluate)
        let reply = EvaluationReply(result: .success(.biometry), kind: .touchID)
        devices[1].say(reply, asked.call)
        #expect(heard.wait(timeout: .now() + 60) == .success)
        #expect(told.withLock { $0 } == [reply])
        close(devices[1].fd)
    }

    @Test("what is longer than a frame may be is refused where it is sent, once, and the connection goes on")
    func tooLong() throws {
        let (devices, client) = try PlayedDevice.several(1)
        // With what stands around it, one byte too many.
        let bytes = try SecretBytes(count: WireLimit.frame - WireLimit.headBytes - 3) { _ in }
        let (found, told, ended) = (Locked<ClientError.Code?>(nil), Locked(0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            do throws(ClientError) {
                try client.echo(bytes) { _ in told.withLock { $0 += 1 } }
            } catch {
                let code = error.code
                found.withLock { $0 = code }
            }
            ended.signal()
        }
        devices[0].say(Welcome(mode: .simulated), try devices[0].heard().call)
        #expect(ended.wait(timeout: .now() + 60) == .success)
        #expect(found.withLock { $0 } == .refused(.tooLarge))
        Thread.detachNewThread {
            _ = try? client.status()
            ended.signal()
        }
        UnixSocket.limitReading(devices[0].fd, seconds: 60)
        #expect(try devices[0].heard().kind == .getStatus)
        // Every call that is under way is told of the end, and the one that was refused is none.
        close(devices[0].fd)
        #expect(ended.wait(timeout: .now() + 60) == .success)
        #expect(told.withLock { $0 } == 0)
    }
}
