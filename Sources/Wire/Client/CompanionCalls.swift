public import ThumbAccess
import ThumbConversation

// Paired machines: blocking, on the caller's thread. Pairing and carrying are in `CompanionLines.swift`.
extension DeviceClient {
    /// The paired machines.
    public func companions() throws(KeychainFailure) -> [CompanionFacts] { try call(ListCompanions()).companions }

    /// Removes a pairing, after the owner's passcode.
    public func removeCompanion(_ id: [UInt8]) throws(KeychainFailure) { _ = try call(RemoveCompanion(id)) }

    /// Which companions may say yes for this device. Without a device: none.
    public func companionState() -> CompanionState {
        do {
            return try call(GetCompanionState())
        } catch {
            return CompanionState()
        }
    }
}
