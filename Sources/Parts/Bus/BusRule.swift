/// Which signals to receive. The bus filters by this rule, and what it sends is compared with the rule once more here.
public struct BusRule: Sendable, Hashable {
    public var interface: String
    public var member: String
    public var path: String?
    /// The first value, if it is a text.
    public var first: String?
    /// The third value, if it is a text.
    public var third: String?
    /// The name whose owner's signals the bus is asked for. It can't be compared here: only `BusOwner` knows the owner.
    public var from: String?

    public init(
        _ interface: String, _ member: String, path: String? = nil, first: String? = nil, third: String? = nil,
        from: String? = nil
    ) {
        self.third = third
        self.from = from
        self.interface = interface
        self.member = member
        self.path = path
        self.first = first
    }

    /// The rule in the form that the bus reads. It consists of our own words and of paths that the bus has found valid, so it contains no
    /// quote.
    var text: String {
        var text = "type='signal',interface='\(interface)',member='\(member)'"
        if let path { text += ",path='\(path)'" }
        if let first { text += ",arg0='\(first)'" }
        if let third { text += ",arg2='\(third)'" }
        if let from { text += ",sender='\(from)'" }
        return text
    }

    func covers(_ signal: BusMessage) -> Bool {
        interface == signal.interface && member == signal.member && (path == nil || path == signal.path)
            && (first == nil || first == signal.values.first?.text)
            && (third == nil || signal.values.count > 2 && third == signal.values[2].text)
    }
}
