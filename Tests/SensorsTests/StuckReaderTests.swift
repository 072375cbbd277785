import Testing
import ThumbAuthentication
import ThumbLoop
import thumbturn_test_fingerprint

@testable import ThumbSensors

extension OnABus {
    /// fprintd answers late or never, or always says that somebody else has the reader.
    @Suite("An fprintd that is stuck", .timeLimit(.minutes(5))) @OnLoop struct StuckReaderTests {
        /// A part that listens at an fprintd with such answers, and what it hears.
        private func listening(
            _ answers: [String: PlayedFprint.Answer]
        ) async throws -> (PlayedFprint, Fingerprint, Heard<BiometryReport>) {
            let fprint = try await PlayedFprint(on: try await FingerStage.start())
            fprint.answers = answers
            let (fingerprint, heard) = (fprint.fingerprint(), Heard<BiometryReport>())
            fingerprint.listen { heard.put($0) }
            return (fprint, fingerprint, heard)
        }

        @Test("a claim that isn't answered in time is given up with the connection, because fprintd may have made it")
        func claim() async throws {
            let (fprint, fingerprint, heard) = try await listening(["Claim": .never])
            defer { withExtendedLifetime((fprint, fingerprint)) {} }
            #expect(await fprint.unanswered.next() == "Claim")
            #expect(await becomes { fprint.left.unheard > 0 })
            // The next claim is another connection's.
            fprint.answers = [:]
            await fprint.verifying.next()
            try fprint.say("verify-match", at: 0)
            #expect(await heard.next() == .match(.unknown))
        }

        @Test("a release that isn't answered is made by closing the connection")
        func release() async throws {
            let (fprint, fingerprint, heard) = try await listening(["Release": .never])
            defer { withExtendedLifetime((fprint, fingerprint)) {} }
            await fprint.verifying.next()
            try fprint.say("verify-match", at: 0)
            #expect(await heard.next() == .match(.unknown))
            #expect(await fprint.unanswered.next() == "Release")
            #expect(await becomes { fprint.left.unheard > 0 })
        }

        @Test("a reader that another program keeps isn't waited for without end")
        func kept() async throws {
            let (fprint, fingerprint, heard) = try await listening(["Claim": .inUse])
            defer { withExtendedLifetime((fprint, fingerprint)) {} }
            guard await becomes({ heard.unheard > 0 }) else {
                Issue.record("it waits for a minute and longer")
                return
            }
            #expect(await heard.next() == .failed)
        }
    }
}
