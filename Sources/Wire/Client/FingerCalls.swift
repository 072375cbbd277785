public import ThumbAccess
import ThumbConversation

// The reader's fingers: blocking, on the caller's thread.
extension DeviceClient {
    /// The fingers that are enrolled.
    public func fingers() throws(FingerFailure) -> EnrolledFingers { try call(ListFingers()) }

    /// Enrolls a finger, after the owner's passcode; `progress` hears how far it has come, on this thread.
    public func enroll(_ finger: Finger, progress: (EnrollingProgress) -> Void) throws(FingerFailure) {
        if let failure = try call(EnrollFinger(finger), step: progress).failure { throw .reader(failure) }
    }

    /// Forgets a finger, or all of them, after the owner's passcode.
    public func forget(_ finger: Finger?) throws(FingerFailure) {
        if let failure = try call(ForgetFinger(finger)).failure { throw .reader(failure) }
    }
}
