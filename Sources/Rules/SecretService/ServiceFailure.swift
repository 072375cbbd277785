/// Why a call at the bus isn't done.
public enum ServiceFailure: Error, Sendable, Hashable, CaseIterable {
    /// The item or its collection is locked for this caller.
    case isLocked
    /// There is no such session, or it is another client's.
    case noSession
    /// There is no object at that path.
    case noSuchObject
    /// What was sent has another form than it should, or is over a limit.
    case invalid
    /// Something that this service doesn't do, such as an unknown algorithm.
    case notSupported
    /// The caller isn't known, or isn't the program any more that it was.
    case denied
    /// One client has as much as one may have.
    case tooMuch
    /// The daemon can't be reached, or can't write.
    case failed

    /// The error's name on the bus.
    public var name: String {
        switch self {
        case .isLocked: "org.freedesktop.Secret.Error.IsLocked"
        case .noSession: "org.freedesktop.Secret.Error.NoSession"
        case .noSuchObject: "org.freedesktop.Secret.Error.NoSuchObject"
        case .invalid: "org.freedesktop.DBus.Error.InvalidArgs"
        case .notSupported: "org.freedesktop.DBus.Error.NotSupported"
        case .denied: "org.freedesktop.DBus.Error.AccessDenied"
        case .tooMuch: "org.freedesktop.DBus.Error.LimitsExceeded"
        case .failed: "org.freedesktop.DBus.Error.Failed"
        }
    }

    /// What happened and what to do, for a person.
    public var message: String {
        switch self {
        case .isLocked: "This is locked for you. Unlock it first."
        case .noSession: "There is no such session. Open one first."
        case .noSuchObject: "There is no such object."
        case .invalid: "That is not what this call takes. Check its values and their sizes."
        case .notSupported: "Thumbturn doesn't do that."
        case .denied: "Thumbturn can't tell which program you are. Start the program again."
        case .tooMuch: "You have as many of these as one program may have. Close some first."
        case .failed: "Thumbturn's daemon doesn't answer. See 'thumbturn doctor'."
        }
    }
}
