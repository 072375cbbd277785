public import LocalAuthentication

/// A place where small values outlive the process.
///
/// Nothing kept here is secret. Somebody who can change it can make an app ask too often or too seldom. What must not come out
/// belongs in the keychain, behind an access control.
@MainActor public protocol KeptValues: AnyObject {
    /// What was kept under `name`; nil if nothing was, or it can't be read.
    func keptData(_ name: String) -> Data?
    /// Keeps `data` under `name`, or forgets what was kept there.
    func keep(_ data: Data?, _ name: String)
}

extension UserDefaults: KeptValues {
    /// What was kept under `name`.
    public func keptData(_ name: String) -> Data? { data(forKey: name) }

    /// Keeps `data` under `name`, or forgets what was kept there; on disk when it returns.
    public func keep(_ data: Data?, _ name: String) {
        if let data { set(data, forKey: name) } else { removeObject(forKey: name) }
        // Apple's writes by itself. Foundation's on Linux writes only when told to, and a program that ends before that would
        // forget.
        synchronize()
    }
}

/// Values that last as long as the process: for tests, and where nothing should be kept.
@MainActor public final class MemoryValues: KeptValues {
    private var values: [String: Data] = [:]

    /// An empty place.
    public init() {}

    /// What was kept under `name`.
    public func keptData(_ name: String) -> Data? { values[name] }

    /// Keeps `data` under `name`, or forgets what was kept there.
    public func keep(_ data: Data?, _ name: String) { values[name] = data }
}
