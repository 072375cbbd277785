import CThumbLinux
import Foundation
import Testing
import ThumbBus
import ThumbLoop
import thumbturn_test_daemon
import thumbturn_test_fingerprint
import thumbturn_test_programs

extension OnABus {
    @Suite("The bus", .timeLimit(.minutes(10))) @OnLoop struct BusTests {
        private static let path = "/org/freedesktop/DBus"

        private func ask(_ bus: Bus, _ member: String, _ values: [BusValue] = []) async throws(BusError) -> BusMessage {
            try await bus.call(BusCall(Bus.driver, Self.path, Bus.driver, member, values), within: 30)
        }

        /// This connection's own name.
        private func name(_ bus: Bus) async throws -> String {
            let unknown = try await bus.call(BusCall(Bus.driver, Self.path, Bus.driver, "ListNames"), within: 30)
            return try #require(unknown.values.first?.list?.compactMap(\.text).last { $0.hasPrefix(":") })
        }

        @Test("a call is answered, by whom the bus says it is")
        func call() async throws {
            let stage = try await FingerStage.start()
            let bus = try Bus(address: stage.bus)
            let reply = try await ask(bus, "GetConnectionUnixUser", [.string(Bus.driver)])
            #expect(reply.sender == Bus.driver)
            #expect(reply.values == [.uint32(getuid())])
        }

        @Test("an error of the other side keeps its name; nobody there is an error of its own")
        func errors() async throws {
            let stage = try await FingerStage.start()
            let bus = try Bus(address: stage.bus)
            do throws(BusError) {
                _ = try await ask(bus, "NoSuchThing")
                Issue.record("the bus knows a method that isn't there")
            } catch {
                #expect(error.code == .refused && error.name == "org.freedesktop.DBus.Error.UnknownMethod")
            }
            await #expect(throws: BusError(.noOwner)) { try await ask(bus, "GetNameOwner", [.string("org.example.Nobody")]) }
        }

        @Test("nobody listens: no bus, at once")
        func nowhere() {
            #expect(throws: BusError(.disconnected)) { try Bus(address: "unix:path=/nowhere/bus") }
            #expect(throws: (any Error).self) { try Bus(address: "not an address") }
        }

        @Test("a call that isn't answered ends when its time is over, one that is taken back at once")
        func timeoutAndCancellation() async throws {
            let stage = try await FingerStage.start()
            let (bus, deaf) = (try Bus(address: stage.bus), try Bus(address: stage.bus))
            // Nothing of ours can be called, so whoever calls a connection of ours waits.
            let own = try await name(deaf)
            let call = BusCall(own, "/", "org.example.Deaf", "Hear")
            await #expect(throws: BusError(.timedOut)) { try await bus.call(call, within: 0.05) }
            let waiting = EventLoop.shared.spawnResult { () -> BusError? in
                do throws(BusError) {
                    _ = try await bus.call(call, within: 600)
                    return nil
                } catch {
                    return error
                }
            }
            waiting.cancel()
            #expect(await waiting.value == BusError(.cancelled))
            // Whoever answers after that is heard by nobody, and the connection goes on.
            #expect(try await ask(bus, "GetId").values.count == 1)
        }

        @Test("a bus that ends fails every call that waits, and every later one")
        func ends() async throws {
            let stage = try await FingerStage.start()
            let (bus, deaf) = (try Bus(address: stage.bus), try Bus(address: stage.bus))
            let own = try await name(deaf)
            let heard = Heard<BusError?>()
            for _ in 0..<3 {
                bus.send(BusCall(own, "/", "org.example.Deaf", "Hear"), within: 600) { result in
                    if case .failure(let error) = result { heard.put(error) } else { heard.put(nil) }
                }
            }
            let gone = Heard<Void>()
            bus.onDisconnect = { gone.put(()) }
            await onThread { stage.endBus() }
            for _ in 0..<3 { #expect(await heard.next() == BusError(.disconnected)) }
            await gone.next()
            #expect(!bus.isConnected)
            await #expect(throws: BusError(.disconnected)) { try await ask(bus, "GetId") }
        }

        @Test("calls that wait have a limit: as many wait, one more is refused")
        func callLimit() async throws {
            let stage = try await FingerStage.start()
            let (bus, deaf) = (try Bus(address: stage.bus), try Bus(address: stage.bus))
            let own = try await name(deaf)
            let heard = Heard<BusError?>()
            for _ in 0...BusLimit.calls {
                bus.send(BusCall(own, "/", "org.example.Deaf", "Hear"), within: 600) { result in
                    if case .failure(let error) = result { heard.put(error) } else { heard.put(nil) }
                }
            }
            // It is told at once; the bus itself may refuse some of the others, later.
            #expect(heard.unheard == 1)
            #expect(await heard.next() == BusError(.failed))
        }

        @Test("values in a message have a limit: as many are read, one more isn't")
        func valueLimit() async throws {
            let stage = try await FingerStage.start()
            // The list, and in it the bus and both of us.
            let wide = try Bus(address: stage.bus, valueLimit: 4)
            let narrow = try Bus(address: stage.bus, valueLimit: 3)
            #expect(try await ask(narrow, "GetId").values.count == 1)
            #expect(try await ask(wide, "ListNames").values.first?.list?.count == 3)
            await #expect(throws: BusError(.malformed)) { try await ask(narrow, "ListNames") }
        }

        @Test("a name's owner is known by its connection, and lost with it")
        func owner() async throws {
            let stage = try await FingerStage.start()
            let bus = try Bus(address: stage.bus)
            let owner = BusOwner(bus, "net.reactivated.Fprint", expectedUser: getuid())
            let lost = Heard<Void>()
            owner.onLoss = { lost.put(()) }
            let connection = try await owner.find(within: 30)
            #expect(connection.hasPrefix(":") && owner.connection == connection)
            kill(try await stage.fprintdProcess(), SIGKILL)
            await lost.next()
            #expect(owner.connection == nil)
            #expect(try await owner.find(within: 30) != connection)
        }

        @Test("a bus name whose owner runs as another user than expected counts as absent")
        func wrongOwner() async throws {
            let stage = try await FingerStage.start()
            let bus = try Bus(address: stage.bus)
            let owner = BusOwner(bus, "net.reactivated.Fprint", expectedUser: getuid() &+ 1)
            await #expect(throws: BusError(.wrongOwner)) { try await owner.find(within: 30) }
            #expect(owner.connection == nil)
        }

        @Test("a rule hears its own signals, and after it was cancelled nothing")
        func signals() async throws {
            let stage = try await FingerStage.start()
            let (bus, other) = (try Bus(address: stage.bus), try Bus(address: stage.bus))
            let heard = Heard<BusMessage>()
            let rule = BusRule(Bus.driver, "NameOwnerChanged", first: "org.example.One", from: Bus.driver)
            let subscription = bus.listen(rule) { heard.put($0) }
            _ = try await ask(bus, "GetId")
            for name in ["org.example.Other", "org.example.One"] {
                _ = try await ask(other, "RequestName", [.string(name), .uint32(0)])
            }
            let signal = await heard.next()
            #expect(signal.sender == Bus.driver && signal.values.first == .string("org.example.One"))
            subscription.cancel()
            _ = try await ask(other, "ReleaseName", [.string("org.example.One")])
            _ = try await ask(bus, "GetId")
            #expect(heard.unheard == 0)
        }
    }
}

extension EventLoop {
    /// A task on the loop that has a result.
    @OnLoop func spawnResult<Value: Sendable>(_ work: @escaping @OnLoop @Sendable () async -> Value) -> Task<Value, Never> {
        Task(executorPreference: self) { await work() }
    }
}
