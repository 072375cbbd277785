import CThumbLinux
import Foundation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_fingerprint
import thumbturn_test_model
import thumbturn_test_programs

/// What goes wrong with a machine.
enum Fault: String, CaseIterable, Sendable {
    case device = "device killed"
    case front = "front killed"
    case reader = "broker killed"
    case disk = "disk full"
    case unplugged = "reader unplugged"
    case bus = "bus restarted"
    case clock = "clock set"
}

/// Has faults happen to a house, one after the other.
final class Faults {
    private let house: House
    private let fingers: Fingers
    private let users: [UInt32]
    private let report: Report
    private var dice: Dice
    private var deck = Deck(Fault.allCases)
    private let clock: SetClock

    init(_ house: House, _ fingers: Fingers, _ clock: SetClock, users: [UInt32], seed: UInt64, _ report: Report) {
        (self.house, self.fingers, self.clock, self.users, self.report) = (house, fingers, clock, users, report)
        dice = Dice(seed)
    }

    /// Has the next one happen, and takes away again what the owner of a machine would take away.
    func next() throws {
        guard let fault = deck.deal(&dice) else { return }
        let hasHappened: Bool =
            switch fault {
            case .device: house.killDevice(of: users[dice.roll(users.count)])
            case .front: try house.killFront()
            case .reader: try house.killReader()
            case .disk: try fillDisk()
            case .unplugged: try unplug()
            case .bus: try restartBus()
            case .clock: setClock()
            }
        if hasHappened { report.faulted(fault) }
    }

    /// What lasts is over.
    func end() { clock.set(seconds: 0) }

    private func setClock() -> Bool {
        // By a moment, hours or more than a year, forward and back.
        let most = [5, 86_400, 40_000_000][dice.roll(3)]
        clock.set(seconds: Int64(dice.roll(2 * most) - most))
        return true
    }

    private func fillDisk() throws -> Bool {
        try house.whileDiskIsFull { usleep(UInt32(3_000_000 + dice.roll(4_000_000))) }
        return true
    }

    private func unplug() throws -> Bool {
        let isOut = Locked(false)
        let (fingers, stage) = (fingers, house.stage)
        EventLoop.shared.sync { fingers.unplug(then: isOut) }
        // Users come to the reader every few seconds.
        for _ in 0..<600 where !isOut.withLock({ $0 }) { usleep(100_000) }
        EventLoop.shared.sync { fingers.leaveIn() }
        guard isOut.withLock({ $0 }) else {
            report.violated("nobody has come to the reader for a minute")
            return false
        }
        usleep(UInt32(2_000_000 + dice.roll(3_000_000)))
        // The virtual reader comes back with fprintd, which the bus starts again.
        let fprintd = try waiting { try await stage.fprintdProcess() }
        return kill(fprintd, SIGKILL) == 0
    }

    private func restartBus() throws -> Bool {
        house.stage.endBus()
        usleep(UInt32(dice.roll(2_000_000)))
        try house.stage.startBusAgain()
        let (fingers, stage) = (fingers, house.stage)
        try waiting { try await fingers.stand(at: stage) }
        return true
    }
}

/// The machine's clock as the programs that are started from now on see it: as many seconds ahead of the real one as a file says.
/// scripts/soak-clock.c is the library that reads the file.
final class SetClock: Sendable {
    private let file: Int32

    /// - Parameters:
    ///   - library: loaded before all others, by everything that is started in this mount namespace.
    ///   - path: the file that it reads.
    init(_ library: String, reading path: String) throws {
        file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { throw SoakError("\(path) can't be opened") }
        set(seconds: 0)
        try Data((library + "\n").utf8).write(to: URL(filePath: "/etc/ld.so.preload"))
    }

    deinit { close(file) }

    func set(seconds: Int64) {
        var seconds = seconds
        _ = pwrite(file, &seconds, MemoryLayout<Int64>.size, 0)
    }
}
