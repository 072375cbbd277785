internal import ThumbAccess
internal import ThumbAuthentication
internal import ThumbConversation
internal import ThumbKeychain
internal import ThumbLoop
internal import ThumbSignIn

/// Signing in: the words are checked, the owner is asked with them, and the key signs a statement that is composed here.
///
/// The owner is asked each time. A yes that was given for something else, or that an unlock of the session gave, would sign in
/// silently; so would one given for another origin.
@OnLoop final class StatementCall {
    private let calls: AppCalls
    private let call: UInt32

    init(_ calls: AppCalls, _ call: UInt32) {
        self.calls = calls
        self.call = call
    }

    func sign(_ use: StatementUse) throws(Refusal) {
        guard let request = StatementRequest(use) else { return calls.send(.failed(.parameter), call) }
        // Of the app's words only that it wants no fallback: nothing of its own stands beside origin and account.
        var asking = use.asking
        asking.words = PromptWords(reason: "", fallbackTitle: use.asking.words.fallbackTitle == "" ? "" : nil)
        let keychain = calls.device.keychain
        try KeychainCall(calls, call, asking, tellsEvaluation: true, signIn: use.words).run {
            [self] (authority) throws(KeychainFailure) in
            try keychain.hold(use, authority).map { released in
                .begun { [self] () throws(Refusal) in try sign(request, with: released) }
            }
        }
    }

    private func sign(_ request: StatementRequest, with released: ReleasedKey) throws(Refusal) {
        let parts = calls.device.parts
        guard let device = parts.spki(released.key.publicKey).flatMap(parts.sha256).flatMap(Digest32.init),
            let digest = parts.sha256(request.statement(of: DeviceID(device)).bytes)
        else { return calls.send(.failed(.internalFailure), call) }
        try KeyCall(calls, call).perform(.sign(digest: digest, .ecdsa), with: released)
    }
}

extension StatementRequest {
    /// nil unless each word may stand in a statement.
    fileprivate init?(_ use: StatementUse) {
        guard let origin = Origin(use.words.origin.text), let account = AccountName(use.words.account.text),
            let challenge = Challenge(use.challenge)
        else { return nil }
        self.init(origin: origin, account: account, purpose: Purpose(use.words.purpose), challenge: challenge)
    }
}
