import CThumbLinux
import CThumbSystemd
import ThumbLoop

extension Bus {
    /// Answers calls with these objects from now on, until the bus is gone. Without any, nobody's calls are answered.
    public func export(_ objects: any BusObjects) {
        exports = BusExports(self, objects)
        departures = listenForDepartures { [weak self] name in self?.exports?.forget(name) }
    }

    /// How many calls to us aren't answered yet.
    public var callsUnderWay: Int { exports?.count ?? 0 }

    /// Emits a signal of an interface, to everybody who listens or to one connection.
    ///
    /// Fails with `failed` if the interface has no such signal or the values are others than it has, and if the bus is gone.
    public func emit(
        _ signal: String, of interface: BusInterface, at path: String, _ values: [BusValue], to destination: String? = nil
    ) throws(BusError) {
        guard let signature = interface.signals.first(where: { $0.name == signal })?.signature else { throw BusError(.failed) }
        try emit(signal, interface.name, path, values, signature, destination)
    }

    /// Tells that properties have changed: those of `changed` with their new values, those of `invalidated` by name alone.
    ///
    /// Fails as `emit` does.
    public func tell(
        changed: [String: BusValue] = [:], invalidated: [String] = [], of interface: BusInterface, at path: String,
        to destination: String? = nil
    ) throws(BusError) {
        var entries: [BusValue] = []
        for (name, value) in changed {
            guard let property = interface.properties.first(where: { $0.name == name }) else { throw BusError(.failed) }
            entries.append(.entry([.string(name), .typedVariant(property.signature, value)]))
        }
        for name in invalidated where !interface.properties.contains(where: { $0.name == name }) { throw BusError(.failed) }
        let names = invalidated.map { BusValue.string($0) }
        try emit(
            "PropertiesChanged", Standard.properties, path, [.string(interface.name), .array(entries), .array(names)],
            "sa{sv}as", destination)
    }

    private func emit(
        _ member: String, _ interface: String, _ path: String, _ values: [BusValue], _ signature: BusSignature,
        _ destination: String?
    ) throws(BusError) {
        guard isConnected else { throw BusError(.disconnected) }
        var made: OpaquePointer?
        let status = unsafe sd_bus_message_new_signal(handle, &made, path, interface, member)
        guard status >= 0, let message = unsafe made else { throw BusError(.failed, number: status) }
        defer { unsafe sd_bus_message_unref(message) }
        try unsafe MessageCoding.append(values, as: signature, to: message)
        if let destination {
            let status = unsafe sd_bus_message_set_destination(message, destination)
            guard status >= 0 else { throw BusError(.failed, number: status) }
        }
        try unsafe transmit(message)
    }
}
