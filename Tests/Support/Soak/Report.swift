import Foundation
import ThumbLoop
import ThumbSecrets

/// A line for whoever watches, at once.
func say(_ line: String) { FileHandle.standardOutput.write(Data("soak: \(line)\n".utf8)) }

/// What was done, what went wrong, and when each user last got an answer.
final class Report: Sendable {
    private struct State {
        var operations = 0
        var faults: [Fault: Int] = [:]
        var violations: [String] = []
        var latest: [UInt32: Double] = [:]
    }

    private let state = Locked(State())
    /// More than so many are counted and not printed.
    private static let printed = 50

    func did(_ uid: UInt32) {
        let now = EventLoop.now
        state.withLock { state in
            state.operations += 1
            state.latest[uid] = now
        }
    }

    func faulted(_ fault: Fault) { state.withLock { $0.faults[fault, default: 0] += 1 } }

    func violated(_ complaint: String) {
        let count = state.withLock { state in
            state.violations.append(complaint)
            return state.violations.count
        }
        if count <= Self.printed { say("violation: \(complaint)") }
    }

    var operations: Int { state.withLock { $0.operations } }
    var violations: Int { state.withLock { $0.violations.count } }
    var faults: Int { state.withLock { $0.faults.values.reduce(0, +) } }
    var faultsByKind: [Fault: Int] { state.withLock { $0.faults } }

    /// The users who have had no answer for so long.
    func silent(for seconds: Double, of users: [UInt32]) -> [UInt32] {
        let (now, latest) = (EventLoop.now, state.withLock { $0.latest })
        return users.filter { now - (latest[$0] ?? now) > seconds }
    }
}

struct SoakError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
