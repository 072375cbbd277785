import Foundation
import Testing
import ThumbAccess
import ThumbClient
import ThumbConversation
import ThumbLoop
import ThumbSecrets

/// What a provider hears of the items that it keeps, beside a device played by the test.
@Suite("Answers about kept items", .timeLimit(.minutes(5))) struct KeptItemsTests {
    @Test(
        "An answer about fewer or more items than were named isn't given out: nobody could tell which it is about",
        arguments: [[], [.free], [.free, .asks], [.free, .asks, .free]] as [[Readability]])
    func count(items: [Readability]) throws {
        let (devices, client) = try PlayedDevice.several(1)
        let told = Locked<Result<[Readability], KeychainFailure>?>(nil)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let reader = Reader(identity: "/usr/bin/reader", program: ProgramWords(path: "/usr/bin/reader", place: .system))
            let answer = Result { () throws(KeychainFailure) in try client.readable([[1], [2]], by: reader).items }
            told.withLock { $0 = answer }
            ended.signal()
        }
        devices[0].say(Welcome(mode: .simulated), try devices[0].heard().call)
        let asked = try devices[0].heard()
        #expect(asked.kind == .getReadable)
        devices[0].say(Readable(isOpen: true, items), asked.call)
        #expect(ended.wait(timeout: .now() + 60) == .success)
        let expected: Result<[Readability], KeychainFailure> = items.count == 2 ? .success(items) : .failure(.internalFailure)
        #expect(told.withLock { $0 } == expected)
    }
}
