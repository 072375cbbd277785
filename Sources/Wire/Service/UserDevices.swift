public import ThumbAccess
public import ThumbConversation
public import ThumbLoop

/// A device for each user: opened when its user first comes; closed, and its keys gone from memory, once nobody of that user has
/// been there for a while.
@OnLoop public final class UserDevices: Devices {
    /// Each has a store's files, a worker's jobs and a connection to the bus; a user may have many uids, so it is bounded.
    public nonisolated static let most = 64
    /// A store that didn't open is tried again after this, whether or not its user keeps coming.
    public nonisolated static let secondsOfRefusal = 1.0

    private struct Entry {
        let device: Result<Device, Refusal>
        /// Runs while nobody of this user is there; from its start for one that didn't open.
        var timer: LoopTimer?
        var isUsed = true
    }

    private var entries: [UInt32: Entry] = [:]
    private let idleSeconds: Double
    private let most: Int
    private let secondsOfRefusal: Double
    private let open: (UInt32) -> Result<Device, Refusal>

    /// - Parameter idleSeconds: how long a device that nobody uses stays open; 0 is as long as the service.
    public init(
        idleSeconds: Double, most: Int = UserDevices.most, secondsOfRefusal: Double = UserDevices.secondsOfRefusal,
        open: @escaping (UInt32) -> Result<Device, Refusal>
    ) {
        self.idleSeconds = idleSeconds
        self.most = most
        self.secondsOfRefusal = secondsOfRefusal
        self.open = open
    }

    public func serves(_ uid: UInt32) -> Bool { true }
    public var mode: DeviceMode { .system }

    public func device(of uid: UInt32) -> Result<Device, Refusal> {
        if let entry = entries[uid] { return entry.device }
        if entries.count >= most {
            guard let idle = entries.first(where: { !$0.value.isUsed }) else { return .failure(.tooManyConnections) }
            close(idle.key)
        }
        let device = open(uid)
        var entry = Entry(device: device)
        if case .failure = device { entry.timer = plan(secondsOfRefusal, uid) }
        entries[uid] = entry
        return device
    }

    private func plan(_ seconds: Double, _ uid: UInt32) -> LoopTimer {
        EventLoop.shared.after(seconds) { [weak self] in self?.close(uid) }
    }

    public func populationChanged(of uid: UInt32, _ count: Int) {
        guard var entry = entries[uid] else { return }
        entry.isUsed = count > 0
        if case .success = entry.device {
            entry.timer?.cancel()
            entry.timer = entry.isUsed || idleSeconds <= 0 ? nil : plan(idleSeconds, uid)
        }
        entries[uid] = entry
    }

    private func close(_ uid: UInt32) {
        guard let entry = entries.removeValue(forKey: uid) else { return }
        entry.timer?.cancel()
        if case .success(let device) = entry.device { device.shutDown() }
    }

    public func shutDown() {
        for uid in entries.keys { close(uid) }
    }
}
