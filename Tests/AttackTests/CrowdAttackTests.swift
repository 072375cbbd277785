import CThumbLinux
import Foundation
import Testing
import ThumbConversation
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_programs
import thumbturn_test_wire

@Suite(
    "A hundred hostile clients of two users", .enabled(if: getuid() == 0, "takes root and three users"), .timeLimit(.minutes(5)))
struct CrowdAttackTests {
    /// What the memory of the front and of each device stays below beside two stretches, and what one of those takes.
    private static let (most, stretch) = (64 << 10, 64 << 10)

    @Test(
        "with a hundred clients that announce, that don't read and that stop halfway, others are answered and memory stays small")
    func frames() async throws {
        let (peak, answers) = try await onThread {
            let machine = try SystemMachine()
            try machine.serve()
            let (honest, own) = (try machine.speaker(machine.ada), try machine.speaker(machine.eve))
            var answers = [try honest.say("add before value"), try own.say("add before value")]
            let crowd = try Crowd(machine, [machine.eve, machine.eve + 1])
            try crowd.greet()
            var peak = machine.greatestMemory()
            for round in 0..<20 {
                crowd.each { place, fd in
                    switch place % 4 {
                    // Half of a long frame, and then nothing.
                    case 0: if round == 0 { crowd.push([0, 32, 0, 0] + [UInt8](repeating: 2, count: 1 << 20), fd) }
                    // The length alone.
                    case 1: if round == 0 { crowd.push([0, 32, 0, 0], fd) }
                    // Answers that nobody reads.
                    default: for _ in 0..<50 { crowd.push(Crowd.echo(60_000), fd) }
                    }
                }
                peak = max(peak, machine.greatestMemory())
                answers += [try honest.say("read before"), try own.say("read before")]
                peak = max(peak, machine.greatestMemory())
            }
            return (peak, answers)
        }
        #expect(answers.prefix(2) == ["added before", "added before"])
        #expect(answers.dropFirst(2).allSatisfy { $0 == "secret value" })
        #expect(peak > 0 && peak < Self.most, "\(peak) KiB")
        let isRefused = answers.dropFirst(2).contains { $0 != "secret value" }
        Tally.attack(
            "announced and unread frames of a hundred clients keep an honest program from its answer", succeeded: isRefused)
        Tally.attack(
            "announced and unread frames of a hundred clients fill the memory of the front or a device",
            succeeded: peak >= Self.most)
    }

    @Test("with a hundred clients that set passwords as fast as they can, two are stretched at most, and others are answered")
    func stretches() async throws {
        let (peak, answers) = try await onThread {
            let machine = try SystemMachine()
            try machine.serve()
            let honest = try machine.speaker(machine.ada)
            var answers = [try honest.say("add before value")]
            let crowd = try Crowd(machine, [machine.eve, machine.eve + 1])
            try crowd.greet()
            var peak = machine.greatestMemory()
            for round in 0..<20 {
                crowd.each { _, fd in for context in 0..<20 { crowd.push(Crowd.password(UInt8(round * 10 + context % 10)), fd) } }
                for _ in 0..<5 {
                    peak = max(peak, machine.greatestMemory())
                    usleep(10_000)
                }
                answers.append(try honest.say("read before"))
            }
            return (peak, answers)
        }
        #expect(answers.dropFirst().allSatisfy { $0 == "secret value" })
        #expect(peak > 0 && peak < Self.most + 2 * Self.stretch, "\(peak) KiB")
        let isRefused = answers.dropFirst().contains { $0 != "secret value" }
        Tally.check("passwords of a hundred clients keep an honest program from its answer", succeeded: isRefused)
        Tally.check("passwords of a hundred clients are stretched all at once", succeeded: peak >= Self.most + 2 * Self.stretch)
    }

    @Test("a user whose connections are all silent lets that user's honest program in, and another user's")
    func silent() async throws {
        let answers = try await onThread {
            let machine = try SystemMachine()
            try machine.serve()
            let crowd = try Crowd(machine, Array(repeating: machine.eve, count: 6))
            defer { crowd.close() }
            return [try machine.speaker(machine.eve).say("add a b"), try machine.speaker(machine.ada).say("add a b")]
        }
        #expect(answers == ["added a", "added a"])
        for (whose, answer) in zip(["that user's", "another user's"], answers) {
            Tally.check("silent connections of a user keep \(whose) program out", succeeded: answer != "added a")
        }
    }
}

/// Connections of several users, fifty of each, which send whatever is taken from them and read nothing.
private final class Crowd {
    private(set) var sockets: [Int32] = []

    init(_ machine: SystemMachine, _ users: [UInt32]) throws {
        // Root's way into the machine, handed on: nobody else may go it.
        let folder = thumb_open(machine.outside("/run/thumbturn"), thumb_O_PATH | O_CLOEXEC, 0)
        defer { UnixSocket.close(folder) }
        let path = "/proc/self/fd/\(folder)/socket"
        for user in users {
            let (over, found) = (DispatchSemaphore(value: 0), Found())
            Thread.detachNewThread {
                // The bare call changes this thread alone, which ends afterwards.
                if thumb_syscall(Int(SYS_setresuid), Int(user), Int(user), Int(user), 0) == 0 {
                    for _ in 0..<50 { if case .success(let fd) = UnixSocket.connect(to: path) { found.sockets.append(fd) } }
                }
                over.signal()
            }
            over.wait()
            sockets += found.sockets
            guard found.sockets.count == 50 else { throw CannotStart(program: "fifty connections") }
        }
        for fd in sockets { _ = thumb_fcntl(fd, F_SETFL, Int(O_NONBLOCK)) }
    }

    deinit { close() }

    func close() {
        for fd in sockets { UnixSocket.close(fd) }
        sockets = []
    }

    /// Says hello and waits for each welcome, because nothing is heard before it.
    func greet() throws {
        each { _, fd in push(Talk.bytes(.hello(Hello(role: .app)), 1), fd) }
        for fd in sockets {
            var wait = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
            var room = [UInt8](repeating: 0, count: 64)
            guard poll(&wait, 1, 20_000) == 1, recv(fd, &room, room.count, 0) > 4, room[4] == 128 else {
                throw CannotStart(program: "a crowd that is welcome")
            }
        }
    }

    func each(_ body: (Int, Int32) -> Void) { for (place, fd) in sockets.enumerated() { body(place, fd) } }

    /// What of a frame was not taken yet: the next one comes behind it, or the daemon would hear nonsense.
    private var rest: [Int32: ArraySlice<UInt8>] = [:]

    /// Sends as much as is taken at once.
    func push(_ bytes: [UInt8], _ fd: Int32) {
        var left = rest[fd, default: []]
        if left.isEmpty { left = bytes[...] }
        let count = left.withUnsafeBytes { send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        rest[fd] = left.dropFirst(max(0, count))
    }

    static func echo(_ count: Int) -> [UInt8] {
        func number(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
        return number(count + 9) + [2, 0, 0, 0, 1] + number(count) + [UInt8](repeating: 7, count: count)
    }

    /// An application password for a context.
    static func password(_ context: UInt8) -> [UInt8] {
        [0, 0, 0, 5 + 8 + 1 + 1 + 4 + 4, 16, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, context, 0, 1, 0, 0, 0, 4] + Array("word".utf8)
    }

    private final class Found: @unchecked Sendable {
        // @unchecked: written before the semaphore is signalled, read after.
        var sockets: [Int32] = []
    }
}
