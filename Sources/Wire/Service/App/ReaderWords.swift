import ThumbAccess
import ThumbAuthentication
import ThumbKeychain

/// What the owner is asked about kept items, in the daemon's own words.
enum ReaderWords {
    /// How many of the processes above a reader are named. The nearest ones say the most.
    private static let named = 2

    /// The question whether a reader may have items.
    static func question(_ question: ReaderQuestion, _ reader: Reader, on device: DeviceState) -> PromptWords {
        let named = question.wanted.first ?? question.items.first
        let first = item(named)
        let comma = named?.maker.isEmpty == false ? "," : ""
        let more = question.items.count - 1
        let others = more > 0 ? "\(comma) and \(more) other \(more == 1 ? "item" : "items")" : ""
        let lasts = question.wanted.isEmpty ? "" : effect(question.demands, on: device)
        // A clause about the maker is closed where the sentence goes on.
        let pause = more == 0 && lasts.hasPrefix(" ") ? comma : ""
        return PromptWords(
            ours: "let \(reader.program.quoted)\(above(reader)) read \(first)\(others)"
                + pause + lasts)
    }

    /// That a reader is let have an item from now on, before it ever asked.
    static func allowing(_ identity: ExactName, _ stored: StoredItem) -> String {
        "let \(quoted(identity, limit: 100)) read \(item(stored))\(stored.maker.isEmpty ? "" : ",") from now on"
    }

    /// That an item's rule is changed.
    static func protecting(_ stored: StoredItem) -> String { "change what it takes to read \(item(stored))" }

    /// An item, by its label and its maker.
    static func item(_ stored: StoredItem?) -> String {
        guard let stored else { return "an item that is gone" }
        let label =
            if case .text(let label) = stored.attributes[.label], !label.isEmpty { label } else { "an item without a name" }
        let name = SafeText.quoted(label, limit: 50)
        return stored.maker.isEmpty ? name : "\(name), which \(quoted(stored.maker, limit: 60)) saved"
    }

    private static func quoted(_ identity: ExactName, limit: Int) -> String {
        SafeText.quoted(KeptItem.words(of: identity, limit: limit))
    }

    private static func above(_ reader: Reader) -> String {
        guard !reader.above.isEmpty else { return "" }
        let names = reader.above.prefix(named).map { SafeText.quoted($0, limit: 16) }
        return ", started by \(names.joined(separator: " in ")),"
    }

    /// How long the answer counts, which depends on how it is given.
    private static func effect(_ demands: Demands, on device: DeviceState) -> String {
        let possible = demands.alternatives.filter { device.biometryFailure == nil || !$0.contains(.biometry) }
        let lasting = possible.filter { $0.contains(.passcode) }
        if lasting.isEmpty { return " this once" }
        if lasting.count == possible.count { return " from now on" }
        guard demands.mention(.biometry) else { return " from now on, if you give the passcode" }
        let act = device.kind == .faceID ? "your face" : "a touch"
        return "; \(act) allows it this once, the passcode from now on"
    }
}
