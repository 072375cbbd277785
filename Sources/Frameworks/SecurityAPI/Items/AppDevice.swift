import Foundation
package import ThumbClient

/// The device this program talks to.
package enum AppDevice {
    /// The one client, told once what the program calls itself: the client has no Foundation to ask.
    package static let client: DeviceClient = {
        if let identifier = Bundle.main.bundleIdentifier { DeviceClient.shared.introduce(as: identifier) }
        return .shared
    }()
}
