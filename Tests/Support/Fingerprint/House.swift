import CThumbLinux
import Foundation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_programs

/// System mode of this build: the front, whose children are the devices, and the reader's broker, on a bus of their own.
public final class House: Sendable {
    public let folder: String
    public let stage: FingerStage
    private let accounts: TrustingAccounts
    private let registry: String
    private struct Running {
        var front: Child?
        var reader: Child?
    }

    private let running = Locked(Running())
    /// What was ended here, so that any other end is told.
    private let ended = Locked<Set<pid_t>>([])
    /// Until then devices may end by themselves: a new front finds stores that the old one's devices still have.
    private let restless = Locked(0.0)

    public var socket: String { folder + "/run/socket" }
    public var disk: String { folder + "/disk" }

    public init(in folder: String, on stage: FingerStage) throws {
        (self.folder, self.stage) = (folder, stage)
        accounts = try TrustingAccounts()
        try FileManager.default.createDirectory(
            atPath: folder + "/run", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        registry = try WirePeer.registry(in: folder)
        try startReader()
        try startFront()
    }

    // MARK: Starting

    private func startReader() throws {
        let words = [
            "--socket", folder + "/run/reader", "--bus", stage.bus, "--bus-owner", "\(stage.user)", "--templates",
            stage.templates, "--idle", "0",
        ]
        let child = try Self.start("thumbturn-reader", words, accounts: nil)
        running.withLock { $0.reader = child }
    }

    private func startFront() throws {
        let words = [
            "--socket", socket, "--devices", disk + "/state", "--bus", stage.bus, "--bus-owner", "\(stage.user)",
            "--seat", "open", "--protected", registry, "--idle", "0",
        ]
        let child = try Self.start("thumbturn-front", words, accounts: accounts)
        running.withLock { $0.front = child }
    }

    /// Starts a program and waits until it listens.
    private static func start(_ program: String, _ words: [String], accounts: TrustingAccounts?) throws -> Child {
        let (reading, writing) = try makePipe()
        defer { close(reading) }
        let all = [builtPrograms.appending(path: program).path] + words + ["--ready-fd", "3"]
        let started = accounts?.starting(all) ?? all
        let child = try Child(started[0], Array(started.dropFirst()), passing: writing)
        close(writing)
        var byte: UInt8 = 0
        guard read(reading, &byte, 1) == 1 else { throw CannotStart(program: program) }
        return child
    }

    // MARK: Ending

    /// Whether there was one to be killed, as below.
    public func killFront() throws -> Bool {
        let wasThere = endFront()
        try startFront()
        return wasThere
    }

    public func killReader() throws -> Bool {
        let wasThere = endReader()
        try startReader()
        return wasThere
    }

    /// Kills it and starts no other.
    @discardableResult public func endFront() -> Bool {
        // The devices end with it.
        let now = EventLoop.now
        restless.withLock { $0 = now + 30 }
        note(Array(processes.values))
        return end(\.front)
    }

    @discardableResult public func endReader() -> Bool {
        if let reader = running.withLock({ $0.reader }) { note([reader.pid]) }
        return end(\.reader)
    }

    private func end(_ part: WritableKeyPath<Running, Child?>) -> Bool {
        let child = running.withLock { running in
            defer { running[keyPath: part] = nil }
            return running[keyPath: part]
        }
        child?.killed()
        return child != nil
    }

    /// Starts what was ended here.
    public func startWhatIsGone() throws {
        let (front, reader) = running.withLock { ($0.front, $0.reader) }
        if reader == nil { try startReader() }
        if front == nil { try startFront() }
    }

    public func killDevice(of uid: UInt32) -> Bool {
        guard let device = processes[Self.role(of: uid)] else { return false }
        note([device])
        return kill(device, SIGKILL) == 0
    }

    /// Fills the disk down to the last page, lets something happen, and makes room again.
    public func whileDiskIsFull(_ body: () throws -> Void) throws {
        let path = disk + "/filler"
        defer { unlink(path) }
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard file >= 0 else { throw CannotFill(errno: thumb_errno()) }
        defer { close(file) }
        for size in [1 << 20, 4096] {
            let zeros = [UInt8](repeating: 0, count: size)
            while zeros.withUnsafeBytes({ write(file, $0.baseAddress, $0.count) }) == size {}
        }
        guard thumb_errno() == ENOSPC else { throw CannotFill(errno: thumb_errno()) }
        try body()
    }

    public struct CannotFill: Error { let errno: Int32 }

    public func end() {
        let (front, reader) = running.withLock { ($0.front, $0.reader) }
        note(Array(processes.values))
        front?.killed()
        reader?.killed()
    }

    private func note(_ pids: [pid_t]) { ended.withLock { $0.formUnion(pids) } }

    // MARK: What runs

    public static func role(of uid: UInt32) -> String { "device of \(uid)" }

    /// Each process by what it is.
    public var processes: [String: pid_t] {
        let (front, reader) = running.withLock { ($0.front?.pid, $0.reader?.pid) }
        var found: [String: pid_t] = [:]
        if let reader, Self.isThere(reader) { found["reader"] = reader }
        guard let front, Self.isThere(front) else { return found }
        found["front"] = front
        for child in Self.children(of: front) {
            let words = (Self.text("/proc/\(child)/cmdline") ?? "").split(separator: "\0").map(String.init)
            if let place = words.firstIndex(of: "--device"), place + 1 < words.count, let uid = UInt32(words[place + 1]) {
                found[Self.role(of: uid)] = child
            }
        }
        return found
    }

    /// Which of these are gone although nobody ended them here.
    public func lost(of earlier: [String: pid_t], now: [String: pid_t]) -> [String] {
        let (mine, time) = (ended.withLock { $0 }, EventLoop.now)
        let isRestless = restless.withLock { time < $0 }
        return earlier.filter { role, pid in
            now[role] != pid && !mine.contains(pid) && !(isRestless && role.hasPrefix("device")) && !Self.isThere(pid)
        }.keys.sorted()
    }

    private static func children(of pid: pid_t) -> [pid_t] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return threads.flatMap { thread in
            (text("/proc/\(pid)/task/\(thread)/children") ?? "").split(separator: " ").compactMap { pid_t($0) }
        }
    }

    /// Whether it runs: one that has ended and that nobody waited for doesn't.
    private static func isThere(_ pid: pid_t) -> Bool {
        let state = text("/proc/\(pid)/stat")?.split(separator: ")").last?.split(separator: " ").first
        return state.map { $0 != "Z" && $0 != "X" } ?? false
    }

    private static func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    /// How many descriptors each of them has.
    public var descriptors: [String: Int] {
        processes.compactMapValues { try? FileManager.default.contentsOfDirectory(atPath: "/proc/\($0)/fd").count }
    }

    /// What all of them have in memory together, in MiB; nil unless so many are there.
    public func resident(of count: Int) -> Double? {
        let sizes = processes.values.compactMap { Self.kibibytes(of: $0) }
        return sizes.count == count ? sizes.reduce(0, +) / 1024 : nil
    }

    private static func kibibytes(of pid: pid_t) -> Double? {
        let lines = (text("/proc/\(pid)/status") ?? "").split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("VmRSS:") }) else { return nil }
        return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Double($0) }
    }
}
