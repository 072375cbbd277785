import ThumbAccess
import ThumbAuthentication
import ThumbConversation
import ThumbLoop
import ThumbSecrets

/// An app's contexts: what the owner has shown for each, and the credentials that the app left with them.
@OnLoop final class AppContexts {
    private let meter: Meter
    private var states: [UInt64: ContextState] = [:]
    private var credentials: [UInt64: [UInt8: SecretBytes]] = [:]

    init(_ meter: Meter) { self.meter = meter }

    subscript(_ number: UInt64?) -> ContextState { number.flatMap { states[$0] } ?? ContextState() }

    func change(_ number: UInt64, _ body: (inout ContextState) -> Void) throws(Refusal) {
        var state = states[number] ?? ContextState()
        if states[number] == nil {
            guard states.count < WireLimit.contextsPerConnection, meter.addContext() else { throw .tooManyContexts }
        }
        body(&state)
        states[number] = state
    }

    /// What the owner showed for any of them no longer counts.
    func forget() { for number in states.keys { states[number]?.forget() } }

    func release(_ number: UInt64) {
        if states.removeValue(forKey: number) != nil { meter.removeContexts(1) }
        credentials[number] = nil
    }

    func end() {
        meter.removeContexts(states.count)
        states = [:]
        credentials = [:]
    }

    // MARK: Credentials

    func credential(_ kind: UInt8, of number: UInt64) -> SecretBytes? { credentials[number]?[kind] }

    func applicationKey(of number: UInt64?) -> SecretBytes? {
        number.flatMap { credentials[$0]?[CredentialLimit.applicationPassword] }
    }

    func forgetCredentials(of number: UInt64) { credentials[number] = nil }

    /// Keeps a credential, or removes it. Returns false if it can't be kept: the context may have been released or invalidated while its
    /// password was stretched.
    func put(_ secret: SecretBytes?, _ kind: UInt8, of number: UInt64) -> Bool {
        guard let state = states[number], !state.isInvalidated else { return false }
        var kept = credentials[number] ?? [:]
        do {
            // What is kept for an app takes its user's share of memory, not the daemon's own.
            kept[kind] = try secret?.copy(in: meter.arena)
        } catch {
            return false
        }
        guard kept.count <= CredentialLimit.kinds else { return false }
        credentials[number] = kept.isEmpty ? nil : kept
        return true
    }
}
