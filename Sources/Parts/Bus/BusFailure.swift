/// The error that a call to us is answered with: its name on the bus, and a sentence for whoever called.
public struct BusFailure: Error, Sendable, Hashable {
    /// What kind of error it is, as D-Bus names errors.
    public let name: String
    /// What to do next, in words of ours. It goes to the caller and into no log.
    public let message: String

    /// An error of the exported interface's own.
    public init(_ name: String, _ message: String) {
        self.name = name
        self.message = message
    }

    private init(standard name: String, _ message: String) { self.init("org.freedesktop.DBus.Error." + name, message) }

    /// Something else went wrong.
    public static func failed(_ message: String) -> BusFailure { BusFailure(standard: "Failed", message) }
    /// An argument isn't one that the method takes.
    public static func invalidArguments(_ message: String) -> BusFailure { BusFailure(standard: "InvalidArgs", message) }
    /// This caller may not.
    public static func accessDenied(_ message: String) -> BusFailure { BusFailure(standard: "AccessDenied", message) }
    /// This can't be done here.
    public static func notSupported(_ message: String) -> BusFailure { BusFailure(standard: "NotSupported", message) }
    /// There is nothing at the path.
    public static let unknownObject = BusFailure(standard: "UnknownObject", "There is no such object.")
    /// The object doesn't have the interface.
    public static let unknownInterface = BusFailure(standard: "UnknownInterface", "The object has no such interface.")
    /// The interface doesn't have the method.
    public static let unknownMethod = BusFailure(standard: "UnknownMethod", "The object has no such method.")
    /// The interface doesn't have the property.
    public static let unknownProperty = BusFailure(standard: "UnknownProperty", "The object has no such property.")
    /// The property has no way to be written.
    public static let propertyReadOnly = BusFailure(standard: "PropertyReadOnly", "The property can't be changed.")
    /// The arguments' types are others than the declared ones.
    public static let wrongSignature = invalidArguments("The arguments have other types than the method takes.")
    /// The call is over a limit of `BusLimit`.
    public static let tooMuch = BusFailure(standard: "LimitsExceeded", "The call has too many values or too long ones.")
    /// The caller, or all of them, have too many calls open.
    public static let tooManyCalls = BusFailure(
        standard: "LimitsExceeded", "Too many calls wait for their answers. Wait for some of them first.")
    /// There is no secret memory left.
    public static let noMemory = BusFailure(standard: "NoMemory", "There is no room for the secret now. Try again later.")
}
