import CThumbLinux
import Foundation

/// A program that was started: what Foundation's `Process` is, without what makes that unfit for tests that start many at once.
///
/// `Process` learns of an end by a socket that every program started in the same moment inherits, and so from another thread's long-lived
/// server: it then waits for that one's end too. Here nothing is inherited that wasn't given, and a thread waits for the very process.
public final class OwnProcess: @unchecked Sendable {
    // @unchecked: what is set before `run` isn't touched after it; the ending is under its lock.
    public var executableURL: URL?
    public var arguments: [String]?
    /// The tests' own where it isn't set.
    public var environment: [String: String]?
    public var currentDirectoryURL: URL?
    /// A `Pipe`, a `FileHandle`, or nil for the tests' own.
    public var (standardInput, standardOutput, standardError): (Any?, Any?, Any?)
    /// Called once, on a thread of its own, when it has ended.
    public var terminationHandler: (@Sendable (OwnProcess) -> Void)?
    public private(set) var processIdentifier: pid_t = 0

    private let condition = NSCondition()
    private var status: Int32?

    public init() {}

    public func run() throws {
        guard let program = executableURL?.path else { throw CannotStart(program: "nothing") }
        guard FileManager.default.isExecutableFile(atPath: program) else { throw CannotStart(program: program) }
        let place = currentDirectoryURL.map { ["/usr/bin/env", "-C", $0.path] } ?? []
        processIdentifier = try spawn(
            place + [program] + (arguments ?? []), environment ?? ProcessInfo.processInfo.environment,
            [
                Self.given(standardInput, 0, reads: true), Self.given(standardOutput, 1, reads: false),
                Self.given(standardError, 2, reads: false),
            ], inOwnSession: false)
        // Their other ends are the program's alone now: who reads comes to an end with it.
        (standardInput as? Pipe)?.fileHandleForReading.closeFile()
        for case let pipe as Pipe in [standardOutput, standardError] { pipe.fileHandleForWriting.closeFile() }
        Thread.detachNewThread { [self] in
            let ended = waited(for: processIdentifier)
            condition.withLock {
                status = ended
                condition.broadcast()
            }
            terminationHandler?(self)
        }
    }

    private static func given(_ stream: Any?, _ own: Int32, reads: Bool) -> Given {
        switch stream {
        case let pipe as Pipe:
            .descriptor((reads ? pipe.fileHandleForReading : pipe.fileHandleForWriting).fileDescriptor)
        case let handle as FileHandle: handle === FileHandle.nullDevice ? .nothing : .descriptor(handle.fileDescriptor)
        default: .descriptor(own)
        }
    }

    public var isRunning: Bool { processIdentifier > 0 && condition.withLock { status == nil } }

    /// Its exit status, or 128 and the signal that ended it.
    public var terminationStatus: Int32 {
        guard let status = condition.withLock({ status }) else { preconditionFailure("it hasn't ended yet") }
        return status
    }

    public func waitUntilExit() {
        guard processIdentifier > 0 else { return }
        condition.withLock { while status == nil { condition.wait() } }
    }

    public func terminate() { if isRunning { kill(processIdentifier, SIGTERM) } }

    /// Runs it and waits for its end without holding a thread.
    public func ended() async throws -> Int32 {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Int32, any Error>) in
            terminationHandler = { done.resume(returning: $0.terminationStatus) }
            do { try run() } catch { done.resume(throwing: error) }
        }
    }
}
