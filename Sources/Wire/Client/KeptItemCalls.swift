public import ThumbAccess
import ThumbConversation

// What a provider keeps for the programs that call it: blocking, on the caller's thread.
extension DeviceClient {
    /// Releases kept items to a program that reads through this one, after its owner agreed if that is needed. Only the provider may ask.
    ///
    /// What isn't there any more, and what the owner refused this program, is left out; an item says by its reference which one it is.
    /// Never empty: fails with `.itemNotFound` if there was nothing, and with `.missingEntitlement` if all was refused.
    public func release(
        _ references: [[UInt8]], for reader: Reader, _ asking: AskingTerms
    ) throws(ReleaseFailure) -> [FoundItem] {
        var items: [FoundItem] = []
        try call(ReleaseForReader(reader, references, asking: asking)) { items += $0.items }
        return items
    }

    /// Whether a program that reads through this one would get each of these items, and whether the store is open. Asks nobody. Only the
    /// provider may ask.
    public func readable(
        _ references: [[UInt8]], by reader: Reader
    ) throws(KeychainFailure) -> (isOpen: Bool, items: [Readability]) {
        let answer = try call(GetReadable(reader, references))
        // An answer about other items than those that were named would be taken for one about them.
        guard answer.items.count == references.count else { throw .internalFailure }
        return (answer.isOpen, answer.items)
    }

    /// Asks the owner, each time, about something that a program wants which reads through this one. Returns if they agreed. Only the
    /// provider may ask.
    public func evaluate(for reader: Reader, _ asking: AskingTerms) throws(ReleaseFailure) {
        _ = try call(EvaluateForReader(reader, asking: asking))
    }

    /// What the provider keeps, of every program and without secrets. A program in a sandbox gets `.missingEntitlement`.
    public func keptItems() throws(KeychainFailure) -> [FoundItem] {
        var items: [FoundItem] = []
        try call(ListKeptItems()) { items += $0.items }
        return items
    }

    /// Changes a kept item's rule, after the owner's passcode and what its present rule demands.
    public func protect(_ reference: [UInt8], _ rule: AccessRule) throws(KeychainFailure) {
        _ = try call(ProtectKeptItem(reference, rule))
    }

    /// Lets a program read a kept item of another program from now on, after the owner's passcode.
    public func allow(_ identity: ExactName, name: String, reference: [UInt8]) throws(KeychainFailure) {
        _ = try call(AllowReader(identity, name: name, reference))
    }
}
