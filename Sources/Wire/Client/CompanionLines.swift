public import ThumbAccess
import ThumbConversation
import ThumbLoop
import ThumbSecrets

// Calls that go on while frames cross: pairing another machine, and carrying for the paired ones. What comes is told on the loop or on the
// thread that happens to read; prompts are started on a thread of their own.

/// What the daemon has for the one who pairs.
public enum PairingEvent: Sendable {
    /// To be brought to the other machine.
    case frame([UInt8])
    /// The last event.
    case ended(Result<CompanionFacts, KeychainFailure>)
}

/// A pairing on its way.
public final class PairingLine: Sendable {
    private let line: CallLine

    fileprivate init(_ line: CallLine) { self.line = line }

    /// Brings a frame of the other machine's.
    public func bring(_ frame: [UInt8]) { line.tell(PairingFrameIn(frame)) }
}

/// What the daemon has for its carrier.
public enum CarrierEvent: Sendable {
    case frame(pairing: [UInt8], [UInt8])
    /// The connection of that number is the other machine's.
    case proven(pairing: [UInt8], connection: UInt32)
    /// The last event: the daemon is gone, or has a carrier already (`.duplicateItem`).
    case ended(KeychainFailure)
}

/// A carrier's call.
public final class CarrierLine: Sendable {
    private let line: CallLine

    fileprivate init(_ line: CallLine) { self.line = line }

    /// Brings a frame that was carried here.
    ///
    /// - Parameter connection: the carrier's own number for the connection that brought it; 0 if nobody else can be there.
    public func bring(_ frame: [UInt8], of pairing: [UInt8], over connection: UInt32) {
        line.tell(CarriedIn(pairing, frame, connection: connection))
    }

    /// Says whether a pairing's other machine is reached.
    public func say(_ pairing: [UInt8], isUp: Bool) { line.tell(CompanionLine(pairing, isUp: isUp)) }
}

extension DeviceClient {
    /// Pairs another machine. The owner compares the two screens and types the passcode.
    public func pair(
        _ wish: PairingWish, _ event: @escaping @Sendable (PairingEvent) -> Void
    ) throws(ClientError) -> PairingLine {
        let connection = try connected()
        let line = CallLine(self, connection)
        try connection.start(PairCompanion(wish)) { answer in
            do throws(ClientError) {
                let frame = try answer.get()
                if try line.startsPrompt(frame) { return .more }
                switch frame.kind {
                case .pairingFrameOut:
                    event(.frame(try connection.read { () throws(Refusal) in try frame.word(PairingFrameOut.self).frame }))
                    return .more
                case .failed:
                    let failure = try connection.read { () throws(Refusal) in try frame.word(KeychainFailure.self) }
                    line.end { event(.ended(.failure(failure))) }
                default:
                    let paired = try connection.read { () throws(Refusal) in try frame.word(CompanionPaired.self).companion }
                    line.end { event(.ended(.success(paired))) }
                }
            } catch {
                line.end { event(.ended(.failure(error.keychainFailure))) }
            }
            return .finished
        }
        return PairingLine(line)
    }

    /// Makes this program the device's carrier.
    public func carry(_ event: @escaping @Sendable (CarrierEvent) -> Void) throws(ClientError) -> CarrierLine {
        let connection = try connected()
        let line = CallLine(self, connection)
        try connection.start(CarryCompanions()) { answer in
            do throws(ClientError) {
                let frame = try answer.get()
                if try line.startsPrompt(frame) { return .more }
                if frame.kind == .failed {
                    let failure = try connection.read { () throws(Refusal) in try frame.word(KeychainFailure.self) }
                    line.end { event(.ended(failure)) }
                    return .finished
                }
                if frame.kind == .companionProven {
                    let proven = try connection.read { () throws(Refusal) in try frame.word(CompanionProven.self) }
                    event(.proven(pairing: proven.pairing, connection: proven.connection))
                    return .more
                }
                let carried = try connection.read { () throws(Refusal) in try frame.word(CarriedOut.self) }
                event(.frame(pairing: carried.pairing, carried.frame))
                return .more
            } catch {
                line.end { event(.ended(error.keychainFailure)) }
            }
            return .finished
        }
        return CarrierLine(line)
    }
}

/// A call that goes on: what this program says meanwhile, and the prompts that it starts.
private final class CallLine: Sendable {
    private let client: DeviceClient
    private let connection: DeviceConnection
    /// A prompt has the terminal until it ends, so the next one waits for it.
    private let prompts = Worker(limit: 16)

    init(_ client: DeviceClient, _ connection: DeviceConnection) { (self.client, self.connection) = (client, connection) }

    deinit { prompts.finish() }

    func tell(_ word: some Word) {
        do throws(ClientError) {
            try connection.tell(word, call: 0)
        } catch {
            // The call itself ends with the connection.
        }
    }

    /// Whether a frame asks for a prompt, which is started then.
    func startsPrompt(_ frame: Frame) throws(ClientError) -> Bool {
        guard let wanted = try connection.read({ () throws(Refusal) in try WantedPrompt(frame) }) else { return false }
        let (client, connection, call) = (client, connection, frame.call)
        _ = prompts.run {
            // If it can't be started, the daemon has been told, and says what becomes of the call.
            let prompt = try? client.startPrompt(wanted, on: connection, call: call)
            prompt?.wait()
        } then: {
        }
        return true
    }

    /// Tells the end once no prompt has the terminal any more.
    func end(_ tell: @escaping @Sendable () -> Void) {
        if !prompts.run({}, then: tell) { tell() }
    }
}
