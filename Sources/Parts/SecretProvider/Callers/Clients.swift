import ThumbAccess
import ThumbBus
import ThumbIdentities
import ThumbLoop
import ThumbProtectedPrograms
import ThumbSecretService

/// The programs that call, by their connections: which reader each is, read when it first calls and compared at each call.
@OnLoop final class Clients {
    private enum Standing {
        case unknown
        /// The bus and /proc are being asked.
        case coming
        case known(ReaderFacts.Found)
        /// Nobody can tell which program it is, or it isn't the one any more that it was. That stays so.
        case refused
    }

    private let bus: Bus
    private let look: ReaderLook
    /// For comparing, which reads nothing but marks.
    private let facts = ReaderFacts()
    private var standings: [String: Standing] = [:]
    /// Calls of clients that are coming. They go on in the order in which they came: of two writes the later one counts.
    private var waiting: [String: [CheckedContinuation<Bool, Never>]] = [:]
    private var departures: BusSubscription?

    /// - Parameters:
    ///   - protected: the programs that root protected.
    ///   - left: called with a client that has left the bus.
    init(_ bus: Bus, _ protected: ProtectedRegistry, left: @escaping (String) -> Void) {
        self.bus = bus
        look = ReaderLook(protected)
        departures = bus.listenForDepartures { [weak self] name in
            guard self?.standings.removeValue(forKey: name) != nil else { return }
            left(name)
        }
    }

    /// Whether a client is still at the bus.
    func has(_ name: String) -> Bool { standings[name] != nil }

    /// Counts a client in, without looking at it. Fails as too much if there are too many.
    func note(_ name: String) throws(ServiceFailure) {
        if standings[name] != nil { return }
        guard standings.count < SecretServiceLimit.clients else { throw .tooMuch }
        standings[name] = .unknown
    }

    /// The reader behind a client. Fails as denied if nobody can tell, and once it was another program; as too much if nobody can look now.
    func reader(_ name: String) async throws(ServiceFailure) -> Reader {
        try note(name)
        while true {
            switch standings[name] {
            case nil, .refused: throw .denied
            case .known(let found):
                guard facts.isStill(found.mark) else {
                    standings[name] = .refused
                    throw .denied
                }
                return found.reader
            case .coming:
                guard await withCheckedContinuation({ waiting[name, default: []].append($0) }) else { throw .tooMuch }
            case .unknown:
                standings[name] = .coming
                EventLoop.shared.spawn { await self.look(at: name) }
            }
        }
    }

    private func look(at name: String) async {
        let sight = await find(name)
        var isSeen = true
        // It may have left meanwhile.
        if standings[name] != nil {
            switch sight {
            case .known(let found): standings[name] = .known(found)
            case .nobody: standings[name] = .refused
            case .notNow: (standings[name], isSeen) = (.unknown, false)
            }
        }
        for call in waiting.removeValue(forKey: name) ?? [] { call.resume(returning: isSeen) }
    }

    private func find(_ name: String) async -> ReaderLook.Sight {
        do throws(BusError) {
            let credentials = try await bus.credentials(of: name)
            return await look.find(credentials.process, credentials.user, credentials.groups ?? [])
        } catch {
            switch error.code {
            // The bus says nothing for now: our calls to it are too many, or it is busy.
            case .failed, .timedOut, .cancelled, .disconnected, .noRoom: return .notNow
            case .noOwner, .wrongOwner, .refused, .malformed: return .nobody
            }
        }
    }
}
