import ThumbAccess
import ThumbBus
import ThumbLoop

/// A reader as fprintd describes it.
struct FprintReader: Sendable, Hashable {
    let path: String
    let name: String
    let isSwipe: Bool
    let stages: Int
}

/// The connection to fprintd. It makes fprintd's calls under our own names, and takes signals only from the owner of fprintd's name.
@OnLoop final class FprintLine {
    static let service = "net.reactivated.Fprint"
    private static let device = "net.reactivated.Fprint.Device"
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let manager = "net.reactivated.Fprint.Manager"

    /// How many seconds a call may take. A reader that is opened for the first time after a start may have to load its firmware.
    private static let patience = 10.0
    /// How many seconds the bus may take to start fprintd: as long as the bus itself waits.
    private static let startPatience = 25.0

    private let bus: Bus
    private let owner: BusOwner
    private var subscriptions: [BusSubscription] = []
    /// Called for a status of what is going on at a reader: `VerifyStatus` or `EnrollStatus`, in fprintd's words.
    var onStatus: ((_ path: String, _ name: String, _ isDone: Bool) -> Void)?
    /// Called when a finger was laid on a reader or left it, or when one is wanted. Not every driver reports this.
    var onFinger: ((_ path: String, _ isPresent: Bool?, _ isNeeded: Bool?) -> Void)?
    var onOwnerLost: (() -> Void)?
    /// Called when somebody else sent what only fprintd may send.
    var onForgery: (() -> Void)?

    var isUsable: Bool { bus.isConnected }

    init(address: String, ownerUser: UInt32) throws(BusError) {
        bus = try Bus(address: address)
        owner = BusOwner(bus, Self.service, expectedUser: ownerUser)
        for member in ["VerifyStatus", "EnrollStatus"] {
            subscriptions.append(bus.listen(BusRule(Self.device, member, from: Self.service)) { [weak self] in self?.heard($0) })
        }
        subscriptions.append(
            bus.listen(BusRule(Self.properties, "PropertiesChanged", first: Self.device, from: Self.service)) { [weak self] in
                self?.changed($0)
            })
        owner.onLoss = { [weak self] in self?.onOwnerLost?() }
        bus.onDisconnect = { [weak self] in self?.onOwnerLost?() }
    }

    /// Releases everything at once, because fprintd releases whatever a closed connection held.
    func drop() { bus.close() }

    private func heard(_ signal: BusMessage) {
        guard signal.sender == owner.connection else {
            onForgery?()
            return
        }
        guard let status = FprintStatus(signal.values) else { return }
        onStatus?(signal.path, status.name, status.isDone)
    }

    /// A change from anybody else is ignored. It contains no verdict, so it isn't reported as a forgery either.
    private func changed(_ signal: BusMessage) {
        guard signal.sender == owner.connection, let touch = FprintTouch(signal.values) else { return }
        onFinger?(signal.path, touch.isPresent, touch.isNeeded)
    }

    // MARK: What there is

    /// The default reader; nil if there is none.
    func defaultReader() async throws(BusError) -> FprintReader? {
        let path: String
        do {
            path = try await ask("/net/reactivated/Fprint/Manager", Self.manager, "GetDefaultDevice").first?.text ?? ""
        } catch  where FprintRefusal(error) == .noDevice {
            return nil
        }
        let properties = try await ask(path, Self.properties, "GetAll", [.string(Self.device)]).first
        return try FprintReader(path: path, properties: properties)
    }

    func fingers(_ reader: FprintReader, of user: String) async throws(BusError) -> [Finger] {
        do {
            return [Finger](
                fprintNames: try await ask(reader.path, Self.device, "ListEnrolledFingers", [.string(user)]).first)
        } catch  where FprintRefusal(error) == .noPrints {
            return []
        }
    }

    // MARK: What is done with it

    func claim(_ reader: FprintReader, for user: String) async throws(BusError) {
        try await tell(reader, "Claim", [.string(user)])
    }
    func release(_ reader: FprintReader) async throws(BusError) { try await tell(reader, "Release") }

    /// Verifies any finger: fprintd identifies it if the reader can, and otherwise verifies one.
    func startVerifying(_ reader: FprintReader) async throws(BusError) {
        try await tell(reader, "VerifyStart", [.string("any")])
    }
    func stopVerifying(_ reader: FprintReader) async throws(BusError) { try await tell(reader, "VerifyStop") }

    /// Whether a finger lies on the reader. An idle reader reports none.
    func fingerIsPresent(_ reader: FprintReader) async throws(BusError) -> Bool {
        let value = try await ask(reader.path, Self.properties, "Get", [.string(Self.device), .string("finger-present")]).first
        guard let value else { throw BusError(.malformed) }
        return value.flag ?? false
    }

    func startEnrolling(_ finger: Finger, _ reader: FprintReader) async throws(BusError) {
        try await tell(reader, "EnrollStart", [.string(finger.fprintName)])
    }
    func stopEnrolling(_ reader: FprintReader) async throws(BusError) { try await tell(reader, "EnrollStop") }

    func forget(_ finger: Finger?, _ reader: FprintReader) async throws(BusError) {
        if let finger {
            try await tell(reader, "DeleteEnrolledFinger", [.string(finger.fprintName)])
        } else {
            try await tell(reader, "DeleteEnrolledFingers2")
        }
    }

    private func tell(_ reader: FprintReader, _ member: String, _ values: [BusValue] = []) async throws(BusError) {
        _ = try await ask(reader.path, Self.device, member, values)
    }

    private func ask(
        _ path: String, _ interface: String, _ member: String, _ values: [BusValue] = []
    ) async throws(BusError) -> [BusValue] {
        let connection = try await owner.find(within: Self.startPatience)
        return try await bus.call(BusCall(connection, path, interface, member, values), within: Self.patience).values
    }
}
