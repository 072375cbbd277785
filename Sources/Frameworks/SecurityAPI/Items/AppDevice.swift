import Foundation
package import ThumbClient

/// The device this program talks to.
package enum AppDevice {
    /// The only client. It is told once what the program calls itself, because it has no Foundation to find that out.
    package static let client: DeviceClient = {
        DeviceClient.shared.introduce(as: Bundle.main.bundleIdentifier, faceUsage: faceUsage)
        return .shared
    }()

    private static let faceUsageKey = "NSFaceIDUsageDescription"

    /// Why this program wants face recognition, from its `Info.plist`. A plain executable has `NAME.Info.plist` beside it, so that several
    /// programs in one folder can each have their own.
    private static var faceUsage: String? {
        if let own = Bundle.main.object(forInfoDictionaryKey: faceUsageKey) as? String { return own }
        guard let executable = Bundle.main.executablePath,
            let data = FileManager.default.contents(atPath: executable + ".Info.plist"),
            let properties = try? unsafe PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        else { return nil }
        return properties[faceUsageKey] as? String
    }
}
