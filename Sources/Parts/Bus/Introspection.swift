/// The interfaces that every object has without its own doing.
enum Standard {
    static let properties = "org.freedesktop.DBus.Properties"
    static let introspectable = "org.freedesktop.DBus.Introspectable"
    static let peer = "org.freedesktop.DBus.Peer"
}

/// The page that tells a caller what an object has, in D-Bus's own form.
enum Introspection {
    private static let head = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>

        """
    private static let standard = [
        BusInterface(
            Standard.peer,
            methods: [method("Ping"), method("GetMachineId", gives: ["machine_uuid": "s"])]),
        BusInterface(Standard.introspectable, methods: [method("Introspect", gives: ["xml_data": "s"])]),
        BusInterface(
            Standard.properties,
            methods: [
                method("Get", takes: ["interface_name": "s", "property_name": "s"], gives: ["value": "v"]),
                method("GetAll", takes: ["interface_name": "s"], gives: ["props": "a{sv}"]),
                method("Set", takes: ["interface_name": "s", "property_name": "s", "value": "v"]),
            ],
            signals: [
                BusSignal(
                    "PropertiesChanged",
                    gives: ["interface_name": "s", "changed_properties": "a{sv}", "invalidated_properties": "as"])
            ]),
    ]
    private static let standardText = standard.map(text).joined()

    private static func method(_ name: String, takes: BusArguments = [:], gives: BusArguments = [:]) -> BusMethod {
        BusMethod(name, takes: takes, gives: gives, now: { (_) throws(BusFailure) in throw .unknownMethod })
    }

    static func page(_ interfaces: [BusInterface], _ children: [String]) -> String {
        var page = head
        page += standardText
        for interface in interfaces { page += text(interface) }
        for child in children where isElement(child) { page += " <node name=\"\(child)\"/>\n" }
        return page + "</node>\n"
    }

    /// Whether a text can be a part of a path. Nothing else is put between the page's brackets.
    private static func isElement(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
                default: false
                }
            }
    }

    private static func text(_ interface: BusInterface) -> String {
        var text = " <interface name=\"\(interface.name)\">\n"
        for method in interface.methods {
            let arguments = self.arguments(method.takes, " direction=\"in\"") + self.arguments(method.gives, " direction=\"out\"")
            text += element("method", method.name, "", arguments)
        }
        for signal in interface.signals { text += element("signal", signal.name, "", arguments(signal.gives, "")) }
        for property in interface.properties {
            let access = property.write == nil ? "read" : "readwrite"
            let note =
                "   <annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"\(property.change.rawValue)\"/>\n"
            text += element("property", property.name, " type=\"\(property.signature)\" access=\"\(access)\"", note)
        }
        return text + " </interface>\n"
    }

    private static func element(_ kind: String, _ name: String, _ more: String, _ inner: String) -> String {
        let head = "  <\(kind) name=\"\(name)\"\(more)"
        return inner.isEmpty ? head + "/>\n" : head + ">\n" + inner + "  </\(kind)>\n"
    }

    private static func arguments(_ arguments: BusArguments, _ direction: String) -> String {
        arguments.map { "   <arg name=\"\($0.key)\" type=\"\($0.value)\"\(direction)/>\n" }.joined()
    }
}
