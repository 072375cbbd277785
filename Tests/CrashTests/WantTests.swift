import Foundation
import Testing
import thumbturn_test_daemon
import thumbturn_test_programs

/// Want of memory, of disk and of descriptors is said as what it is, and costs nobody anything.
@Suite(.timeLimit(.minutes(60))) struct WantTests {
    private static let acts = isWhole ? 100_000 : 3000

    @Test(
        "eight users lose nothing, and nothing of theirs is called damaged, while memory, disk and descriptors run out at random")
    func random() async {
        // The same each time in the sample, so that it never depends on luck; another each time in the whole.
        let (seed, acts) = (Seed.chosen(for: "want", usually: isWhole ? nil : 1), Self.acts)
        let report = NSTemporaryDirectory() + "want-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: report) }
        let result = await #expect(processExitsWith: .success) {
            [seed = seed as UInt64, acts = acts as Int, report = report as String] in
            var said = ""
            do {
                var run = try WantRun(seed: seed)
                let (done, wanted) = try run.run(acts)
                said = "\(acts) acts, \(done) acknowledged, \(wanted) refused for want of something"
                // Else it would show nothing.
                if done < acts / 3 || wanted < acts / 20 { said = "too little was tried: " + said }
            } catch {
                said = "wrong: \(error)"
            }
            try Data(said.utf8).write(to: URL(filePath: report))
            exit(said.hasPrefix("\(acts)") ? EXIT_SUCCESS : EXIT_FAILURE)
        }
        print("want: " + ((try? String(contentsOfFile: report, encoding: .utf8)) ?? "it ended without a word"))
        Tally.note("want", acts)
        Tally.note("lost", result == nil ? 1 : 0)
    }
}
