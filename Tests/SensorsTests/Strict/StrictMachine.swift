import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_fingerprint
import thumbturn_test_programs
import thumbturn_test_wire

/// A machine on which the cases are answered: a simulated one, or a real daemon with stand-ins for reader, owner and login.
protocol StrictMachine: AnyObject, Sendable {
    /// Where its device listens.
    var socket: String { get }
    /// Prepares what the owner does next. A prompt's keys are pressed later, when it is there.
    @OnLoop func prepare(_ deeds: [StrictCase.Deed]) async throws
    /// What is pressed at a prompt for that deed, and the words that it is pressed after; nil if the deed needs no keys.
    func keys(for deed: StrictCase.Deed) -> (after: String, keys: String)?
    /// Something happens to it.
    @OnLoop func happens(_ event: String) async throws
    /// Whether everything that was prepared has been used, and no prompt is left.
    @OnLoop func isDone() async throws -> Bool
}

/// The passcode of every machine here.
let strictPasscode = "2580"

// MARK: Simulated

/// `thumbturn-simulator --as …`, a process of its own.
final class SimulatedSide: StrictMachine {
    private let folder: Scratch
    private let process: OwnProcess
    private let hands: Pipe
    var socket: String { folder.path + "/device/socket" }

    /// - Parameter described: the daemon that *this machine* has, if the device is to be as strict as that.
    static func start(as machine: String, described: String? = nil) async throws -> SimulatedSide {
        try await onThread { try SimulatedSide(machine, described) }
    }

    private struct NotReady: Error { let said: String }

    private init(_ machine: String, _ described: String?) throws {
        folder = try Scratch()
        (process, hands) = (OwnProcess(), Pipe())
        let own = folder.path + "/device"
        try FileManager.default.createDirectory(
            atPath: own, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        process.executableURL = builtPrograms.appending(path: "thumbturn-simulator")
        process.arguments = ["--folder", own, "--as", machine, "--passcode", strictPasscode]
        process.environment = ["TMPDIR": folder.path].merging(described.map { ["THUMBTURN_SOCKET": $0] } ?? [:]) { $1 }
        let said = Pipe()
        (process.standardInput, process.standardOutput, process.standardError) = (hands, said, FileHandle.nullDevice)
        try process.run()
        let line = String(decoding: said.fileHandleForReading.availableData, as: UTF8.self)
        guard line == "ready\n" else { throw NotReady(said: line) }
    }

    deinit {
        // It ends when its standard input does.
        try? hands.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private struct Refused: Error { let line, said: String }

    @discardableResult
    private func tell(_ line: String) throws -> String {
        let fd = try UnixSocket.connect(to: folder.path + "/device/control").get()
        defer { UnixSocket.close(fd) }
        writeQuietly(Array((line + "\n").utf8), to: fd)
        let answer = FileHandle(fileDescriptor: fd, closeOnDealloc: false).readDataToEndOfFile()
        let text = String(decoding: answer, as: UTF8.self)
        guard text.hasSuffix("ok\n") else { throw Refused(line: line, said: text) }
        return text
    }

    func prepare(_ deeds: [StrictCase.Deed]) async throws {
        let words = deeds.map { deed in
            switch deed {
            case .match: "match"
            case .miss: "no-match"
            case .passcode: "passcode \(strictPasscode)"
            case .cancel: "cancel"
            }
        }
        try await onThread { for word in words { try self.tell("answer \(word)") } }
    }

    func keys(for deed: StrictCase.Deed) -> (after: String, keys: String)? { nil }

    func happens(_ event: String) async throws {
        try await onThread {
            if event == "restart" {
                try self.tell("restart")
                return
            }
            try self.tell("lock")
            // Where there is a sensor, the session is unlocked by it.
            do { try self.tell("unlock") } catch is Refused { try self.tell("unlock \(strictPasscode)") }
        }
    }

    /// A prompt that found no answer is taken back by the simulator, and its case says so. An answer that found no prompt stays.
    func isDone() async throws -> Bool {
        let (prompts, unused) = try await onThread { (try self.tell("prompts"), try self.tell("unused")) }
        return unused == "0\nok\n" && !prompts.split(separator: "\n").contains { $0.hasPrefix("up ") }
    }
}

// MARK: Real

/// A real `thumbturnd` in user mode, without a TPM; with a reader, the real fprintd and a virtual reader behind it, and logind played.
final class RealSide: StrictMachine {
    private let folder: Scratch
    private let stage: FingerStage?
    private let reader: Reader?
    private let login: LogindStage?
    private let words: [String]
    private let daemon: Running
    let socket: String

    @OnLoop private final class Running {
        var daemon: Daemon?
        nonisolated init() {}
    }

    /// - Parameter tells: whether the daemon can read the reader's templates; nil: there is no reader.
    @OnLoop static func start(tells: Bool?) async throws -> RealSide {
        let folder = try Scratch()
        guard let tells else { return try await begun(RealSide(folder, nil, nil, nil, [])) }
        let stage = try await FingerStage.start()
        let reader = try await Reader(on: stage)
        await reader.enroll(.rightIndex, scan: "ada")
        let login = try await LogindStage(on: stage)
        let templates = tells ? stage.templates : folder.path + "/none"
        let words = [
            "--bus", stage.bus, "--bus-owner", "\(stage.user)", "--templates", templates, "--seat", "open",
        ]
        return try await begun(RealSide(folder, stage, reader, login, words))
    }

    private init(
        _ folder: Scratch, _ stage: FingerStage?, _ reader: Reader?, _ login: LogindStage?, _ words: [String]
    ) {
        (self.folder, self.stage, self.reader, self.login, self.words) = (folder, stage, reader, login, words)
        daemon = Running()
        socket = folder.path + "/socket"
    }

    @OnLoop private static func begun(_ side: RealSide) async throws -> RealSide {
        try await side.startDaemon()
        let socket = side.socket
        let set = try await onThread {
            let owner = try WirePeer(socket)
            owner.passcode = strictPasscode
            return try owner.ask(.setPasscode)
        }
        guard case .done = set else { throw WirePeer.Ended() }
        return side
    }

    @OnLoop private func startDaemon() async throws {
        daemon.daemon?.child.killed()
        let (path, words) = (folder.path, words)
        let started: Daemon = try #require(try await onThread { try Daemon.listening(state: path, words) })
        daemon.daemon = started
    }

    private struct NoReader: Error {}

    @OnLoop func prepare(_ deeds: [StrictCase.Deed]) async throws {
        let script: [String] = deeds.compactMap { deed in
            switch deed {
            case .match: "SCAN ada"
            case .miss: "SCAN eve"
            case .passcode, .cancel: nil
            }
        }
        if reader == nil && !script.isEmpty { throw NoReader() }
        reader?.hand.script = script
    }

    func keys(for deed: StrictCase.Deed) -> (after: String, keys: String)? {
        switch deed {
        case .match, .miss: nil
        case .passcode: ("Passcode: ", strictPasscode + "\r")
        case .cancel: ("Ctrl-C: ", "\u{3}")
        }
    }

    @OnLoop func happens(_ event: String) async throws {
        if event == "restart" { return try await startDaemon() }
        guard let login else { return }
        for isLocked in [true, false] {
            try await login.lock(isLocked)
            // A prompt that comes up before the daemon knows would be taken away.
            try await onThread { [socket] in try Self.waits(until: isLocked, socket) }
        }
    }

    private struct NotNoticed: Error { let isLocked: Bool }

    private static func waits(until isLocked: Bool, _ socket: String) throws {
        let peer = try WirePeer(socket)
        for _ in 0..<6000 {
            if case .status(let status) = try peer.ask(.status), status.isSessionLocked == isLocked { return }
            usleep(10_000)
        }
        throw NotNoticed(isLocked: isLocked)
    }

    /// Whether each key was asked for, who presses it sees.
    @OnLoop func isDone() async throws -> Bool { reader?.hand.script.isEmpty ?? true }
}
