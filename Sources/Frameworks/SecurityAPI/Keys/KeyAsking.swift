import ThumbAccess

/// How the owner is asked when a key is used. It is remembered from the query that found the key, and evaluated again at each use.
///
/// @unchecked: it holds an app's context, whose members may be called from any thread.
final class KeyAsking: @unchecked Sendable {
    private let reading: AskingReading?

    /// For a key without terms of its own. It is used as after a query that says nothing about asking.
    static let plain = KeyAsking(nil)

    init(_ reading: AskingReading?) { self.reading = reading }

    /// Whether its context was ended.
    var isVoid: Bool { reading?.isVoid ?? false }

    /// The terms that are sent with a use; fails as a query does.
    func terms() throws(KeychainFailure) -> AskingTerms { try reading?.terms() ?? AskingTerms() }
}
