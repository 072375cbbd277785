import CThumbLinux
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbBus
import ThumbLoop
import ThumbSensors
import thumbturn_test_daemon
import thumbturn_test_fingerprint
import thumbturn_test_programs

extension OnABus {
    /// Others on the bus say what only fprintd may say.
    @Suite("Attacks on the way to fprintd", .timeLimit(.minutes(5))) @OnLoop struct ForgeryTests {
        private nonisolated static let device = "net.reactivated.Fprint.Device"

        /// A program of another user that puts a verdict on the bus, told straight to a connection or to all; its exit status.
        private nonisolated func forge(_ stage: FingerStage, to connection: String?) throws -> Int32 {
            let user = getuid() == 0 ? ["--reuid=65534", "--regid=65534", "--clear-groups"] : []
            let words =
                user + ["/usr/bin/dbus-send", "--bus=\(stage.bus)", "--type=signal"] + (connection.map { ["--dest=\($0)"] } ?? [])
                + [
                    "/net/reactivated/Fprint/Device/0", "\(Self.device).VerifyStatus", "string:verify-match", "boolean:true",
                ]
            return try Child("/usr/bin/setpriv", words).end()
        }

        @Test("a match that another user's program puts on the bus is ignored; the reader's own is believed")
        func forgedStatus() async throws {
            let reader = try await Reader()
            await reader.enroll(.rightIndex, scan: "ada")
            let heard = await reader.watching()
            let stage = reader.stage
            let told = Heard<Void>()
            reader.fingerprint.onForgery = { told.put(()) }
            // To every connection there is, so that the part's own is among them.
            let bus = try Bus(address: stage.bus)
            let names = try await bus.call(
                BusCall(Bus.driver, "/org/freedesktop/DBus", Bus.driver, "ListNames"), within: 30)
            for name in names.values.first?.list?.compactMap(\.text) ?? [] where name.hasPrefix(":") {
                #expect(try await onThread { try forge(stage, to: name) } == 0)
            }
            #expect(try await onThread { try forge(stage, to: nil) } == 0)
            await told.next()
            #expect(reader.fingerprint.forgeries > 0 && heard.unheard == 0)
            Tally.check("another user's program's match is believed", succeeded: heard.unheard > 0)
            reader.hand.show("SCAN ada")
            #expect(await heard.next() == .match(reader.fingerprint.enrolment))
        }

        @Test("a second program that wants fprintd's name doesn't get it, and what it says isn't heard")
        func secondOwner() async throws {
            let reader = try await Reader()
            await reader.enroll(.rightIndex, scan: "ada")
            let heard = await reader.watching()
            let rival = try Bus(address: reader.stage.bus)
            // 3: it waits in the queue behind the owner; with "replace" (2) it is told that the name is taken.
            for (flags, answer) in [(UInt32(0), Int64(2)), (2, 2)] {
                let reply = try await rival.call(
                    BusCall(
                        Bus.driver, "/org/freedesktop/DBus", Bus.driver, "RequestName",
                        [.string("net.reactivated.Fprint"), .uint32(flags)]), within: 30)
                #expect(reply.values.first?.number == answer)
            }
            Tally.check("a program that waits for fprintd's name is believed", succeeded: heard.unheard > 0)
            #expect(heard.unheard == 0)
            reader.hand.show("SCAN ada")
            #expect(await heard.next() == .match(reader.fingerprint.enrolment))
        }

        @Test("fprintd that runs as another user than it should is no fprintd: there is no reader")
        func wrongUser() async throws {
            let reader = try await Reader(owner: getuid() &+ 1)
            await reader.look()
            #expect(reader.fingerprint.kind == .none && reader.fingerprint.enrolment == .unknown)
            #expect(reader.said.lines.contains { $0.contains("belongs to another user") })
            let heard = reader.listen(["SCAN ada"])
            let answer = await heard.next()
            #expect(answer == .failed)
            Tally.check("fprintd of another user's is believed", succeeded: answer != .failed)
        }

        @Test("a match that fprintd reports of another reader than the one that is ours is ignored")
        func otherReader() async throws {
            let stage = try await FingerStage.start()
            let twoReaders = try TwoReaders(stage.bus)
            guard try await twoReaders.bus.requestName("net.reactivated.Fprint") == .owned else { throw BusError(.refused) }
            let fingerprint = Fingerprint(
                Fingerprint.Place(bus: stage.bus, ownerUser: stage.user, templates: "/nowhere", user: stage.userName),
                hash: { _ in nil }, log: { _ in })
            let heard = Heard<BiometryReport>()
            fingerprint.listen { heard.put($0) }
            await twoReaders.verifying.next()
            try twoReaders.say("verify-match", at: 1)
            try twoReaders.say("verify-no-match", at: 0)
            guard await heard.next() == .miss else {
                Issue.record("a match at the other reader counts")
                return
            }
            await twoReaders.verifying.next()
            try twoReaders.say("verify-match", at: 0)
            #expect(await heard.next() == .match(.unknown))
            fingerprint.stop()
            await fingerprint.settle()
            #expect(heard.unheard == 0)
        }

        @Test("what was said of one verification isn't the next one's verdict")
        func behind() async throws {
            let stage = try await FingerStage.start()
            let twoReaders = try TwoReaders(stage.bus)
            guard try await twoReaders.bus.requestName("net.reactivated.Fprint") == .owned else { throw BusError(.refused) }
            let fingerprint = Fingerprint(
                Fingerprint.Place(bus: stage.bus, ownerUser: stage.user, templates: "/nowhere", user: stage.userName),
                hash: { _ in nil }, log: { _ in })
            let heard = Heard<BiometryReport>()
            fingerprint.listen { heard.put($0) }
            await twoReaders.verifying.next()
            // Both are there before fprintd answers the end of this verification.
            try twoReaders.say("verify-no-match", at: 0)
            try twoReaders.say("verify-match", at: 0)
            #expect(await heard.next() == .miss)
            await twoReaders.verifying.next()
            try twoReaders.say("verify-no-match", at: 0)
            #expect(await heard.next() == .miss)
            fingerprint.stop()
            await fingerprint.settle()
            #expect(heard.unheard == 0)
        }
    }
}

/// A fprintd with two readers. The first is the one that everybody gets.
@OnLoop private final class TwoReaders: BusObjects {
    let bus: Bus
    /// Each time that a finger is looked for.
    let verifying = Heard<Void>()
    private static let paths = (0...1).map { "/net/reactivated/Fprint/Device/\($0)" }
    private let manager = BusInterface(
        "net.reactivated.Fprint.Manager",
        methods: [
            BusMethod("GetDefaultDevice", gives: ["device": "o"], now: { (_) throws(BusFailure) in [.path(TwoReaders.paths[0])] })
        ])
    private lazy var device: BusInterface = BusInterface(
        "net.reactivated.Fprint.Device",
        methods: [
            BusMethod("Claim", takes: ["username": "s"], now: { (_) throws(BusFailure) in [] }),
            BusMethod("Release", now: { (_) throws(BusFailure) in [] }),
            BusMethod(
                "ListEnrolledFingers", takes: ["username": "s"], gives: ["enrolled_fingers": "as"],
                now: { (_) throws(BusFailure) in [.array([.string("right-index-finger")])] }),
            BusMethod(
                "VerifyStart", takes: ["finger_name": "s"],
                now: { [weak self] (_) throws(BusFailure) in
                    self?.verifying.put(())
                    return []
                }),
            BusMethod("VerifyStop", now: { (_) throws(BusFailure) in [] }),
        ],
        properties: [BusProperty("name", "s", now: { (_) throws(BusFailure) in .string("One of two") })],
        signals: [BusSignal("VerifyStatus", gives: ["result": "s", "done": "b"])])

    init(_ address: String) throws {
        bus = try Bus(address: address)
        bus.export(self)
    }

    func interfaces(at path: String) -> [BusInterface]? {
        if path == "/net/reactivated/Fprint/Manager" { return [manager] }
        return Self.paths.contains(path) ? [device] : nil
    }

    func children(of path: String) -> [String] { [] }

    /// Says what became of a finger on a reader.
    func say(_ word: String, at reader: Int) throws {
        try bus.emit("VerifyStatus", of: device, at: Self.paths[reader], [.string(word), .bool(true)])
    }
}
