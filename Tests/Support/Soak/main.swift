import Foundation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_fingerprint
import thumbturn_test_model

// `make soak`: eight users of system mode for half an hour, with faults, held against a model of what each may see. scripts/soak prepares
// the machine that it believes to be on, and says what is needed.

enum Soak {
    /// The users that scripts/soak gives the machine.
    static let users = (1...8).map { UInt32(63_000 + $0) }
    /// By how much the memory of the two windows at the end may differ, as a part of it.
    static let growth = 0.05
    /// How often something goes wrong, in seconds, where there is time for it.
    static let pause = 8.0

    /// Runs it all. Returns whether all is well.
    static func run(_ settings: Settings) throws -> Bool {
        let report = Report()
        say("seed \(settings.seed), \(Int(settings.seconds)) s, \(users.count) users")
        let stage = try waiting { try await FingerStage.start() }
        let fingers = Fingers()
        try waiting { try await fingers.stand(at: stage) }
        let clock = try SetClock(settings.folder + "/clock.so", reading: settings.folder + "/clock")
        let house = try House(in: settings.folder, on: stage)
        defer { house.end() }
        let people = users.map { User($0, in: house, seed: settings.seed &+ UInt64($0), report) }
        for user in people { try user.settleIn(fingers) }
        let before = rest(people, house, until: nil)
        say("everybody has settled in; descriptors: \(text(before))")

        let faults = Faults(house, fingers, clock, users: users, seed: settings.seed, report)
        let (monitor, end) = try load(people, house, faults, report, for: settings.seconds)
        faults.end()
        let after = rest(people, house, until: before)
        let window = min(600, settings.seconds / 3)
        return judge(settings, report, (before, after), monitor.growth(over: window, until: end))
    }

    /// Everybody at once, while faults happen. Returns who looked on, and when it ended.
    private static func load(
        _ people: [User], _ house: House, _ faults: Faults, _ report: Report, for seconds: Double
    ) throws -> (Monitor, end: Double) {
        let (isOver, done) = (Locked(false), DispatchSemaphore(value: 0))
        let monitor = Monitor(house, users: users, report)
        for user in people {
            Thread.detachNewThread {
                user.use(until: isOver)
                done.signal()
            }
        }
        Thread.detachNewThread {
            monitor.run(until: isOver)
            done.signal()
        }
        let start = EventLoop.now
        // A short run has each of them happen too.
        let pause = min(Self.pause, seconds / Double(Fault.allCases.count + 2))
        var failure: (any Error)?
        while failure == nil {
            Thread.sleep(forTimeInterval: max(0, min(pause, start + seconds - EventLoop.now)))
            guard EventLoop.now < start + seconds else { break }
            do { try faults.next() } catch { failure = error }
        }
        let end = EventLoop.now
        isOver.withLock { $0 = true }
        for _ in 0...people.count {
            guard done.wait(timeout: .now() + Monitor.hang) == .success else { throw SoakError("somebody hangs at the end") }
        }
        if let failure { throw failure }
        return (monitor, end)
    }

    /// Lets everybody look at all they have and leave. Returns how many descriptors each process has then, once that changes no more, or is
    /// what it is to be.
    private static func rest(_ people: [User], _ house: House, until wanted: [String: Int]?) -> [String: Int] {
        for user in people {
            user.lookAtAll()
            user.leave()
        }
        var (counts, isSame) = (house.descriptors, 0)
        for _ in 0..<240 where isSame < 10 && counts != wanted {
            Thread.sleep(forTimeInterval: 0.5)
            let now = house.descriptors
            isSame = wanted == nil && now == counts ? isSame + 1 : 0
            counts = now
        }
        return counts
    }

    private static func judge(
        _ settings: Settings, _ report: Report, _ descriptors: (before: [String: Int], after: [String: Int]), _ growth: Double?
    ) -> Bool {
        let areEqual = descriptors.before == descriptors.after && descriptors.before.count == users.count + 2
        if !areEqual { say("descriptors before: \(text(descriptors.before)); after: \(text(descriptors.after))") }
        let missing = Fault.allCases.filter { (report.faultsByKind[$0] ?? 0) == 0 }
        for fault in missing { say("it never happened: \(fault.rawValue)") }
        if report.operations == 0 { say("nothing was done") }
        let minutes =
            settings.seconds.truncatingRemainder(dividingBy: 60) == 0
            ? "\(Int(settings.seconds / 60))" : String(format: "%.1f", settings.seconds / 60)
        let memory = growth.map { String(format: "memory %+.1f %%", $0 * 100) } ?? "memory not known"
        say(
            "\(minutes) minutes, \(users.count) users, \(report.operations) operations, \(report.faults) faults, "
                + "\(report.violations) violations, descriptors \(areEqual ? "equal" : "not equal"), \(memory)")
        return areEqual && missing.isEmpty && report.operations > 0 && report.violations == 0
            && growth.map { abs($0) <= Self.growth } == true
    }

    private static func text(_ counts: [String: Int]) -> String {
        counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}

do {
    let isWell = try Soak.run(try Settings(Array(CommandLine.arguments.dropFirst())))
    // What the stage started ends, and its folder goes.
    Thread.sleep(forTimeInterval: 1)
    exit(isWell ? 0 : 1)
} catch {
    say("it can't go on: \(error)")
    exit(2)
}
