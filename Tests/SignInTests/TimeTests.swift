import Testing
import ThumbSignIn

@Suite("Times of signing in")
struct TimeTests {
    private let anna = AccountName("anna")!
    private let start = Moment(seconds: 1_800_000_000)

    private func challenge() throws -> ChallengeRecord {
        ChallengeRecord(given: try #require(Digest32([UInt8](repeating: 1, count: 32))), to: anna, for: .signIn, at: start)
    }

    private func judged(
        _ record: ChallengeRecord?, isUsed: Bool = false, by account: String = "anna", for purpose: Purpose = .signIn,
        after seconds: Int64 = 0
    ) throws -> SignInRefusal? {
        ChallengeRecord.refusal(
            of: record, isUsed: isUsed, by: try #require(AccountName(account)), for: purpose, at: start + seconds)
    }

    @Test("A challenge is good for its account and its purpose, for 60 seconds, once")
    func challenges() throws {
        let given = try challenge()
        #expect(given.expires == start + 60)
        #expect(try judged(given) == nil)
        #expect(try judged(given, after: 59) == nil)
        #expect(try judged(given, after: 60) == .challengeExpired)
        #expect(try judged(given, isUsed: true) == .challengeUsed)
        #expect(try judged(given, by: "Anna") == .challengeForeign)
        #expect(try judged(given, for: .register) == .purpose)
        #expect(try judged(nil) == .challengeUnknown)
    }

    @Test("What is wrong first in the order is the answer: account, purpose, time, use")
    func order() throws {
        let given = try challenge()
        #expect(try judged(given, isUsed: true, by: "boris", for: .register, after: 61) == .challengeForeign)
        #expect(try judged(given, isUsed: true, for: .register, after: 61) == .purpose)
        #expect(try judged(given, isUsed: true, after: 61) == .challengeExpired)
    }

    @Test("Three wrong passwords cost nothing, the 4th 2 seconds, each after it twice as long, up to 15 minutes")
    func delays() {
        #expect((0...3).map { PasswordDelay.seconds(afterMisses: $0) } == [0, 0, 0, 0])
        #expect((4...12).map { PasswordDelay.seconds(afterMisses: $0) } == [2, 4, 8, 16, 32, 64, 128, 256, 512])
        for misses in [13, 14, 64, 1_000_000, .max] { #expect(PasswordDelay.seconds(afterMisses: misses) == 900) }
        #expect(PasswordDelay.end(ofMiss: 4, at: start) == start + 2)
    }

    @Test("An attempt before its time isn't looked at, and one at its time is")
    func waits() {
        #expect(PasswordDelay.wait(until: start + 2, at: start) == 2)
        #expect(PasswordDelay.wait(until: start + 2, at: start + 1) == 1)
        #expect(PasswordDelay.wait(until: start + 2, at: start + 2) == nil)
        #expect(PasswordDelay.wait(until: start, at: start + 1) == nil)
    }

    private func session(_ kind: SessionKind, expires: Moment) -> SessionRecord {
        SessionRecord(account: anna, kind: kind, device: nil, began: start, expires: expires, tag: [])
    }

    @Test("A session lasts a day, is renewed by a day at a time, and ends thirty days after it first began")
    func sessions() {
        let day: Int64 = 86_400
        let first = session(.device, expires: SessionTimes.expiry(beginning: start))
        #expect(first.expires == start + day)
        #expect(!first.isExpired(at: start + (day - 1)))
        #expect(first.isExpired(at: start + day))
        #expect(SessionTimes.expiry(renewing: first, at: start + 10) == start + (day + 10))
        #expect(SessionTimes.expiry(renewing: first, at: start + 29 * day) == start + 30 * day)
        #expect(SessionTimes.expiry(renewing: first, at: start + (29 * day - 1)) == start + (30 * day - 1))
        #expect(SessionTimes.expiry(renewing: first, at: start + (30 * day - 1)) == start + 30 * day)
    }

    @Test("A password session is fresh for five minutes, however often it is renewed, and a device's never is")
    func freshness() {
        let password = session(.password, expires: start + 1_000_000)
        #expect(password.freshUntil == start + 300)
        #expect(password.isFresh(at: start + 299))
        #expect(!password.isFresh(at: start + 300))
        let device = session(.device, expires: start + 1_000_000)
        #expect(device.freshUntil == nil)
        #expect(!device.isFresh(at: start))
    }
}
