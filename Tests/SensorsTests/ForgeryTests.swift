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

        /// A program that says of the reader that a finger lies on it, straight to a connection; its exit status.
        private nonisolated func forgeFinger(_ stage: FingerStage, to connection: String) throws -> Int32 {
            let words = [
                "emit", "--session", "--dest", connection, "--object-path", "/net/reactivated/Fprint/Device/0",
                "--signal", "org.freedesktop.DBus.Properties.PropertiesChanged", "'\(Self.device)'",
                "{'finger-present': <true>}", "@as []",
            ]
            return try Child("/usr/bin/gdbus", words, environment: ["DBUS_SESSION_BUS_ADDRESS": stage.bus]).end()
        }

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
                #expect(try await onThread { try forgeFinger(stage, to: name) } == 0)
                #expect(try await onThread { try forge(stage, to: name) } == 0)
            }
            #expect(try await onThread { try forge(stage, to: nil) } == 0)
            await told.next()
            #expect(reader.fingerprint.forgeries > 0 && heard.unheard == 0)
            Tally.check("another user's program's match is believed", succeeded: heard.unheard > 0)
            // Whoever could say this could keep every touch from counting.
            #expect(!reader.fingerprint.facts.tellsFingers)
            Tally.check("a program says that a finger lies on the reader", succeeded: reader.fingerprint.facts.tellsFingers)
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
            let twoReaders = try await PlayedFprint(on: stage)
            let fingerprint = twoReaders.fingerprint()
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
            let twoReaders = try await PlayedFprint(on: stage)
            let fingerprint = twoReaders.fingerprint()
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
