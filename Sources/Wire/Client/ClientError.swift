import ThumbAccess
public import ThumbConversation

/// Why the daemon could not be asked, or did not answer.
public struct ClientError: Error, Sendable, Equatable {
    public enum Code: Sendable, Equatable {
        /// No daemon runs and none could be started.
        case notFound
        /// It was there and went away before it answered. The next call connects again.
        case connectionLost
        /// The socket belongs to somebody who shouldn't own it.
        case impostor
        /// It answered with something this client doesn't understand.
        case protocolBroken
        case refused(Refusal)
        /// It is there and says nothing, because somebody stopped it or because it hangs. Only a process that watches for silence gets this.
        case silent(isStopped: Bool)
    }

    public let code: Code
    /// What to do about it, for a person.
    public let advice: String

    /// Whether the daemon can't have seen any of the call, so that the call may be repeated.
    let nothingWasSent: Bool

    /// The same, where it is known that nothing of the call was sent. What isn't the connection's loss stays as it is.
    var unsent: ClientError { code == .connectionLost ? ClientError(code, advice, nothingWasSent: true) : self }

    init(_ code: Code, _ advice: String = "", nothingWasSent: Bool = false) {
        self.code = code
        self.advice = advice
        self.nothingWasSent = nothingWasSent
    }

    public static func == (a: ClientError, b: ClientError) -> Bool { a.code == b.code }
}

extension ClientError {
    /// The same error as a keychain failure.
    var keychainFailure: KeychainFailure {
        switch code {
        case .refused(.tooLarge): .dataTooLarge
        case .refused(.noRoom): .outOfMemory
        case .refused(.malformed): .parameter
        case .refused(.storeUnavailable), .refused(.oldCopy), .refused(.storeIncomplete): .storeUnavailable
        case .refused(.custodianUnavailable): .custodianAbsent
        case .notFound, .connectionLost, .impostor, .protocolBroken, .refused, .silent: .deviceUnreachable
        }
    }

    /// The same error as an evaluation failure: an absent device has no biometry, and a device that vanished has cancelled.
    var evaluationFailure: EvaluationFailure {
        switch code {
        case .notFound, .impostor: .biometryNotAvailable
        case .connectionLost, .silent: .systemCancel
        case .protocolBroken, .refused: .deviceFailure
        }
    }
}
