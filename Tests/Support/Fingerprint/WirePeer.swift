import CThumbLinux
import Foundation
import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_programs
import thumbturn_test_wire

/// An app and its prompt by hand, over the wire: it blocks, so it wants a thread of its own.
public final class WirePeer: @unchecked Sendable {
    // @unchecked: used by one thread at a time.
    public struct Ended: Error {
        public init() {}
    }

    private let socket: String
    private let uid: UInt32
    private let fd: Int32
    private var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.frame)
    private var lastCall: UInt32 = 0
    private var beat: PromptBeat?
    /// Changes that were told while an answer was waited for.
    private var changes = 0
    /// The same of what happened to the session.
    private var events: [SessionEvent] = []
    /// What is typed at every prompt of this app's.
    public var passcode = "2580"
    /// Enrolling's progress, as it was told.
    public private(set) var progress: [EnrollingProgress] = []

    /// - Parameter uid: who it is to the daemon; another than one's own takes root.
    public init(
        _ socket: String, role: Hello = Hello(role: .app, label: "org.example.tests"), as uid: UInt32 = getuid()
    ) throws {
        (self.socket, self.uid) = (socket, uid)
        fd = try Self.connect(socket, uid, isPrompt: role.role == .prompt)
        try begin(role)
    }

    /// An app on a connection that somebody else hands to the daemon. It can answer no prompt.
    public init(on fd: Int32) throws {
        (socket, uid, self.fd) = ("", getuid(), fd)
        try begin(Hello(role: .app, label: "org.example.tests"))
    }

    private func begin(_ hello: Hello) throws {
        try say(.hello(hello), 0)
        guard case .welcome = try hear() else { throw Ended() }
    }

    deinit { close(fd) }

    /// The group that root vouches for prompts by, in a registry of the tests'.
    public static let promptGroup: UInt32 = 64_990

    /// A registry in which that group is a prompt's; its folder has to be root's alone.
    public static func registry(in folder: String) throws -> String {
        let path = folder + "/protected"
        try Data("\(promptGroup) prompt /usr/libexec/thumbturn/thumbturn-prompt\n".utf8).write(to: URL(filePath: path))
        return path
    }

    /// The kernel notes who connects, and each thread is its own user for that moment.
    private static func connect(_ socket: String, _ uid: UInt32, isPrompt: Bool) throws -> Int32 {
        if uid == getuid() { return try UnixSocket.connect(to: socket).get() }
        guard !isPrompt || ThreadUser.join(promptGroup), ThreadUser.become(uid) else { throw Ended() }
        defer {
            _ = ThreadUser.become(getuid())
            _ = ThreadUser.join(getgid())
            // Becoming another user takes that away, and other tests look into this process.
            _ = thumb_prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
        }
        return try UnixSocket.connect(to: socket).get()
    }

    public func say(_ word: some Word, _ call: UInt32) throws {
        let encoded = word.frame(call: call)
        var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
        let outcome = beat?.speak { frame.send(to: fd, waiting: true) } ?? frame.send(to: fd, waiting: true)
        guard outcome == .sent else { throw Ended() }
    }

    public func hear() throws -> Answer {
        while true {
            switch frames.read(from: fd, waiting: true) {
            case .frame(let body): return try Answer.read(body).answer
            default: throw Ended()
            }
        }
    }

    /// Asks, answers the prompt where it comes, and returns the answer that ends the call.
    public func ask(_ word: some Word) throws -> Answer {
        lastCall += 1
        try say(word, lastCall)
        // A prompt that goes takes its call with it: each stays until the call has ended.
        var prompts: [WirePeer] = []
        defer { prompts.removeAll() }
        while true {
            switch try hear() {
            case .promptNeeded(let ticket): prompts.append(try answerPrompt(ticket))
            case .enrolling(let step): progress.append(step)
            case .changed: changes += 1
            case .told(let event): events.append(event)
            case let answer: return answer
            }
        }
    }

    /// What happened to the session next, for an app that asked to be told.
    public func nextEvent() throws -> SessionEvent {
        while events.isEmpty { if case .told(let event) = try hear() { events.append(event) } }
        return events.removeFirst()
    }

    /// Waits until it is told of a change that it hasn't been told of here yet.
    public func awaitChange() throws {
        if changes > 0 {
            changes -= 1
            return
        }
        while true { if case .changed = try hear() { return } }
    }

    /// Types the passcode wherever one may be typed; where a finger is looked for, stands there and waits.
    private func answerPrompt(_ ticket: [UInt8]) throws -> WirePeer {
        let prompt = try WirePeer(socket, role: Hello(role: .prompt, ticket: ticket), as: uid)
        var content = try prompt.hear()
        // What isn't taken after so often never will be.
        var typed = 0
        while case .show(let shown) = content {
            if prompt.beat == nil {
                try prompt.say(.shown, 0)
                prompt.beat = PromptBeat(prompt.fd)
            }
            guard typed < 20 else { throw Ended() }
            if shown.listening != .none { return prompt }
            if shown.acceptsPasscode { typed += 1 }
            if shown.acceptsPasscode { try prompt.say(.typed(try SecretBytes(copying: Array(passcode.utf8))), 0) }
            content = try prompt.hear()
        }
        return prompt
    }
}
