public import ThumbAccess
public import ThumbConversation
public import ThumbLoop

/// Whose device a peer speaks with: the kernel's word on its uid is all that decides.
@OnLoop public protocol Devices: AnyObject {
    /// Whether connections of this user are heard at all.
    func serves(_ uid: UInt32) -> Bool
    /// The user's device, opened if need be, or why there is none.
    func device(of uid: UInt32) -> Result<Device, Refusal>
    /// How they serve: what a welcome says.
    var mode: DeviceMode { get }
    /// A user has so many connections now.
    func populationChanged(of uid: UInt32, _ count: Int)
    /// Takes every key out of memory and closes every store.
    func shutDown()
}

/// One device, or one reason why there is none: the user's own daemon, and a simulated device.
@OnLoop final class OneDevice: Devices {
    private var only: Result<Device, Refusal>
    /// Peers of other users are closed unheard; nil takes all in, as the one user they are to a test's device.
    private let onlyUser: UInt32?

    init(_ device: Result<Device, Refusal>, onlyUser: UInt32?) { (only, self.onlyUser) = (device, onlyUser) }

    func serves(_ uid: UInt32) -> Bool { onlyUser == nil || uid == onlyUser }
    func device(of uid: UInt32) -> Result<Device, Refusal> { only }
    var mode: DeviceMode { (try? only.get())?.parts.mode ?? .user }
    func populationChanged(of uid: UInt32, _ count: Int) {}

    func shutDown() {
        if case .success(let device) = only { device.shutDown() }
        only = .failure(.storeUnavailable)
    }
}
