import CThumbLinux
import ThumbAccess
import ThumbCarrying
import ThumbClient
import ThumbDaemonProcess
import ThumbLoop
import ThumbSecrets
import ThumbSystem

/// What became of a pairing, as a line on standard output that `thumbturn companion` reads.
enum PairingOutcome: Sendable {
    case paired(CompanionFacts)
    case failed(KeychainFailure)
    /// The other machine can't be reached, ended the pairing, or the port is somebody else's.
    case unreachable, left, taken

    var line: String {
        switch self {
        case .paired(let facts): "paired \(facts.name)"
        case .failed(let failure): "failed \(failure.rawValue)"
        case .unreachable: "unreachable"
        case .left: "left"
        case .taken: "taken"
        }
    }
}

/// One pairing: frames between the daemon and the other machine, until the daemon says that it is made or isn't.
@OnLoop final class PairingRun {
    /// How long the daemon may still take once the other machine is gone: its last frame may just have come.
    private static let secondsAfterwards = 5.0

    private let connection: LinkConnection
    private var daemon: PairingLine?
    private let end: (PairingOutcome) -> Void
    private var isOver = false

    init(_ connection: consuming Descriptor, _ end: @escaping (PairingOutcome) -> Void) {
        self.connection = LinkConnection(connection)
        self.end = end
    }

    func begin(_ line: PairingLine) {
        daemon = line
        connection.parcelsLeft = CarryingLimit.parcelsOfPairing
        connection.heard = { [weak self] parcel in
            guard let self, parcel.pairing == Parcel.unpaired, !parcel.frame.isEmpty else { return }
            daemon?.bring(parcel.frame)
        }
        connection.ended = { [weak self] in
            _ = EventLoop.shared.after(Self.secondsAfterwards) { self?.finish(.left) }
        }
        connection.open()
    }

    func take(_ event: PairingEvent) {
        switch event {
        case .frame(let frame): connection.send(Parcel(Parcel.unpaired, frame))
        case .ended(.success(let facts)): finish(.paired(facts))
        case .ended(.failure(let failure)): finish(.failed(failure))
        }
    }

    private func finish(_ outcome: PairingOutcome) {
        if isOver { return }
        isOver = true
        end(outcome)
    }
}

enum Pairing {
    private static let secondsToConnect = 10.0

    /// Pairs with the machine that waits there.
    static func pair(_ place: LinkPlace, _ wish: PairingWish) -> Never {
        do throws(SystemError) {
            run(try LinkSocket.connect(to: place.host, port: place.port + 1, seconds: secondsToConnect), wish)
        } catch {
            say(.unreachable)
        }
    }

    /// Waits for one machine, and pairs with it.
    static func wait(port: UInt16, _ wish: PairingWish) -> Never {
        do throws(SystemError) {
            let listener = try LinkSocket.listen(nil, port: port + 1)
            Output.write("waiting\n", to: 1)
            guard let connection = LinkSocket.accept(listener.number) else { say(.unreachable) }
            // Nobody else gets in between from here on.
            run(connection, wish)
        } catch {
            say(.taken)
        }
    }

    private static func run(_ connection: consuming Descriptor, _ wish: PairingWish) -> Never {
        let fd = connection.released()
        let run = EventLoop.shared.sync { PairingRun(Descriptor(owning: fd)) { say($0) } }
        do throws(ClientError) {
            let line = try DeviceClient.shared.pair(wish) { event in
                EventLoop.shared.post { run.take(event) }
            }
            EventLoop.shared.sync { run.begin(line) }
        } catch {
            say(.failed(.deviceUnreachable))
        }
        // The loop's thread does the rest.
        while true { pause() }
    }

    /// Says what became of it, and ends.
    private static func say(_ outcome: PairingOutcome) -> Never {
        Output.write(outcome.line + "\n", to: 1)
        if case .paired = outcome { exit(0) }
        exit(1)
    }
}
