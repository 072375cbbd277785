import ThumbAccess
public import ThumbBrokers
import ThumbConversation
import ThumbCrypto
public import ThumbLoop
import ThumbMetering
public import ThumbSystem

/// The TPM's keeper: the one process of system mode that speaks with the TPM. Users take turns, one command each. No user can use up what
/// the TPM has for all: its room for counters, and the wrong guesses that it forgives.
@OnLoop public final class TPMKeeper {
    /// Accepts the connections.
    public let broker: Broker
    private let desk: KeeperDesk
    private let worker = Worker(limit: WireLimit.brokerConnections * 2)
    /// At most one command of each connection. Whatever else a device says waits in its socket.
    private var line = FairLine<UInt32, ObjectIdentifier, Turn>(perPeer: 1, perUser: WireLimit.brokerConnectionsPerUser)
    private var isBusy = false
    /// Users who have no connection any more, but may still have something in the TPM.
    private var departed: Set<UInt32> = []

    private struct Turn {
        let asked: ToTPMKeeper
        let call: UInt32
        let uid: UInt32
        let connection: BrokerConnection
    }

    /// A keeper of the TPM on this route; nil for a machine without one. Fails if its ledger can't be read just now.
    ///
    /// - Parameters:
    ///   - peer: the user whose connections it accepts.
    ///   - folder: where its ledger is.
    public convenience init(
        _ route: TPMRoute?, peer: UInt32, folder: consuming Descriptor, log: @escaping @Sendable (String) -> Void
    ) throws(SystemError) {
        try self.init(chip: route.map { TPMChip($0) }, peer: peer, folder: folder, log: log)
    }

    init(
        chip: TPMChip?, peer: UInt32, folder: consuming Descriptor, log: @escaping @Sendable (String) -> Void
    ) throws(SystemError) {
        let file = LedgerFile(folder)
        desk = KeeperDesk(chip, file, try file.read(log: log), log: log)
        broker = Broker(peer: peer)
        broker.hears = { [weak self] (frame, connection) throws(Refusal) in try self?.take(frame, connection) }
        broker.ends = { [weak self] in self?.ended($0) }
    }

    /// For a program that is only the keeper. Call it before anything else.
    public nonisolated static func ownsProcess() { CryptoProcess.needsNoErrorTexts() }

    deinit { worker.finish() }

    /// Closes every connection, gives back what is held in the TPM, and then calls back.
    public func shutDown(_ then: @escaping () -> Void) {
        broker.shutDown()
        let (desk, reply) = (desk, LoopBox(then))
        if !worker.run({ desk.close() }, then: { reply.value() }) { then() }
    }

    private func take(_ frame: Frame, _ connection: BrokerConnection) throws(Refusal) {
        guard let uid = connection.uid else { throw .helloExpected }
        let turn = Turn(asked: try ToTPMKeeper(frame), call: frame.call, uid: uid, connection: connection)
        guard line.add(turn, of: ObjectIdentifier(connection), uid) else { throw .tooManyCalls }
        connection.pause()
        goOn()
    }

    private func goOn() {
        guard !isBusy else { return }
        let desk = desk
        if let uid = departed.popFirst() {
            isBusy = true
            return run({ desk.left(uid) }) { [weak self] in self?.hasDone() }
        }
        guard let turn = line.next() else { return }
        isBusy = true
        run({ desk.answer(turn.asked, of: turn.uid) }) { [weak self] answer in
            turn.connection.send(answer, to: turn.call)
            turn.connection.resume()
            self?.hasDone()
        }
    }

    private func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, then: @escaping @OnLoop @Sendable (Value) -> Void
    ) {
        let isTaken = worker.run(work, then: then)
        precondition(isTaken, "the keeper runs one thing at a time")
    }

    private func hasDone() {
        isBusy = false
        goOn()
    }

    /// Drops the commands of a connection that ended; nobody waits for them.
    private func ended(_ connection: BrokerConnection) {
        guard let uid = connection.uid else { return }
        line.remove(ObjectIdentifier(connection), of: uid)
        guard broker.count(of: uid) == 0 else { return }
        departed.insert(uid)
        goOn()
    }
}
