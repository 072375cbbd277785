import CThumbLinux
import Foundation
import Testing
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
}
