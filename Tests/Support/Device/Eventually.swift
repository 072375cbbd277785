import Foundation
import Testing

/// Waits until something holds that another thread brings about. Waiting in vain is an issue, and the test goes on: each of its other waits
/// has an end too.
public func eventually(_ what: Comment, _ holds: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async {
    for _ in 0..<30_000 {
        if holds() { return }
        try? await Task.sleep(for: .milliseconds(2))
    }
    Issue.record(what, sourceLocation: sourceLocation)
}
