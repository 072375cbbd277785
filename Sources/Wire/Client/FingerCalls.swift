public import ThumbAccess
internal import ThumbConversation

/// Why a call about fingers came to nothing.
public enum FingerFailure: Error, Sendable, Hashable {
    /// The reader, or what keeps it, said no.
    case reader(EnrollingFailure)
    /// The owner wasn't recognized, or could not be asked; or the daemon can't be reached.
    case keychain(KeychainFailure)
}

// The reader's fingers: blocking, on the caller's thread.
extension DeviceClient {
    /// The fingers that are enrolled.
    public func fingers() throws(FingerFailure) -> EnrolledFingers {
        try settle(.listFingers) {
            switch $0 {
            case .fingers(let fingers): .success(fingers)
            case .enrollingEnded(let failure): .failure(.reader(failure ?? .failed))
            case .failed(let failure): .failure(.keychain(failure))
            default: nil
            }
        }
    }

    /// Enrolls a finger, after the owner's passcode; `progress` hears how far it has come, on this thread.
    public func enroll(_ finger: Finger, progress: (EnrollingProgress) -> Void) throws(FingerFailure) {
        try settle(.enroll(finger)) {
            if case .enrolling(let step) = $0 { progress(step) }
            return Self.end(of: $0)
        }
    }

    /// Forgets a finger, or all of them, after the owner's passcode.
    public func forget(_ finger: Finger?) throws(FingerFailure) { try settle(.forgetFinger(finger)) { Self.end(of: $0) } }

    private static func end(of answer: Answer) -> Result<Void, FingerFailure>? {
        switch answer {
        case .enrollingEnded(nil): .success(())
        case .enrollingEnded(let failure?): .failure(.reader(failure))
        case .failed(let failure): .failure(.keychain(failure))
        default: nil
        }
    }

    private func settle<Value>(
        _ request: Request, _ handle: (Answer) -> Result<Value, FingerFailure>?
    ) throws(FingerFailure) -> Value {
        let result: Result<Value, FingerFailure>
        do {
            result = try ask(request, handle)
        } catch {
            throw .keychain(error.keychainFailure)
        }
        return try result.get()
    }
}
