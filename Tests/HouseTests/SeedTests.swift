import Foundation
import Testing
import thumbturn_test_programs

/// Random tests: their seeds are printed and can be given, so that a failure can be looked at again.
@Suite("The seeds of random tests")
struct SeedTests {
    @Test("A seed that is given counts before the usual one, and either is printed")
    func chosen() {
        var told: [String] = []
        let tell = { (line: String) in told.append(line) }
        #expect(Seed.chosen(for: "a storm", usually: 3, given: nil, telling: tell) == 3)
        #expect(Seed.chosen(for: "a storm", usually: 3, given: "17", telling: tell) == 17)
        let own = Seed.chosen(for: "kills", given: nil, telling: tell)
        #expect(
            told == [
                "seed: a storm: 3; the same again with THUMBTURN_SEED=3\n",
                "seed: a storm: 17; the same again with THUMBTURN_SEED=17\n",
                "seed: kills: \(own); the same again with THUMBTURN_SEED=\(own)\n",
            ])
    }

    @Test("The same seed gives the same numbers")
    func same() {
        var (first, second) = (Dice(17), Dice(17))
        let (numbers, again) = ((0..<100).map { _ in first.next() }, (0..<100).map { _ in second.next() })
        #expect(numbers == again && Set(numbers).count == 100)
    }

    @Test("No test rolls dice that nobody could roll again")
    func others() throws {
        // Written in two parts, so that this file isn't found.
        let unseeded = ["SystemRandom" + "NumberGenerator(", ".shuffled" + "()", ".randomElement" + "()", "Dice(UInt64(" + "get"]
        let files = FileManager.default.enumerator(at: checkout.appending(path: "Tests"), includingPropertiesForKeys: nil)
        var looked = 0
        for case let file as URL in try #require(files) where file.pathExtension == "swift" {
            looked += 1
            let text = try String(contentsOf: file, encoding: .utf8)
            for word in unseeded where text.contains(word) { Issue.record("\(file.lastPathComponent): \(word)") }
        }
        #expect(looked > 300)
    }
}
