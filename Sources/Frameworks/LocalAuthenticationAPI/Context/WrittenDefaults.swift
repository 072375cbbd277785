import Foundation
import ThumbSecrets

/// Puts an app's `UserDefaults.standard` on disk, as Apple's systems do by themselves.
///
/// Apps keep the last enrolment there, and when the owner was last seen. On Linux Foundation keeps what was set in memory until somebody
/// calls `synchronize()`, so an app that was written for Apple's systems would forget it at its end. This helps an app that reads a domain
/// state or evaluates something, and no other program. If nothing was set, nothing is written.
enum WrittenDefaults {
    /// How long after the app learned something: when it has kept that at once, and when it had a login of its own in between. What it
    /// keeps later is written at its end.
    private static let delays: [DispatchTimeInterval] = [.milliseconds(200), .seconds(5)]
    private static let queue = DispatchQueue(label: "thumbturn.defaults", qos: .utility)

    private struct Delay {
        /// How often somebody has asked.
        var asked: UInt64 = 0
        /// Whether a write is due.
        var isDue = false
    }

    private static let waiting = Locked(delays.map { _ in Delay() })

    /// Writes also at the process's end, unless a signal ends it.
    private static let atEnd: Void = {
        // Without room for one more function the defaults are written in time and not at the end.
        _ = atexit { _ = UserDefaults.standard.synchronize() }
    }()

    /// The app is about to learn something that apps keep. It may end as soon as it has.
    static func atTheEnd() { _ = atEnd }

    /// The app has learned something that apps keep.
    static func soon() {
        atTheEnd()
        for index in delays.indices {
            let begins = waiting.withLock { waiting in
                waiting[index].asked += 1
                defer { waiting[index].isDue = true }
                return !waiting[index].isDue
            }
            if begins { write(after: index) }
        }
    }

    private static func write(after index: Int) {
        let asked = waiting.withLock { $0[index].asked }
        queue.asyncAfter(deadline: .now() + delays[index]) {
            _ = UserDefaults.standard.synchronize()
            let isOver = waiting.withLock { waiting in
                // Whoever asked in between has kept it by the next time.
                waiting[index].isDue = waiting[index].asked != asked
                return !waiting[index].isDue
            }
            if !isOver { write(after: index) }
        }
    }
}
