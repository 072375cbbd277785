import CThumbLinux
import Foundation
import Testing
import ThumbLoop
import thumbturn_test_programs

@testable import ThumbClient

@Suite("Connecting to a device") struct ConnectingTests {
    @Test("while a thread connects to a device that says nothing, contexts are made and end without waiting for it")
    func others() throws {
        let (mine, theirs) = try UnixSocket.pair().get()
        let client = DeviceClient { mine }
        let (connected, used) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            _ = try? client.status()
            connected.signal()
        }
        // It has introduced itself, and waits for the welcome.
        var wait = pollfd(fd: theirs, events: Int16(POLLIN), revents: 0)
        #expect(poll(&wait, 1, 60_000) == 1)
        Thread.detachNewThread {
            client.introduce(as: "another name")
            client.release(context: client.makeContext())
            used.signal()
        }
        #expect(used.wait(timeout: .now() + 60) == .success, "a context waits for a connection that another thread makes")
        #expect(connected.wait(timeout: .now()) == .timedOut)
        close(theirs)
        #expect(connected.wait(timeout: .now() + 60) == .success)
    }

    @Test("a client with patience gives up a device that says nothing, and knows that from one that is gone")
    func patience() throws {
        let (mine, theirs) = try UnixSocket.pair().get()
        let silent = DeviceClient(patience: 1) { mine }
        let time = ContinuousClock().measure {
            #expect(throws: ClientError.self) { try silent.mode() }
        }
        #expect(time >= .seconds(0.9) && silent.foundSilence)
        close(theirs)
        let (other, gone) = try UnixSocket.pair().get()
        close(gone)
        let alone = DeviceClient(patience: 60) { other }
        #expect(throws: ClientError.self) { try alone.mode() }
        #expect(!alone.foundSilence)
    }

    @Test(
        "a forked child doesn't go on over its parent's connection, and the parent does",
        .enabled(if: !Sanitizer.isOn, "\(Sanitizer.reason)"))
    func forked() throws {
        let (mine, theirs) = try UnixSocket.pair().get()
        defer { close(theirs) }
        let connection = DeviceConnection(mine)
        try #require(connection.isUsable)
        // fork is hidden from Swift; the child runs nothing but a look at the connection and _exit.
        let child = thumb_syscall(Int(SYS_fork), 0, 0, 0, 0)
        if child == 0 { _exit(connection.isUsable ? 8 : 7) }
        var status: Int32 = 0
        #expect(waitpid(pid_t(child), &status, 0) == child)
        #expect(thumb_exited(status) != 0 && thumb_exit_status(status) == 7)
        #expect(connection.isUsable)
    }
}
