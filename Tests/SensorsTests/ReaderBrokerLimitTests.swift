import CThumbLinux
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import thumbturn_test_fingerprint

@testable import ThumbSensors

extension OnABus.ReaderBrokerTests {
    @Test("a broker that goes away has answered everything that was asked about fingers: there is no reader")
    func gone() async throws {
        let (mine, theirs) = try UnixSocket.pair().get()
        let device = RemoteReader(reach: { mine }, log: { _ in })
        let (listed, forgotten) = (Heard<Result<EnrolledFingers, EnrollingFailure>>(), Heard<EnrollingFailure?>())
        let enrolling = Heard<EnrollingReport>()
        device.fingers { listed.put($0) }
        device.forget(nil) { forgotten.put($0) }
        device.enroll(.leftThumb) { enrolling.put($0) }
        close(theirs)
        for _ in 0..<3000 where min(listed.unheard, forgotten.unheard, enrolling.unheard) == 0 {
            await withCheckedContinuation { done in _ = EventLoop.shared.after(0.02) { done.resume() } }
        }
        // Nobody waits below for what hasn't come.
        try #require(listed.unheard == 1 && forgotten.unheard == 1 && enrolling.unheard == 1)
        #expect(await listed.next() == .failure(.noReader))
        #expect(await forgotten.next() == .noReader)
        #expect(await enrolling.next() == .ended(.noReader))
        withExtendedLifetime(device) {}
    }

    @Test("a broker that says nothing is given up: whoever asks about the sensor or its fingers goes on without a reader")
    func silent() async throws {
        let (mine, theirs) = try UnixSocket.pair().get()
        defer { close(theirs) }
        let device = RemoteReader(reach: { mine }, log: { _ in })
        let (looked, listed) = (Heard<Void>(), Heard<Result<EnrolledFingers, EnrollingFailure>>())
        device.prepare(isCasual: false) { looked.put(()) }
        device.fingers { listed.put($0) }
        let isAnswered = await becomes { looked.unheard == 1 && listed.unheard == 1 }
        try #require(isAnswered)
        #expect(await listed.next() == .failure(.noReader))
        #expect(device.presence == .unknown)
    }
}

extension OnABus.ReaderBrokerAttackTests {
    @Test("a connection that waits for the reader with as much as it may isn't heard until it has had it")
    func waits() async throws {
        let stand = try await BrokeredReader()
        let ada = await stand.seeing(1000)
        await stand.enroll(.rightIndex, scan: "ada", ada)
        let looking = Heard<Void>()
        stand.hand.onWanted = { looking.put(()) }
        let heard = stand.listen([], ada)
        await looking.next()
        let fd = try #require(stand.connection(of: 1001))
        defer { close(fd) }
        for call in 1...WireLimit.readerQuestions { BrokeredReader.tell(ForgetFinger(.leftThumb), fd, call: UInt32(call)) }
        // This one needs no turn at the reader, and would be answered at once.
        BrokeredReader.tell(ListFingers(), fd, call: 100)
        for _ in 0..<20 { _ = await stand.fingers(ada) }
        #expect(!UnixSocket.isReadable(fd) && heard.unheard == 0)
        stand.hand.onWanted = nil
        ada.stop()
        #expect(await becomes { UnixSocket.isReadable(fd) })
    }
}
