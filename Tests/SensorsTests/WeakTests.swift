import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbLoop
import ThumbSensors
import thumbturn_test_fingerprint

extension OnABus {
    /// Who can't read the templates.
    @Suite("fprintd, its templates unread", .timeLimit(.minutes(10))) @OnLoop struct WeakTests {
        @Test("the enrolment is unknown, a finger matches all the same; allowed, names stand for it, and a swap goes unseen")
        func weak() async throws {
            let stage = try await FingerStage.start()
            let reader = try await Reader(templates: "/nowhere", on: stage)
            await reader.enroll(.rightIndex, scan: "ada")
            #expect(reader.fingerprint.enrolment == .unknown)
            let heard = reader.listen(["SCAN ada"])
            #expect(await heard.next() == .match(.unknown))
            reader.fingerprint.stop()
            reader.fingerprint.allowsWeakEnrolment = { true }
            guard case .known(let names) = reader.fingerprint.enrolment else {
                Issue.record("names were allowed to stand for the enrolment, and don't")
                return
            }
            _ = await reader.forget(nil)
            await reader.enroll(.rightIndex, scan: "eve")
            #expect(reader.fingerprint.enrolment == .known(names))
            await reader.enroll(.leftIndex, scan: "eve")
            #expect(reader.fingerprint.enrolment != .known(names))
        }

        @Test("a folder of templates that isn't fprintd's stands for nothing")
        func otherFolder() async throws {
            let stage = try await FingerStage.start()
            let reader = try await Reader(templates: stage.folder + "/services", on: stage)
            await reader.enroll(.rightIndex, scan: "ada")
            #expect(reader.fingerprint.enrolment == .unknown)
        }
    }
}
