/// The error that a call to us is answered with: its name on the bus, and a sentence for whoever called.
public struct BusFailure: Error, Sendable, Hashable {
    public let name: String
    /// What to do next, in words of ours. It goes to the caller and into no log.
    public let message: String

    public init(_ name: String, _ message: String) {
        self.name = name
        self.message = message
    }

    private init(standard name: String, _ message: String) { self.init("org.freedesktop.DBus.Error." + name, message) }

    public static func failed(_ message: String) -> BusFailure { BusFailure(standard: "Failed", message) }
    public static func invalidArguments(_ message: String) -> BusFailure { BusFailure(standard: "InvalidArgs", message) }
    public static func accessDenied(_ message: String) -> BusFailure { BusFailure(standard: "AccessDenied", message) }
    public static func notSupported(_ message: String) -> BusFailure { BusFailure(standard: "NotSupported", message) }
    public static let unknownObject = BusFailure(standard: "UnknownObject", "There is no such object.")
    public static let unknownInterface = BusFailure(standard: "UnknownInterface", "The object has no such interface.")
    public static let unknownMethod = BusFailure(standard: "UnknownMethod", "The object has no such method.")
    public static let unknownProperty = BusFailure(standard: "UnknownProperty", "The object has no such property.")
    public static let propertyReadOnly = BusFailure(standard: "PropertyReadOnly", "The property can't be changed.")
    public static let wrongSignature = invalidArguments("The arguments have other types than the method takes.")
    public static let tooMuch = BusFailure(standard: "LimitsExceeded", "The call has too many values or too long ones.")
    public static let tooManyCalls = BusFailure(
        standard: "LimitsExceeded", "Too many calls wait for their answers. Wait for some of them first.")
    public static let noMemory = BusFailure(standard: "NoMemory", "There is no room for the secret now. Try again later.")
}
