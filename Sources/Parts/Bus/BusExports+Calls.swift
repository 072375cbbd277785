import CThumbLinux
import CThumbSystemd
import ThumbLoop

/// Which method or property a call means, and its arguments.
extension BusExports {
    @unsafe func plan(_ message: OpaquePointer) throws(BusFailure) -> Plan {
        let path = unsafe MessageCoding.text(sd_bus_message_get_path(message))
        let interface = unsafe MessageCoding.text(sd_bus_message_get_interface(message))
        let member = unsafe MessageCoding.text(sd_bus_message_get_member(message))
        // sd-bus itself answers calls of Peer, unless they leave the interface out.
        if interface.isEmpty || interface == Standard.peer, let plan = unsafe try peer(message, member) { return plan }
        let interfaces = objects.interfaces(at: path)
        if interface.isEmpty || interface == Standard.introspectable, member == "Introspect" {
            let children = objects.children(of: path)
            guard interfaces != nil || !children.isEmpty else { throw .unknownObject }
            unsafe try expect("", message)
            let page = Introspection.page(interfaces ?? [], children)
            return Plan(signature: "s", work: .done([.string(page)]))
        }
        guard let interfaces else { throw .unknownObject }
        if interface == Standard.properties { return unsafe try property(message, member, path, interfaces) }
        if interface.isEmpty {
            for one in interfaces where one.methods.contains(where: { $0.name == member }) {
                return unsafe try method(message, member, path, one)
            }
            return unsafe try property(message, member, path, interfaces)
        }
        guard let found = interfaces.first(where: { $0.name == interface }) else {
            throw interface == Standard.introspectable || interface == Standard.peer ? .unknownMethod : .unknownInterface
        }
        return unsafe try method(message, member, path, found)
    }

    @unsafe private func method(
        _ message: OpaquePointer, _ member: String, _ path: String, _ interface: BusInterface
    ) throws(BusFailure) -> Plan {
        guard let method = interface.methods.first(where: { $0.name == member }) else { throw .unknownMethod }
        let values: [BusValue]
        var budget = budget()
        budget.hasSecrets = method.hasSecrets
        do throws(BusFailure) {
            unsafe try expect(method.input.text, message)
            values = unsafe try reading(&budget) { budget throws(BusError) in
                unsafe try MessageCoding.values(of: message, &budget)
            }
        } catch {
            // Reading erases the secrets from the message. What wasn't read, sd-bus erases. It is told so only now: it would also erase the
            // answer, and can't if a secret is in there.
            if method.hasSecrets { unsafe sd_bus_message_sensitive(message) }
            throw error
        }
        let call = unsafe BusInvocation(
            sender: MessageCoding.text(sd_bus_message_get_sender(message)), path: path, interface: interface.name,
            member: member, values: values)
        let work: Work
        switch method.handler {
        case .now(let answer): work = .done(try answer(call))
        case .later(let answer): work = .later { () throws(BusFailure) in try await answer(call) }
        }
        return Plan(signature: method.output, bytes: cost(budget), work: work)
    }

    // MARK: Properties

    @unsafe private func property(
        _ message: OpaquePointer, _ member: String, _ path: String, _ interfaces: [BusInterface]
    ) throws(BusFailure) -> Plan {
        let sender = unsafe MessageCoding.text(sd_bus_message_get_sender(message))
        switch member {
        case "Get":
            unsafe try expect("ss", message)
            let words = unsafe try words(message, 2)
            let (interface, property) = try find(words[1], of: words[0], in: interfaces)
            let call = BusInvocation(sender: sender, path: path, interface: interface, member: property.name, values: [])
            return Plan(signature: "v", work: try read([(property, call)]) { $0.first.map { [$0.1] } ?? [] })
        case "GetAll":
            unsafe try expect("s", message)
            let words = unsafe try words(message, 1)
            let wanted = try all(of: words[0], in: interfaces).flatMap { interface in
                interface.properties.map { property in
                    let name = property.name
                    return (
                        property, BusInvocation(sender: sender, path: path, interface: interface.name, member: name, values: [])
                    )
                }
            }
            let work = try read(wanted, leavesOut: true) { [.array($0.map { .entry([.string($0.0), $0.1]) })] }
            return Plan(signature: "a{sv}", work: work)
        case "Set":
            unsafe try expect("ssv", message)
            return unsafe try write(message, sender, path, interfaces)
        default: throw .unknownMethod
        }
    }

    /// Reads properties: at once if all of them can be, and else by a task. Those that this caller may not read can be left out.
    private func read(
        _ wanted: [(BusProperty, BusInvocation)], leavesOut: Bool = false,
        _ form: @escaping @OnLoop ([(String, BusValue)]) -> [BusValue]
    ) throws(BusFailure) -> Work {
        let isQuick = wanted.allSatisfy { if case .now = $0.0.read { true } else { false } }
        guard isQuick else {
            return .later { () throws(BusFailure) in
                var values: [(String, BusValue)] = []
                for (property, call) in wanted {
                    do throws(BusFailure) {
                        let value: BusValue
                        switch property.read {
                        case .now(let read): value = try read(call)
                        case .later(let read): value = try await read(call)
                        }
                        values.append((property.name, .typedVariant(property.signature, value)))
                    } catch {
                        if !leavesOut { throw error }
                    }
                }
                return form(values)
            }
        }
        var values: [(String, BusValue)] = []
        for (property, call) in wanted {
            guard case .now(let read) = property.read else { continue }
            do throws(BusFailure) {
                values.append((property.name, .typedVariant(property.signature, try read(call))))
            } catch {
                if !leavesOut { throw error }
            }
        }
        return .done(form(values))
    }

    @unsafe private func write(
        _ message: OpaquePointer, _ sender: String, _ path: String, _ interfaces: [BusInterface]
    ) throws(BusFailure) -> Plan {
        var budget = budget()
        let words = unsafe try words(message, 2)
        let (interface, property) = try find(words[1], of: words[0], in: interfaces)
        guard let write = property.write else { throw .propertyReadOnly }
        var contents: UnsafePointer<CChar>?
        guard unsafe sd_bus_message_peek_type(message, nil, &contents) > 0,
            unsafe MessageCoding.text(contents) == property.signature.text
        else { throw .wrongSignature }
        let values: [BusValue] = unsafe try reading(&budget) { budget throws(BusError) in
            unsafe try MessageCoding.values(of: message, &budget)
        }
        guard case .variant(let value)? = values.first else { throw .wrongSignature }
        let call = BusInvocation(sender: sender, path: path, interface: interface, member: property.name, values: [value])
        return Plan(
            bytes: cost(budget),
            work: .later { () throws(BusFailure) in
                try await write(call)
                return []
            })
    }

    private func all(of name: String, in interfaces: [BusInterface]) throws(BusFailure) -> [BusInterface] {
        if name.isEmpty { return interfaces }
        if [Standard.properties, Standard.introspectable, Standard.peer].contains(name) { return [] }
        guard let found = interfaces.first(where: { $0.name == name }) else { throw .unknownInterface }
        return [found]
    }

    private func find(
        _ name: String, of interface: String, in interfaces: [BusInterface]
    ) throws(BusFailure) -> (String, BusProperty) {
        for one in try all(of: interface, in: interfaces) {
            if let property = one.properties.first(where: { $0.name == name }) { return (one.name, property) }
        }
        throw .unknownProperty
    }

    // MARK: Peer

    @unsafe private func peer(_ message: OpaquePointer, _ member: String) throws(BusFailure) -> Plan? {
        switch member {
        case "Ping":
            unsafe try expect("", message)
            return Plan(work: .done([]))
        case "GetMachineId":
            unsafe try expect("", message)
            var machine = sd_id128_t()
            guard unsafe sd_id128_get_machine(&machine) >= 0 else { throw .failed("This machine has no identifier.") }
            let text = unsafe withUnsafeBytes(of: &machine) {
                unsafe $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            }
            return Plan(signature: "s", work: .done([.string(text)]))
        default: return nil
        }
    }

    // MARK: Arguments

    private func budget() -> ReadingBudget {
        ReadingBudget(values: valueLimit, bytes: argumentBytes, text: BusLimit.argumentText)
    }

    /// What the values take: their bytes, and for each value its own place.
    private func cost(_ budget: ReadingBudget) -> Int {
        argumentBytes - budget.bytes + (valueLimit - budget.values) * MemoryLayout<BusValue>.stride
    }

    @unsafe private func expect(_ signature: String, _ message: OpaquePointer) throws(BusFailure) {
        guard unsafe MessageCoding.text(sd_bus_message_get_signature(message, 1)) == signature else { throw .wrongSignature }
    }

    @unsafe private func words(_ message: OpaquePointer, _ count: Int) throws(BusFailure) -> [String] {
        var budget = budget()
        return unsafe try reading(&budget) { budget throws(BusError) in
            var words: [String] = []
            for _ in 0..<count {
                words.append(unsafe try MessageCoding.string(message, CChar(bitPattern: UInt8(ascii: "s")), &budget))
            }
            return words
        }
    }

    @unsafe private func reading<Value>(
        _ budget: inout ReadingBudget, _ read: (inout ReadingBudget) throws(BusError) -> Value
    ) throws(BusFailure) -> Value {
        do throws(BusError) {
            return try read(&budget)
        } catch {
            if error.code == .noRoom { throw .noMemory }
            throw budget.isOver ? .tooMuch : .invalidArguments("The arguments can't be read.")
        }
    }
}
