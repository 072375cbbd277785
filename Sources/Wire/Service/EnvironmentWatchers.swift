import ThumbLoop

/// The watchers who want to know when the ways to authenticate may have changed. They learn that something changed; what it is, each asks
/// for itself.
@OnLoop final class EnvironmentWatchers {
    private var watchers: [ObjectIdentifier: () -> Void] = [:]

    func observe(_ owner: AnyObject, _ body: @escaping () -> Void) { watchers[ObjectIdentifier(owner)] = body }
    func ignore(_ owner: AnyObject) { watchers[ObjectIdentifier(owner)] = nil }
    func tell() { for body in watchers.values { body() } }
}
