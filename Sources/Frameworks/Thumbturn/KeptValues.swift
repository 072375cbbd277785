public import LocalAuthentication

/// A place where small values outlive the process.
///
/// Nothing kept here is secret. Somebody who can change it can make an app ask too often or too seldom. Secrets belong in the keychain,
/// behind an access control.
@MainActor public protocol KeptValues: AnyObject {
    /// Returns what was kept under `name`; nil if there is nothing, or it can't be read.
    func keptData(_ name: String) -> Data?
    /// Keeps `data` under `name`, or forgets what was kept there.
    func keep(_ data: Data?, _ name: String)
}

extension UserDefaults: KeptValues {
    /// Returns what was kept under `name`.
    public func keptData(_ name: String) -> Data? { data(forKey: name) }

    /// Keeps `data` under `name`, or forgets what was kept there. It is on disk when this returns.
    public func keep(_ data: Data?, _ name: String) {
        if let data { set(data, forKey: name) } else { removeObject(forKey: name) }
        // Apple's writes by itself. Foundation's on Linux writes only when told to, and would forget the value if the program ended
        // earlier.
        synchronize()
    }
}

/// Values that last only as long as the process: for tests, and where nothing should be kept.
@MainActor public final class MemoryValues: KeptValues {
    private var values: [String: Data] = [:]

    /// Makes an empty place.
    public init() {}

    /// Returns what was kept under `name`.
    public func keptData(_ name: String) -> Data? { values[name] }

    /// Keeps `data` under `name`, or forgets what was kept there.
    public func keep(_ data: Data?, _ name: String) { values[name] = data }
}
