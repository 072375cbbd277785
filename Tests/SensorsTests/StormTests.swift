import CThumbLinux
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbLoop
import ThumbSensors
import thumbturn_test_daemon
import thumbturn_test_fingerprint
import thumbturn_test_programs

extension OnABus {
    /// Many evaluations in a row, a quarter of them taken back at some moment, some with fprintd killed under them.
    @Suite("Storms at fprintd", .timeLimit(.minutes(5))) @OnLoop struct StormTests {
        /// When a watch is taken back.
        private enum Moment: CaseIterable { case atOnce, aStepLater, whenWanted, withTheFinger }

        @Test(
            "200 in a row, a quarter taken back: every reply right, and no claim left over: another program has the reader at its first word"
        )
        func storm() async throws {
            let reader = try await Reader()
            #expect(await reader.enroll(.rightIndex, scan: "ada").failure == nil)
            var dice = Dice(for: "a storm at fprintd", usually: 4)
            var (matches, misses, cancelled, killed, others) = (0, 0, 0, 0, 0)
            let wanted = Heard<Void>()
            for number in 0..<200 {
                let heard = Heard<BiometryReport>()
                if number % 4 == 3 {
                    let moment = Moment.allCases[dice.roll(Moment.allCases.count)]
                    reader.hand.script = []
                    reader.hand.onWanted = { wanted.put(()) }
                    reader.fingerprint.listen { heard.put($0) }
                    switch moment {
                    case .atOnce: break
                    case .aStepLater: await Task.yield()
                    case .whenWanted: await wanted.next()
                    case .withTheFinger:
                        await wanted.next()
                        reader.hand.show("SCAN ada")
                    }
                    reader.fingerprint.stop()
                    reader.hand.onWanted = nil
                    cancelled += 1
                    await reader.fingerprint.settle()
                    while wanted.unheard > 0 { await wanted.next() }
                    // Whatever came of it, nothing is heard of it after `stop`.
                    #expect(heard.unheard == 0)
                    #expect(try await reader.isUnclaimed())
                    if dice.roll(5) == 0 {
                        #expect(try await reader.isFree(scan: "ada"))
                        others += 1
                    }
                    continue
                }
                let isOwner = dice.roll(4) > 0
                reader.hand.script = isOwner ? ["SCAN ada"] : ["SCAN eve", "SCAN ada"]
                if number % 48 == 21 {
                    // Killed while it waits for a finger; the script goes on at the next one.
                    reader.hand.onWanted = { wanted.put(()) }
                    reader.fingerprint.listen { heard.put($0) }
                    await wanted.next()
                    reader.hand.onWanted = nil
                    kill(try await reader.stage.fprintdProcess(), SIGKILL)
                    killed += 1
                } else {
                    reader.fingerprint.listen { heard.put($0) }
                }
                if !isOwner {
                    #expect(await heard.next() == .miss)
                    misses += 1
                }
                #expect(await heard.next() == .match(reader.fingerprint.enrolment))
                matches += 1
                reader.fingerprint.stop()
            }
            #expect(matches == 150 && cancelled == 50 && killed == 4 && misses > 10)
            #expect(try await reader.isFree(scan: "ada"))
            #expect(others > 4)
            Tally.note("evaluations", 200)
        }
    }
}
