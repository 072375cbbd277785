import Foundation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_fingerprint
import thumbturn_test_model

/// Looks at a house once a second: what is gone, how much memory it takes, and whether everybody is answered. Says each minute how it goes.
final class Monitor: @unchecked Sendable {
    // @unchecked: `run` has it to itself until it returns; the trend is read after that.

    /// Longer than any fault takes to be over: whoever waits so long waits for ever.
    static let hang = 180.0

    private let house: House
    private let users: [UInt32]
    private let report: Report
    private var trend = Trend()

    init(_ house: House, users: [UInt32], _ report: Report) { (self.house, self.users, self.report) = (house, users, report) }

    /// Runs until it is told to stop.
    func run(until isOver: Locked<Bool>) {
        let start = EventLoop.now
        var minutes = 0
        var earlier: [String: pid_t] = [:]
        while !isOver.withLock({ $0 }) {
            let now = house.processes
            for role in house.lost(of: earlier, now: now) {
                report.violated("the \(role) ended by itself")
                earlier[role] = nil
            }
            earlier.merge(now) { $1 }
            // The front, the broker, and a device for each user.
            let resident = house.resident(of: users.count + 2)
            if let resident { trend.add(resident, at: EventLoop.now) }
            let silent = report.silent(for: Self.hang, of: users)
            if !silent.isEmpty {
                for uid in silent { report.violated("user \(uid) has had no answer for \(Int(Self.hang)) s") }
                // Its thread never comes back.
                say("ended, because somebody hangs")
                exit(1)
            }
            if EventLoop.now - start >= Double(minutes + 1) * 60 {
                minutes += 1
                tell(minutes, resident)
            }
            usleep(1_000_000)
        }
    }

    private func tell(_ minutes: Int, _ resident: Double?) {
        let kinds = report.faultsByKind
        let faults = Fault.allCases.map { "\(kinds[$0] ?? 0) \($0.rawValue)" }.joined(separator: ", ")
        let memory = resident.map { String(format: "%.1f MiB", $0) } ?? "memory not known just now"
        say(
            "minute \(minutes): \(report.operations) operations, \(report.faults) faults (\(faults)), "
                + "\(report.violations) violations, \(memory)")
    }

    /// By how much memory has changed between the last two windows of so many seconds, as a part of it.
    func growth(over seconds: Double, until end: Double) -> Double? { trend.change(over: seconds, until: end) }
}
