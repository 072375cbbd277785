import Foundation
import Testing
import ThumbConversation
import ThumbLoop
import ThumbService

@Suite("A device for each user") @OnLoop struct UserDevicesTests {
    /// Which users' devices were opened, in order. None opens: what is kept of a refusal is kept as a device is.
    private final class Opened { var users: [UInt32] = [] }

    private func devices(most: Int, _ opened: Opened) -> UserDevices {
        UserDevices(idleSeconds: 600, most: most, secondsOfRefusal: 600) { uid in
            opened.users.append(uid)
            return .failure(.storeIncomplete)
        }
    }

    private func refusal(_ devices: UserDevices, _ uid: UInt32) -> Refusal? {
        if case .failure(let refusal) = devices.device(of: uid) { refusal } else { nil }
    }

    @Test("a user's device is opened once, however often the user comes")
    func once() {
        let opened = Opened()
        let devices = devices(most: 2, opened)
        for _ in 0..<3 { #expect(refusal(devices, 7) == .storeIncomplete) }
        #expect(refusal(devices, 8) == .storeIncomplete)
        #expect(opened.users == [7, 8])
    }

    @Test("as many as may be are open at once; one more takes the place of one that nobody uses, and of no other")
    func limit() {
        let opened = Opened()
        let devices = devices(most: 2, opened)
        for uid: UInt32 in [7, 8] {
            devices.populationChanged(of: uid, 1)
            _ = devices.device(of: uid)
        }
        #expect(refusal(devices, 9) == .tooManyConnections)
        devices.populationChanged(of: 8, 0)
        #expect(refusal(devices, 9) == .storeIncomplete)
        #expect(opened.users == [7, 8, 9])
        // The one that was used is still there, the one that wasn't is not.
        #expect(refusal(devices, 7) == .storeIncomplete && refusal(devices, 8) == .tooManyConnections)
        devices.shutDown()
        #expect(refusal(devices, 8) == .storeIncomplete)
    }
}
