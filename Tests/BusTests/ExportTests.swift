import CThumbLinux
import Foundation
import Testing
import ThumbBus
import ThumbLoop
import ThumbSecrets
import thumbturn_test_programs

extension OnABus {
    @Suite("Exported objects", .timeLimit(.minutes(5))) @OnLoop struct ExportTests {
        private static let properties = "org.freedesktop.DBus.Properties"

        @Test("a call is answered, at once or later")
        func call() async throws {
            let open = try await OpenShop()
            let client = try open.client()
            #expect(try await client.ask("Add", [.int32(2), .int32(40)]) == [.int32(42)])
            #expect(try await client.ask("Slow", [.uint32(7)]) == [.uint32(7)])
            #expect(
                try await client.ask("Only", interface: "org.example.Second", path: "/shop/100") == [.string("second /shop/100")])
        }

        @Test("values of every type come in and go out as they are")
        func types() async throws {
            let open = try await OpenShop()
            let client = try open.client()
            let map = BusValue.array([.entry([.string("a"), .string("b")]), .entry([.string("ü"), .string("")])])
            let row = BusValue.structure([.uint32(1), map, .array([.path("/a"), .path("/b")])])
            let values: [BusValue] = [
                .byte(255), .bool(true), .int16(-5), .uint16(65535), .int32(-7), .uint32(.max), .int64(.min), .uint64(.max),
                .double(0.5),
                .string("line\nline"), .path("/a/b"), .signature("a{sv}"),
                .variant(.structure([.string("x"), .variant(.byte(1))])),
                .array([.string("one"), .string("")]), map,
                .array([.entry([.string("k"), .variant(.array([.variant(.bool(false))]))])]), .array([row, row]),
                .bytes([0, 1, 255]),
            ]
            let signature: BusSignature = "ybnqiuxtdsogvasa{ss}a{sv}a(ua{ss}ao)ay"
            #expect(try await client.ask("Echo", values, as: signature) == values)
            // Told by the values themselves.
            #expect(try await client.ask("Echo", values) == values)
            let empty: [BusValue] =
                values.prefix(13) + [
                    .array([]), .array([]), .array([]), .array([]), .bytes([]),
                ]
            #expect(try await client.ask("Echo", empty, as: signature) == empty)
            #expect(try await client.ask("Nothing").count == 6)
            // Within a variant nothing tells what an empty array is one of, unless it is said.
            let unknown = BusValue.array([.entry([.string("k"), .variant(.array([]))])])
            let known = BusValue.array([.entry([.string("k"), .typedVariant("a{ss}", .array([]))])])
            await #expect(throws: BusError(.failed)) { try await client.ask("Dictionary", [unknown]) }
            _ = try await client.ask("Dictionary", [known])
            #expect(await open.shop.seen.next().values == [unknown])
        }

        @Test("a descriptor comes in and goes out")
        func descriptors() async throws {
            let open = try await OpenShop()
            let client = try open.client()
            let file = BusDescriptor(thumb_memory_file())
            #expect(write(file.number, "here", 4) == 4)
            guard case .descriptor(let back)? = try await client.ask("Open", [.descriptor(file)]).first else {
                Issue.record("no descriptor came back")
                return
            }
            var room = [UInt8](repeating: 0, count: 8)
            #expect(pread(back.number, &room, 8, 0) == 4 && room.prefix(4) == Array("here".utf8)[...])
            // No program that is started has it too.
            #expect(thumb_fcntl(back.number, F_GETFD, 0) == FD_CLOEXEC)
        }

        @Test("a call whose caller has left before the call's turn isn't begun")
        func gone() async throws {
            let (raw, shop) = (try RawBus(), Shop())
            let bus = try Bus(address: raw.address)
            bus.export(shop)
            try await onThread { try raw.accept() }
            let driver = "org.freedesktop.DBus"
            var left = RawMessage(type: 4, serial: 3)
            left.fields = [
                .text(1, "o", "/org/freedesktop/DBus"), .text(2, "s", driver), .text(3, "s", "NameOwnerChanged"),
                .text(7, "s", driver), .signature("sss"),
            ]
            let name = RawMessage.text(":1.7") + [0, 0, 0]
            left.body = name + name + RawMessage.text("")
            let fence = RawMessage("Slow", sender: ":1.8", serial: 4, signature: "u", body: RawMessage.number(1))
            let bytes = RawMessage("Wait", sender: ":1.7", serial: 2).bytes + left.bytes + fence.bytes
            try await onThread {
                // All of it comes in one turn.
                try raw.send(bytes)
                while try raw.message().answers != 4 {}
            }
            #expect(shop.waiting.unheard == 0 && bus.callsUnderWay == 0)
        }

        @Test("what isn't there is refused as D-Bus's specification says")
        func errors() async throws {
            let open = try await OpenShop()
            let client = try open.client()
            #expect(await client.refusal("Add", [.int32(1)]) == "InvalidArgs")
            #expect(await client.refusal("Add", [.int32(1), .string("2")]) == "InvalidArgs")
            #expect(await client.refusal("Subtract") == "UnknownMethod")
            #expect(await client.refusal("Add", interface: "org.example.Other") == "UnknownInterface")
            #expect(await client.refusal("Add", [.int32(1), .int32(1)], path: "/other") == "UnknownObject")
            #expect(await client.refusal("Add", [.int32(1), .int32(1)], path: "/") == "UnknownObject")
            #expect(await client.refusal("Fail") == "org.example.Closed")
            // An answer that isn't what was declared is our own mistake, and still an answer.
            #expect(await client.refusal("Wrong") == "Failed")
            #expect(await client.refusal("Anything", interface: "org.freedesktop.DBus.Introspectable") == "UnknownMethod")
            #expect(await client.refusal("Anything", interface: "org.freedesktop.DBus.Peer") == "UnknownMethod")
        }

        @Test("properties are read, written and refused as D-Bus's specification says")
        func properties() async throws {
            let open = try await OpenShop()
            let client = try open.client()
            func ask(_ member: String, _ values: BusValue...) async throws -> [BusValue] {
                try await client.ask(member, values, interface: Self.properties)
            }
            func refusal(_ member: String, _ values: BusValue...) async -> String? {
                await client.refusal(member, values, interface: Self.properties)
            }
            let name = BusValue.string(Shop.name)
            #expect(try await ask("Get", name, .string("Label")) == [.variant(.string("Corner shop"))])
            #expect(try await ask("Get", .string(""), .string("Version")) == [.variant(.uint32(2))])
            #expect(try await ask("Get", name, .string("Later")) == [.variant(.uint64(7))])
            #expect(try await ask("Get", name, .string("Items")) == [.variant(.array([]))])
            #expect(try await ask("Set", name, .string("Label"), .variant(.string("New"))) == [])
            #expect(open.shop.label == "New")
            let all = try await ask("GetAll", name).first
            #expect(all?["Label"]?.text == "New" && all?["Version"]?.number == 2 && all?["Later"]?.number == 7)
            // What this caller may not read is left out of everything, and refused by its name.
            #expect(all?.list?.count == 4)
            #expect(await refusal("Get", name, .string("Private")) == "AccessDenied")
            #expect(await refusal("Get", name, .string("Price")) == "UnknownProperty")
            #expect(await refusal("Get", .string("org.example.Other"), .string("Label")) == "UnknownInterface")
            #expect(await refusal("GetAll", .string("org.example.Other")) == "UnknownInterface")
            #expect(try await ask("GetAll", .string(Self.properties)) == [.array([])])
            #expect(await refusal("Set", name, .string("Version"), .variant(.uint32(3))) == "PropertyReadOnly")
            #expect(await refusal("Set", name, .string("Label"), .variant(.uint32(3))) == "InvalidArgs")
            #expect(await refusal("Set", name, .string("Label"), .variant(.string(""))) == "InvalidArgs")
            #expect(await refusal("Set", name, .string("Price"), .variant(.uint32(3))) == "UnknownProperty")
            #expect(await refusal("Get", name) == "InvalidArgs")
            #expect(await refusal("Take", name) == "UnknownMethod")
            #expect(open.shop.label == "New")
        }

        @Test("a secret comes in as secret bytes and goes out of them, with nulls, empty, and as long as it may be")
        func secrets() async throws {
            let open = try await OpenShop()
            let client = try open.client()
            for count in [0, 1, 5, 1 << 20] {
                let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
                let vector = try SecretBytes(copying: [0, 1, 0])
                let value = BusValue.structure([
                    .path("/session"), .secret(vector), .secret(try SecretBytes(copying: bytes)), .string("text/plain"),
                ])
                let back = try await client.ask("Keep", [value])
                #expect(back == [.structure([.path("/session"), .bytes([0, 1, 0]), .bytes(bytes), .string("text/plain")])])
                let call = await open.shop.seen.next()
                #expect(call.values == [value])
                #expect(
                    call.sender.hasPrefix(":") && call.path == "/shop" && call.interface == Shop.name && call.member == "Keep")
            }
        }

        @Test("signals and changes of properties reach everybody, or the one they are for")
        func signals() async throws {
            let open = try await OpenShop()
            let (one, other) = (try open.client(), try open.client())
            let (heard, otherHeard) = (Heard<BusMessage>(), Heard<BusMessage>())
            var kept: [BusSubscription] = []
            for (bus, heard) in [(one, heard), (other, otherHeard)] {
                kept.append(bus.listen(BusRule(Shop.name, "Sold")) { heard.put($0) })
                kept.append(bus.listen(BusRule(Self.properties, "PropertiesChanged")) { heard.put($0) })
                _ = try await bus.ask("Add", [.int32(1), .int32(1)])
            }
            let interface = open.shop.interface
            try open.bus.emit("Sold", of: interface, at: "/shop", [.path("/shop/1"), .array([])])
            for heard in [heard, otherHeard] {
                let signal = await heard.next()
                #expect(signal.path == "/shop" && signal.values == [.path("/shop/1"), .array([])])
            }
            try open.bus.tell(changed: ["Label": .string("New")], invalidated: ["Items"], of: interface, at: "/shop")
            let expected: [BusValue] = [
                .string(Shop.name), .array([.entry([.string("Label"), .variant(.string("New"))])]), .array([.string("Items")]),
            ]
            #expect(await heard.next().values == expected)
            #expect(await otherHeard.next().values == expected)
            _ = try await one.ask("Tell")
            let sender = await open.shop.seen.next().sender
            try open.bus.emit("Sold", of: interface, at: "/shop", [.path("/shop/2"), .array([])], to: sender)
            #expect(await heard.next().values.first == .path("/shop/2"))
            _ = try await other.ask("Add", [.int32(1), .int32(1)])
            #expect(otherHeard.unheard == 0)
            #expect(throws: BusError(.failed)) { try open.bus.emit("Bought", of: interface, at: "/shop", []) }
            #expect(throws: BusError(.failed)) { try open.bus.emit("Sold", of: interface, at: "/shop", [.string("no path")]) }
            #expect(throws: BusError(.failed)) { try open.bus.tell(changed: ["Price": .byte(1)], of: interface, at: "/shop") }
        }

        @Test("a rule that nobody wants any more is taken back from the bus, which keeps so many for one connection and no more")
        func rules() async throws {
            let open = try await OpenShop()
            let client = try open.client()
            // More than a bus keeps. Few at a time, since only so many calls may wait.
            for number in 0..<600 {
                client.listen(BusRule(Shop.name, "Sold", path: "/shop/\(number)")) { _ in }.cancel()
                if number % 50 == 0 { _ = try await client.ask("Add", [.int32(1), .int32(1)]) }
            }
            let heard = Heard<BusMessage>()
            let subscription = client.listen(BusRule(Shop.name, "Sold")) { heard.put($0) }
            _ = try await client.ask("Add", [.int32(1), .int32(1)])
            try open.bus.emit("Sold", of: open.shop.interface, at: "/shop", [.path("/shop/1"), .array([])])
            // The signal comes before the answer to this.
            _ = try await client.ask("Add", [.int32(1), .int32(1)])
            #expect(heard.unheard == 1)
            subscription.cancel()
        }
    }
}
