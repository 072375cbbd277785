import CThumbLinux
import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbCrypto
import ThumbLoop
import thumbturn_test_fingerprint

@testable import ThumbSensors

/// The reader's broker on a stage, a hand at the reader, and what devices of several users have in place of a bus.
@OnLoop final class BrokeredReader {
    static let users: [UInt32: String] = [1000: "root", 1001: "games"]

    let stage: FingerStage
    let hand: Hand
    private let patience: Double
    private var broker: ReaderBroker?
    private(set) var log: [String] = []

    init(patience: Double = ReaderLine.patience, templates: String? = nil) async throws {
        stage = try await FingerStage.start()
        try await stage.prepare()
        hand = try Hand(stage)
        try await hand.isReady()
        self.patience = patience
        start()
    }

    func start() {
        var place = Fingerprint.Place.machines
        (place.bus, place.ownerUser, place.templates) = (stage.bus, stage.user, stage.templates)
        let own = stage.userName
        broker = ReaderBroker(
            place, peer: getuid(), line: ReaderLine(patience: patience),
            name: { $0 == 1000 ? own : Self.users[$0] }, hash: { try? HashFunction.sha256.hash($0) },
            log: { [weak self] in self?.log.append($0) })
    }

    /// Ends the broker as its process's end does.
    func end() {
        broker?.shutDown()
        broker = nil
    }

    /// A connection of which nobody has said whom it serves; nil where there is no broker.
    func connection() -> Int32? {
        guard let broker, case .success(let (mine, theirs)) = UnixSocket.pair() else { return nil }
        broker.broker.serve(theirs)
        return mine
    }

    func connection(of uid: UInt32) -> Int32? {
        guard let fd = connection() else { return nil }
        Self.tell(Serve(uid: uid), fd)
        return fd
    }

    func device(of uid: UInt32) -> RemoteReader {
        RemoteReader(reach: { [weak self] in self?.connection(of: uid) }, log: { [weak self] in self?.log.append($0) })
    }

    @discardableResult
    nonisolated static func tell(_ word: some Word, _ fd: Int32, call: UInt32 = 1, waiting: Bool = true) -> Bool {
        let encoded = word.frame(call: call)
        var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
        return frame.send(to: fd, waiting: waiting) == .sent
    }

    /// Everything that is known, asked anew. On a busy machine fprintd takes longer to start than a question waits.
    func look(_ device: RemoteReader, isCasual: Bool = false) async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            device.prepare(isCasual: isCasual) { done.resume() }
        }
    }

    /// A device that has seen the reader.
    func seeing(_ uid: UInt32) async -> RemoteReader {
        let device = device(of: uid)
        for _ in 0..<24 where device.kind == .none { await look(device) }
        return device
    }

    @discardableResult
    func enroll(
        _ finger: Finger, scan: String, _ device: RemoteReader
    ) async -> (failure: EnrollingFailure?, steps: [EnrollingProgress]) {
        let heard = Heard<EnrollingReport>()
        device.enroll(finger) { heard.put($0) }
        var steps: [EnrollingProgress] = []
        while true {
            switch await heard.next() {
            case .progress(let step):
                if steps.isEmpty { for _ in 0..<5 { hand.show("SCAN \(scan)") } }
                steps.append(step)
            case .ended(let failure): return (failure, steps)
            }
        }
    }

    func listen(_ script: [String], _ device: RemoteReader) -> Heard<BiometryReport> {
        hand.script = script
        let heard = Heard<BiometryReport>()
        device.listen { heard.put($0) }
        return heard
    }

    func forget(_ finger: Finger?, _ device: RemoteReader) async -> EnrollingFailure? {
        await withCheckedContinuation { done in device.forget(finger) { done.resume(returning: $0) } }
    }

    func fingers(_ device: RemoteReader) async -> Result<EnrolledFingers, EnrollingFailure> {
        await withCheckedContinuation { done in device.fingers { done.resume(returning: $0) } }
    }

    /// Whether nobody has claimed the reader.
    func isUnclaimed() async throws -> Bool { try await Reader(on: stage).isUnclaimed() }
}
