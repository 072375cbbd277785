import Testing
import ThumbAccess
import ThumbCompanion
import ThumbLoop
import ThumbSimulation

@testable import ThumbService

@Suite("Frames of a pairing", .timeLimit(.minutes(1))) @OnLoop struct PairingFramesTests {
    @Test("as many frames as a pairing has are kept, what comes beside them is dropped")
    func most() async throws {
        let frames = PairingFrames()
        for number in UInt8(0)..<20 { frames.put([number]) }
        for number in UInt8(0)..<8 { #expect(try await frames.next() == [number]) }
        frames.put([100])
        #expect(try await frames.next() == [100])
    }

    @Test("a time that ran out while nobody waited is over for whoever waits next")
    func over() async throws {
        let (frames, clock) = (PairingFrames(), SimulatedClock())
        frames.limit(clock)
        clock.advance(by: CompanionLimit.secondsToPair)
        await #expect(throws: KeychainFailure.interactionNotAllowed) { try await frames.next() }
    }
}
