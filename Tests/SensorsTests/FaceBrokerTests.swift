import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import thumbturn_test_daemon
import thumbturn_test_fingerprint

@testable import ThumbSensors

/// A hash that waits at its first use until it is let go, and so holds whoever reads the models. It keeps what it was asked about.
private final class HeldHash: Sendable {
    private let asked = Locked<[[UInt8]]>([])
    private let gate = DispatchSemaphore(value: 0)

    func digest(_ bytes: [UInt8]) -> [UInt8]? {
        let isFirst = asked.withLock { asked in
            asked.append(bytes)
            return asked.count == 1
        }
        if isFirst { gate.wait() }
        return FaceModelStage.sha256(bytes)
    }

    func letGo() { gate.signal() }

    /// How often it was asked about these bytes, before it was first asked about others or until now.
    func count(of bytes: [UInt8], before others: [UInt8]? = nil) -> Int {
        asked.withLock { asked in asked.prefix { $0 != others }.count { $0 == bytes } }
    }
}

/// The broker on a machine without a bus, which has models all the same, and what devices of several users have in place of root's files.
@OnLoop private final class FaceBroker {
    let stage: FaceModelStage
    let said = Reader.Log()
    private var broker: ReaderBroker?

    init(hash: @escaping @Sendable ([UInt8]) -> [UInt8]? = FaceModelStage.sha256) throws {
        stage = try FaceModelStage()
        let said = said
        broker = ReaderBroker(
            Fingerprint.Place(bus: "unix:path=/nowhere/bus", user: ""), models: stage.place, peer: getuid(),
            name: { [1000: "ada", 1001: "bob"][$0] }, hash: hash, log: { said.lines.append($0) })
    }

    func end() {
        broker?.shutDown()
        broker = nil
    }

    func connection(of uid: UInt32) -> Int32? {
        guard let broker, case .success(let (mine, theirs)) = UnixSocket.pair() else { return nil }
        broker.broker.serve(theirs)
        BrokeredReader.tell(Serve(uid: uid), mine)
        return mine
    }

    func device(of uid: UInt32) -> RemoteReader {
        RemoteReader(reach: { [weak self] in self?.connection(of: uid) }, log: { _ in })
    }

    func models(_ device: RemoteReader) async -> FaceModels {
        await withCheckedContinuation { done in device.readFaceModels { done.resume(returning: $0) } }
    }
}

@Suite("Face models, through the reader's broker", .timeLimit(.minutes(5))) @OnLoop struct FaceBrokerTests {
    @Test("each user's device gets what is known of its own user's faces, as they are now")
    func whole() async throws {
        let stand = try FaceBroker()
        let (ada, bob) = (stand.device(of: 1000), stand.device(of: 1001))
        #expect(await stand.models(ada).enrolment == .empty)
        try stand.stage.write("faces/ada.dat", [1])
        let first = await stand.models(ada)
        #expect(try first == stand.stage.models(of: "ada"))
        #expect(await stand.models(bob).enrolment == .empty)
        try stand.stage.write("faces/bob.dat", [2])
        let other = await stand.models(bob)
        #expect(try other == stand.stage.models(of: "bob", uid: 1001) && other.enrolment != first.enrolment)
        #expect(await stand.models(ada) == first)
        try stand.stage.write("faces/ada.dat", [3])
        #expect(await stand.models(ada).enrolment != first.enrolment)
        try stand.stage.remove("face-models")
        #expect(await stand.models(ada) == .unnamed)
    }

    @Test("a refusal reaches the device by its number, and the broker's log by the file and the user")
    func refused() async throws {
        let stand = try FaceBroker()
        try stand.stage.write("faces/ada.dat")
        try stand.stage.allow("faces/ada.dat", 0o666)
        let ada = stand.device(of: 1000)
        for _ in 0..<2 { #expect(await stand.models(ada) == .refused(.modelsWritable)) }
        #expect(stand.said.lines.count == 1)
        #expect(stand.said.lines[0].hasPrefix("user 1000: face models: ") && stand.said.lines[0].contains("faces/ada.dat"))
    }

    @Test("a user whom the machine's file doesn't name has models under a number alone")
    func nameless() async throws {
        let stand = try FaceBroker()
        let nobody = stand.device(of: 4_000_000)
        #expect(await stand.models(nobody) == .refused(.modelsUnreadable))
        try stand.stage.name(stand.stage.path + "/faces/%U\n")
        try stand.stage.write("faces/4000000")
        guard case .known = await stand.models(nobody).enrolment else {
            Issue.record("models under a number aren't known")
            return
        }
    }

    @Test("without a broker, and when it goes away with a question open, nothing is known")
    func gone() async throws {
        let stand = try FaceBroker()
        try stand.stage.write("faces/ada.dat")
        let ada = stand.device(of: 1000)
        guard case .known = await stand.models(ada).enrolment else {
            Issue.record("the enrolment isn't known")
            return
        }
        let open: FaceModels = await withCheckedContinuation { done in
            ada.readFaceModels { done.resume(returning: $0) }
            stand.end()
        }
        #expect(open == .refused(.modelsUnreadable))
        #expect(await stand.models(ada) == .refused(.modelsUnreadable))
    }

    @Test("a connection with hundreds of questions isn't read beyond its limit, and others are answered between")
    func greedy() async throws {
        let hash = HeldHash()
        defer { hash.letGo() }
        let stand = try FaceBroker { hash.digest($0) }
        let (adas, bobs): ([UInt8], [UInt8]) = ([1], [2])
        try stand.stage.write("faces/ada.dat", adas)
        try stand.stage.write("faces/bob.dat", bobs)
        let fd = try #require(stand.connection(of: 1001))
        defer { close(fd) }
        // As much as goes: the rest of what it wants to say waits on its side.
        let asked = (1...4000).count { BrokeredReader.tell(ReadFaceModels(), fd, call: UInt32($0), waiting: false) }
        #expect(asked > 4 * WireLimit.readerQuestions)

        // While the first answer is held, the broker takes what it takes; whoever comes then is behind that, and behind nothing else.
        await turns(400)
        let (ada, heard) = (stand.device(of: 1000), Heard<FaceModels>())
        ada.readFaceModels { heard.put($0) }
        await turns(400)
        hash.letGo()
        #expect(try await heard.next() == stand.stage.models(of: "ada"))
        #expect(hash.count(of: bobs, before: adas) == WireLimit.readerQuestions)
        // What waited is read on.
        let deadline = EventLoop.now + 60
        while hash.count(of: bobs) <= WireLimit.readerQuestions, EventLoop.now < deadline { await turns(1) }
        #expect(hash.count(of: bobs) > WireLimit.readerQuestions)
    }

    /// Lets the loop look for what came so many times. It reads one frame of each connection then.
    private func turns(_ count: Int) async {
        for _ in 0..<count {
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in EventLoop.shared.post { done.resume() } }
        }
    }
}
