import ThumbAccess

/// How the owner is to be asked when a key is used: remembered from the query that found it, read anew at each use.
///
/// @unchecked: it holds an app's context, whose members may be called from any thread.
final class KeyAsking: @unchecked Sendable {
    private let reading: AskingReading?

    /// Without a word on it: asked as a query is that says nothing.
    static let plain = KeyAsking(nil)

    init(_ reading: AskingReading?) { self.reading = reading }

    /// Whether it comes with a context that was ended.
    var isVoid: Bool { reading?.isVoid ?? false }

    /// What is sent along; fails as a query does.
    func terms() throws(KeychainFailure) -> AskingTerms { try reading?.terms() ?? AskingTerms() }
}
