import ThumbAccess

/// How the owner is asked when a key is used. It is remembered from the query that found the key, and read again at each use.
///
/// @unchecked: it holds an app's context, whose members may be called from any thread.
final class KeyAsking: @unchecked Sendable {
    private let reading: AskingReading?

    /// For a key without terms of its own: asked as by a query that says nothing.
    static let plain = KeyAsking(nil)

    init(_ reading: AskingReading?) { self.reading = reading }

    /// Whether it comes with a context that was ended.
    var isVoid: Bool { reading?.isVoid ?? false }

    /// What is sent along; fails as a query does.
    func terms() throws(KeychainFailure) -> AskingTerms { try reading?.terms() ?? AskingTerms() }
}
