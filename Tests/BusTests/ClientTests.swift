import Foundation
import Testing
import ThumbLoop

@testable import ThumbBus

extension OnABus {
    @Suite("Other people's clients", .timeLimit(.minutes(5))) @OnLoop struct ClientTests {
        @Test("gdbus calls, reads and is told what went wrong")
        func gdbus() async throws {
            let open = try await OpenShop()
            func call(_ words: String...) async throws -> String {
                let object = ["--address", open.own.address, "--dest", Shop.name, "--object-path", "/shop"]
                return try await open.own.run(["gdbus", "call"] + object + ["--method"] + words).output
            }
            #expect(try await call(Shop.name + ".Add", "2", "40") == "(42,)\n")
            #expect(try await call(Shop.name + ".Nothing") == "(@ao [], @as [], @a{sv} {}, @a{ss} {}, @ay [], @a(sv) [])\n")
            #expect(
                try await call("org.freedesktop.DBus.Properties.Get", Shop.name, "Label") == "(<'Corner shop'>,)\n")
            #expect(try await call(Shop.name + ".Fail").contains("org.example.Closed: The shop is closed."))
            #expect(try await call("org.freedesktop.DBus.Peer.Ping") == "()\n")
            let machine = try String(contentsOfFile: "/etc/machine-id", encoding: .utf8).trimmingCharacters(
                in: .whitespacesAndNewlines)
            #expect(try await call("org.freedesktop.DBus.Peer.GetMachineId") == "('\(machine)',)\n")
        }

        @Test("busctl calls, reads, writes, and lists the tree")
        func busctl() async throws {
            let open = try await OpenShop()
            func ask(_ words: String...) async throws -> String {
                try await open.own.run(["busctl", "--address=" + open.own.address] + words).output
            }
            #expect(try await ask("call", Shop.name, "/shop", Shop.name, "Add", "ii", "2", "40") == "i 42\n")
            #expect(try await ask("get-property", Shop.name, "/shop", Shop.name, "Version", "Later") == "u 2\nt 7\n")
            #expect(try await ask("set-property", Shop.name, "/shop", Shop.name, "Label", "s", "By busctl") == "")
            #expect(open.shop.label == "By busctl")
            let refused = try await ask("set-property", Shop.name, "/shop", Shop.name, "Version", "u", "3")
            #expect(refused.contains("The property can't be changed."))
            let tree = try await ask("--list", "tree", Shop.name)
            #expect(tree.split(separator: "\n").count == 102, "\(tree)")
            let table = try await ask("introspect", Shop.name, "/shop", Shop.name)
            #expect(table.contains(".Version") && table.contains("const") && table.contains("emits-invalidation"))
        }

        @Test("what introspection tells is what is exported")
        func introspection() async throws {
            let open = try await OpenShop()
            let script = """
                import sys, xml.etree.ElementTree as tree
                for interface in tree.fromstring(sys.stdin.read()).findall('interface'):
                    if interface.get('name').startswith('org.freedesktop.DBus'): continue
                    print(interface.get('name'))
                    for one in interface:
                        print(one.tag, one.get('name'), one.get('type'), one.get('access'))
                        for inner in one: print(inner.get('name'), inner.get('type'), inner.get('direction'), inner.get('value'))
                """
            func page(_ path: String) async throws -> String {
                let words = ["gdbus", "introspect", "--xml", "--address", open.own.address, "--dest", Shop.name]
                return try await open.own.run(words + ["--object-path", path]).output
            }
            let shop = try await page("/shop")
            let told = try await open.own.run(["/usr/bin/python3", "-c", script], input: shop).output
            var lines: [String] = []
            for interface in open.shop.interfaces(at: "/shop") ?? [] {
                lines.append(interface.name)
                for method in interface.methods {
                    lines.append("method \(method.name) None None")
                    for one in method.takes { lines.append("\(one.key) \(one.value) in None") }
                    for one in method.gives { lines.append("\(one.key) \(one.value) out None") }
                }
                for signal in interface.signals {
                    lines.append("signal \(signal.name) None None")
                    for one in signal.gives { lines.append("\(one.key) \(one.value) None None") }
                }
                for property in interface.properties {
                    let access = property.write == nil ? "read" : "readwrite"
                    lines.append("property \(property.name) \(property.signature) \(access)")
                    lines.append(
                        "org.freedesktop.DBus.Property.EmitsChangedSignal None None \(property.change.rawValue)")
                }
            }
            #expect(told.split(separator: "\n").map(String.init) == lines)
            #expect(!shop.contains("evil"))
            #expect(shop.contains("<node name=\"100\"/>") && shop.contains("org.freedesktop.DBus.Peer"))
            #expect(try await page("/").contains("<node name=\"shop\"/>"))
            #expect(try await page("/none").contains("UnknownObject"))
        }

        private static let python = """
            import sys, dbus, dbus.bus, dbus.mainloop.glib
            from gi.repository import GLib
            dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
            bus = dbus.bus.BusConnection(sys.argv[1])
            shop = dbus.Interface(bus.get_object('org.example.Shop', '/shop'), 'org.example.Shop')

            """

        @Test("python3-dbus reads the introspection, and calls by it")
        func python() async throws {
            let open = try await OpenShop()
            let script = """
                secret = dbus.Struct([dbus.ObjectPath('/s'), dbus.ByteArray(b'iv'), dbus.ByteArray(b'a\\0b'), 'text/plain'])
                print(shop.Add(2, 40), [bytes(x) if isinstance(x, dbus.Array) else str(x) for x in shop.Keep(secret)])
                values = dbus.Interface(shop, 'org.freedesktop.DBus.Properties').GetAll('org.example.Shop')
                print([str(x) for x in sorted(values)], values['Later'], list(values['Items']))
                try: shop.Fail()
                except dbus.DBusException as error: print(error.get_dbus_name())
                print(bus.call_blocking('org.example.Shop', '/shop', None, 'Add', 'ii', (1, 2)))
                """
            let words = ["/usr/bin/python3", "-c", Self.python + script, open.own.address]
            let output = try await open.own.run(words).output
            #expect(
                output == """
                    42 ['/s', b'iv', b'a\\x00b', 'text/plain']
                    ['Items', 'Label', 'Later', 'Version'] 7 []
                    org.example.Closed
                    3

                    """)
        }

        @Test("as many calls as one caller may have wait at the same time, one more is refused, and all others are answered")
        func concurrent() async throws {
            let open = try await OpenShop()
            let script = """
                loop, done, refused = GLib.MainLoop(), [], []
                def end():
                    if len(done) + len(refused) == \(BusLimit.answeringOne + 1): loop.quit()
                def answered(word): done.append(word); end()
                def failed(error):
                    refused.append(error.get_dbus_name()); print(refused, len(done), flush=True); end()
                for _ in range(\(BusLimit.answeringOne + 1)):
                    shop.Wait(reply_handler=answered, error_handler=failed, timeout=60)
                loop.run()
                print(len(done), set(map(str, done)))
                """
            let client = try open.own.start(["/usr/bin/python3", "-c", Self.python + script, open.own.address])
            var waiting: [CheckedContinuation<Void, Never>] = []
            for _ in 0..<BusLimit.answeringOne { waiting.append(await open.shop.waiting.next()) }
            // Somebody else isn't concerned.
            let other = try open.client()
            #expect(try await other.ask("Slow", [.uint32(1)]) == [.uint32(1)])
            #expect(open.bus.callsUnderWay == BusLimit.answeringOne)
            let first = await line(of: client.output)
            #expect(first == "['org.freedesktop.DBus.Error.LimitsExceeded'] 0")
            for one in waiting { one.resume() }
            let last = await line(of: client.output)
            #expect(last == "\(BusLimit.answeringOne) {'waited'}")
            _ = await onThreadWaited(client.pid)
            #expect(open.bus.callsUnderWay == 0)
        }

        @Test("a program that is killed while it waits has its calls cancelled")
        func killed() async throws {
            let open = try await OpenShop()
            let script = """
                for _ in range(10): shop.Wait(reply_handler=print, error_handler=print, timeout=60)
                GLib.MainLoop().run()
                """
            let client = try open.own.start(["/usr/bin/python3", "-c", Self.python + script, open.own.address])
            var waiting: [CheckedContinuation<Void, Never>] = []
            for _ in 0..<10 { waiting.append(await open.shop.waiting.next()) }
            kill(client.pid, SIGKILL)
            for _ in 0..<10 { _ = await open.shop.cancelled.next() }
            for one in waiting { one.resume() }
            _ = await onThreadWaited(client.pid)
            let other = try open.client()
            #expect(try await other.ask("Slow", [.uint32(1)]) == [.uint32(1)])
            #expect(open.bus.callsUnderWay == 0)
        }
    }
}
