public import ThumbLoop

/// An interface that objects of ours have. Make it once for each type of object, not for each object: a handler is told the path.
public struct BusInterface: Sendable {
    /// Its name on the bus.
    public let name: String
    let methods: [BusMethod]
    let properties: [BusProperty]
    let signals: [BusSignal]

    /// An interface with what it has.
    public init(_ name: String, methods: [BusMethod] = [], properties: [BusProperty] = [], signals: [BusSignal] = []) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.signals = signals
    }
}

/// How a call is answered: at once, or by a task on the loop.
enum BusHandler<Answer: Sendable>: Sendable {
    case now(@OnLoop (BusInvocation) throws(BusFailure) -> Answer)
    case later(@OnLoop (BusInvocation) async throws(BusFailure) -> Answer)
}

/// The names and types of arguments, in their order.
public typealias BusArguments = KeyValuePairs<String, BusSignature>

/// A method, and what answers it.
public struct BusMethod: Sendable {
    let name: String
    let takes: BusArguments
    let gives: BusArguments
    let input: BusSignature
    let output: BusSignature
    let hasSecrets: Bool
    let handler: BusHandler<[BusValue]>

    /// A method that may wait before it answers. Its task is cancelled when the caller leaves the bus.
    ///
    /// A closure has to say what it throws: `{ (call) async throws(BusFailure) in … }`.
    ///
    /// - Parameter hasSecrets: whether arrays of bytes in the arguments are secrets. They are read as `secret`, and the call's message is
    ///   erased. An answer's are secret where they are `BusValue.secret`.
    public init(
        _ name: String, takes: BusArguments = [:], gives: BusArguments = [:], hasSecrets: Bool = false,
        _ answer: @escaping @OnLoop (BusInvocation) async throws(BusFailure) -> [BusValue]
    ) {
        self.init(name, takes, gives, hasSecrets, .later(answer))
    }

    /// A method that answers without waiting. It costs less, and needs no task.
    public init(
        _ name: String, takes: BusArguments = [:], gives: BusArguments = [:], hasSecrets: Bool = false,
        now answer: @escaping @OnLoop (BusInvocation) throws(BusFailure) -> [BusValue]
    ) {
        self.init(name, takes, gives, hasSecrets, .now(answer))
    }

    private init(
        _ name: String, _ takes: BusArguments, _ gives: BusArguments, _ hasSecrets: Bool, _ handler: BusHandler<[BusValue]>
    ) {
        self.name = name
        self.takes = takes
        self.gives = gives
        self.hasSecrets = hasSecrets
        self.handler = handler
        input = BusSignature(takes.map(\.value))
        output = BusSignature(gives.map(\.value))
    }
}

/// A property, and what reads and writes it.
public struct BusProperty: Sendable {
    /// How a change is told. The property's owner tells it, with `Bus.tell`.
    public enum Change: String, Sendable {
        /// With its new value.
        case value = "true"
        /// By its name alone.
        case invalidates
        /// It never changes.
        case never = "const"
        /// Not at all.
        case untold = "false"
    }

    let name: String
    let signature: BusSignature
    let change: Change
    let read: BusHandler<BusValue>
    let write: (@OnLoop (BusInvocation) async throws(BusFailure) -> Void)?

    /// A property that is read without waiting. `write` finds the new value as the invocation's only one.
    public init(
        _ name: String, _ signature: BusSignature, changes: Change = .value,
        now read: @escaping @OnLoop (BusInvocation) throws(BusFailure) -> BusValue,
        write: (@OnLoop (BusInvocation) async throws(BusFailure) -> Void)? = nil
    ) {
        self.init(name, signature, changes, .now(read), write)
    }

    /// A property whose reading may wait.
    public init(
        _ name: String, _ signature: BusSignature, changes: Change = .value,
        read: @escaping @OnLoop (BusInvocation) async throws(BusFailure) -> BusValue,
        write: (@OnLoop (BusInvocation) async throws(BusFailure) -> Void)? = nil
    ) {
        self.init(name, signature, changes, .later(read), write)
    }

    private init(
        _ name: String, _ signature: BusSignature, _ change: Change, _ read: BusHandler<BusValue>,
        _ write: (@OnLoop (BusInvocation) async throws(BusFailure) -> Void)?
    ) {
        precondition(signature.types.count == 1, "a property has one type")
        self.name = name
        self.signature = signature
        self.change = change
        self.read = read
        self.write = write
    }
}

/// A signal that objects of ours emit.
public struct BusSignal: Sendable {
    let name: String
    let gives: BusArguments
    let signature: BusSignature

    /// A signal with these values.
    public init(_ name: String, gives: BusArguments = [:]) {
        self.name = name
        self.gives = gives
        signature = BusSignature(gives.map(\.value))
    }
}

/// A call to us: a method's, or the reading or writing of a property.
public struct BusInvocation: Sendable {
    /// The caller's own name on the bus, stamped by the bus. It never changes hands.
    public let sender: String
    /// The object.
    public let path: String
    /// The interface that was called, or the property's.
    public let interface: String
    /// The method, or the property.
    public let member: String
    /// A method's arguments, of the types that it takes. A property's new value if it is written.
    public let values: [BusValue]
}

/// The objects that a program exports. They are looked up at each call, so there may be very many of them.
@OnLoop public protocol BusObjects: AnyObject {
    /// The interfaces of the object at a path; nil if there is none.
    func interfaces(at path: String) -> [BusInterface]?
    /// The next elements of the paths of the objects below that path. Only introspection asks for it.
    func children(of path: String) -> [String]
}
