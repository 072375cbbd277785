import CThumbLinux
import Foundation
import Testing
import ThumbBus
import ThumbLoop
import thumbturn_test_daemon

extension OnABus {
    @Suite("Names on a bus", .timeLimit(.minutes(5))) @OnLoop struct NameTests {
        private static let name = "org.example.Name"

        /// The bus's own interface and signals, as anybody may claim to have them.
        private static let forged = BusInterface(
            Bus.driver,
            signals: [
                BusSignal("NameLost", gives: ["name": "s"]),
                BusSignal("NameOwnerChanged", gives: ["name": "s", "old": "s", "new": "s"]),
            ])

        @Test("a name is had, waited for or somebody else's, and who loses it hears so")
        func names() async throws {
            let own = try await OwnBus.start()
            let (one, other) = (try Bus(address: own.address), try Bus(address: own.address))
            let (heard, otherHeard) = (Heard<String>(), Heard<String>())
            let kept = [(one, heard), (other, otherHeard)].flatMap { bus, heard in
                bus.listenForOwnNames { name, isOurs in
                    if name == Self.name { heard.put(isOurs ? "had" : "lost") }
                }
            }
            #expect(try await one.requestName(Self.name, allowReplacement: true) == .owned)
            #expect(await heard.next() == "had")
            #expect(try await one.requestName(Self.name, allowReplacement: true) == .owned)
            #expect(try await other.requestName(Self.name) == .taken)
            #expect(try await other.requestName(Self.name, replace: true) == .owned)
            #expect(await heard.next() == "lost")
            #expect(await otherHeard.next() == "had")
            #expect(try await one.requestName(Self.name, replace: true, queue: true) == .queued)
            try await other.releaseName(Self.name)
            #expect(await otherHeard.next() == "lost")
            #expect(await heard.next() == "had")
            #expect(kept.count == 4)
        }

        @Test("who is behind a connection is told by the bus; of one that has left, nothing")
        func credentials() async throws {
            let open = try await OpenShop()
            let client = try open.client()
            _ = try await client.ask("Tell")
            let sender = await open.shop.seen.next().sender
            let credentials = try await open.bus.credentials(of: sender)
            #expect(credentials.process == getpid() && credentials.user == getuid())
            #expect(credentials.groups?.contains(getgid()) == true)
            let gone = Heard<String>()
            let subscription = open.bus.listenForDepartures { gone.put($0) }
            client.close()
            #expect(await gone.next() == sender)
            await #expect(throws: BusError(.noOwner)) { try await open.bus.credentials(of: sender) }
            subscription.cancel()
        }

        @Test("a connection that leaves is heard of, once, and a name that is let go isn't taken for one")
        func departures() async throws {
            let open = try await OpenShop()
            let heard = Heard<String>()
            let subscription = open.bus.listenForDepartures { heard.put($0) }
            let (one, other) = (try open.client(), try open.client())
            _ = try await one.ask("Tell")
            let sender = await open.shop.seen.next().sender
            _ = try await one.requestName(Self.name)
            try await one.releaseName(Self.name)
            one.close()
            #expect(await heard.next() == sender)
            _ = try await other.ask("Add", [.int32(1), .int32(1)])
            #expect(heard.unheard == 0)
            subscription.cancel()
        }

        @Test("a caller that leaves has its call cancelled, and nobody else's is")
        func vanishing() async throws {
            let open = try await OpenShop()
            let (one, other) = (try open.client(), try open.client())
            let ended = Heard<Result<BusMessage, BusError>>()
            for bus in [one, other] {
                bus.send(BusCall(Shop.name, "/shop", Shop.name, "Wait"), within: 60) { ended.put($0) }
                _ = try await bus.ask("Tell")
            }
            let sender = await open.shop.seen.next().sender
            let (first, second) = (await open.shop.waiting.next(), await open.shop.waiting.next())
            #expect(open.bus.callsUnderWay == 2)
            one.close()
            #expect(await open.shop.cancelled.next() == sender)
            _ = await ended.next()
            // It counts until it has ended: who comes back at once doesn't begin anew.
            #expect(open.bus.callsUnderWay == 2)
            first.resume()
            second.resume()
            #expect(try await ended.next().get().values == [.string("waited")])
            #expect(open.shop.cancelled.unheard == 0)
            #expect(open.bus.callsUnderWay == 0)
        }

        @Test("a bus that ends cancels every call")
        func ends() async throws {
            let open = try await OpenShop()
            let client = try open.client()
            client.send(BusCall(Shop.name, "/shop", Shop.name, "Wait"), within: 60) { _ in }
            let waiting = await open.shop.waiting.next()
            await open.own.end()
            _ = await open.shop.cancelled.next()
            waiting.resume()
            #expect(throws: BusError(.disconnected)) {
                try open.bus.emit("Sold", of: open.shop.interface, at: "/shop", [.path("/a"), .array([])])
            }
        }

        @Test("another program that says in the bus's words that a name is lost or a caller gone isn't believed")
        func forgery() async throws {
            let open = try await OpenShop()
            let (victim, forger) = (try open.client(), try open.client())
            let lost = Heard<String>()
            let kept = open.bus.listenForOwnNames { name, isOurs in if !isOurs { lost.put(name) } }
            _ = try await victim.ask("Tell")
            let name = await open.shop.seen.next().sender
            victim.send(BusCall(Shop.name, "/shop", Shop.name, "Wait"), within: 60) { _ in }
            let waiting = await open.shop.waiting.next()
            let path = "/org/freedesktop/DBus"
            try forger.emit("NameLost", of: Self.forged, at: path, [.string(Shop.name)], to: Shop.name)
            let gone: [BusValue] = [.string(name), .string(name), .string("")]
            try forger.emit("NameOwnerChanged", of: Self.forged, at: path, gone, to: Shop.name)
            _ = try await forger.ask("Add", [.int32(1), .int32(1)])
            let succeeded = lost.unheard > 0 || open.shop.cancelled.unheard > 0
            Tally.attack(
                "a program on the bus says in the bus's words that a name is lost or a caller is gone", succeeded: succeeded)
            #expect(!succeeded && kept.count == 2)
            waiting.resume()
        }
    }
}
