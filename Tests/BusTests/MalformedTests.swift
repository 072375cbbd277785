import CThumbLinux
import Foundation
import Testing
import ThumbLoop
import thumbturn_test_programs

@testable import ThumbBus

extension OnABus {
    @Suite("Messages that no bus would let through", .timeLimit(.minutes(10))) @OnLoop struct MalformedTests {
        /// A connection of ours whose bus is the test itself.
        private static func open(_ raw: RawBus, _ shop: Shop) async throws -> Bus {
            let bus = try Bus(address: raw.address)
            bus.export(shop)
            try await onThread { try raw.accept() }
            return bus
        }

        private nonisolated static func add(_ serial: UInt32) -> RawMessage {
            RawMessage("Add", serial: serial, signature: "ii", body: RawMessage.number(2) + RawMessage.number(40))
        }

        /// What came before the answer to that call, and the answer: for each a type and the serial that it answers.
        private nonisolated static func answers(_ raw: RawBus, until serial: UInt32) throws -> [(type: UInt8, answers: UInt32)] {
            var answers: [(type: UInt8, answers: UInt32)] = []
            while answers.last?.answers != serial {
                let message = try raw.message()
                if let answered = message.answers { answers.append((message.type, answered)) }
            }
            return answers
        }

        @Test("a call that wants no answer gets none, one that leaves the interface out is understood")
        func flags() async throws {
            let (raw, shop) = (try RawBus(), Shop())
            let bus = try await Self.open(raw, shop)
            let properties = "org.freedesktop.DBus.Properties"
            let answers = try await onThread {
                var silent = Self.add(2)
                silent.flags = 1
                var wrong = RawMessage("Nonsense", serial: 3)
                wrong.flags = 1
                var slow = RawMessage("Slow", serial: 4, signature: "u", body: RawMessage.number(1))
                slow.flags = 1
                let words = RawMessage.text(Shop.name) + [0, 0, 0] + RawMessage.text("Version")
                let calls = [
                    silent, wrong, slow,
                    RawMessage("Add", interface: nil, serial: 5, signature: "ii", body: [1, 0, 0, 0, 1, 0, 0, 0]),
                    RawMessage("Ping", interface: nil, serial: 6), RawMessage("GetMachineId", interface: nil, serial: 7),
                    RawMessage("Introspect", interface: nil, serial: 8),
                    RawMessage("Nonsense", interface: nil, serial: 9),
                    RawMessage("Get", interface: properties, serial: 10, signature: "ss", body: words),
                    // Nobody: a bus always says who calls.
                    RawMessage("Fail", sender: nil, serial: 11),
                ]
                for call in calls { try raw.send(call.bytes) }
                try raw.send(Self.add(12).bytes)
                return try Self.answers(raw, until: 12)
            }
            #expect(answers.map(\.answers) == [5, 6, 7, 8, 9, 10, 11, 12])
            #expect(answers.map(\.type) == [2, 2, 2, 2, 3, 2, 3, 2])
            #expect(bus.isConnected)
        }

        @Test("10,000 messages at random: each is answered once, refused or dropped; nothing crashes and no memory is kept")
        func random() async {
            // In a process of its own: the heap of this one belongs to other suites as well.
            let seed = Seed.chosen(for: "malformed messages", usually: 20_260)
            await #expect(processExitsWith: .success) { [seed = seed as UInt64] in try await Self.sendAtRandom(seed) }
        }

        private static func sendAtRandom(_ seed: UInt64) async throws {
            let (raw, shop) = (try RawBus(), Shop())
            var bus = try await open(raw, shop)
            var dice = Dice(seed)
            var (sent, reconnected, refused, done) = (0, 0, 0, 0)
            var before = 0
            while sent < 10_000 {
                if !bus.isConnected {
                    reconnected += 1
                    bus.close()
                    bus = try await open(raw, shop)
                }
                // The first thousand fill what stays: caches, and the arena's pages.
                if sent == 1000 { before = heap() }
                let batch = (0..<100).map { message(UInt32(10 + $0), &dice) }
                sent += batch.count
                let answers: [(type: UInt8, answers: UInt32)]? = await onThread {
                    do {
                        for bytes in batch { try raw.send(bytes) }
                        try raw.send(add(1000).bytes)
                        return try Self.answers(raw, until: 1000)
                    } catch {
                        // The connection ended: libsystemd gives one up whose messages have no beginning and no end.
                        raw.hangUp()
                        return nil
                    }
                }
                shop.forgetSeen()
                guard let answers else {
                    while bus.isConnected { await Task.yield() }
                    continue
                }
                refused += answers.count { $0.type == 3 }
                done += answers.count { $0.type == 2 }
                let counts = Dictionary(grouping: answers, by: \.answers).mapValues(\.count)
                // A changed serial may be another's, so not every number is answered just once.
                #expect(counts.values.reduce(0, +) <= batch.count + 1)
                #expect(counts[1000] == 1)
            }
            let grown = heap() - before
            #expect(done > 500 && refused > 1000, "\(done) answered, \(refused) refused, \(reconnected) connections ended")
            #expect(grown < 1 << 20, "the heap grew by \(grown) bytes")
            // Those that answer later may still be at it.
            while bus.callsUnderWay > 0 { await Task.yield() }
        }

        private nonisolated static func heap() -> Int { Int(mallinfo2().uordblks) }

        /// A call as it should be, and then some of it changed.
        private nonisolated static func message(_ serial: UInt32, _ dice: inout Dice) -> [UInt8] {
            var message = call(serial, &dice)
            switch dice.roll(6) {
            case 0: message.body = (0..<dice.roll(64)).map { _ in UInt8.random(in: 0...255, using: &dice) }
            case 1: message.body.removeLast(min(message.body.count, 1 + dice.roll(8)))
            case 2: message.fields.removeAll { _ in dice.roll(4) == 0 }
            case 3: message.fields.append(.signature(["ii", "as", "v", "a{sv}", "(", "aaaaaay", "y"][dice.roll(7)]))
            default: break
            }
            var bytes = message.bytes
            // What says how long the message is stays: it would end the connection, and with it the batch.
            let isWild = dice.roll(2000) == 0
            let beginning = dice.roll(2) == 0 ? 16 : bytes.count - message.body.count
            for _ in 0..<dice.roll(4) {
                let place = isWild ? dice.roll(bytes.count) : beginning + dice.roll(max(1, bytes.count - beginning))
                if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &dice) }
            }
            return bytes
        }

        private nonisolated static func call(_ serial: UInt32, _ dice: inout Dice) -> RawMessage {
            let properties = "org.freedesktop.DBus.Properties"
            let pair = RawMessage.text(Shop.name) + [0, 0, 0] + RawMessage.text("Label")
            switch dice.roll(8) {
            case 0: return RawMessage("Add", serial: serial, signature: "ii", body: RawMessage.number(1) + RawMessage.number(2))
            case 1: return RawMessage("Slow", serial: serial, signature: "u", body: RawMessage.number(9))
            case 2:
                // ("/s", iv, a secret, a type), within one structure.
                let secret = RawMessage.text("/s") + [0] + RawMessage.number(2) + [1, 2, 0, 0] + RawMessage.number(3)
                return RawMessage(
                    "Keep", serial: serial, signature: "(oayays)", body: secret + [7, 7, 7, 0] + RawMessage.text("text/plain"))
            case 3: return RawMessage("Get", interface: properties, serial: serial, signature: "ss", body: pair)
            case 4:
                let padding = [UInt8](repeating: 0, count: (4 - (pair.count + 3) % 4) % 4)
                return RawMessage(
                    "Set", interface: properties, serial: serial, signature: "ssv",
                    body: pair + [1, UInt8(ascii: "s"), 0] + padding + RawMessage.text("new"))
            case 5: return RawMessage("Introspect", interface: nil, serial: serial)
            case 6:
                let texts = RawMessage.text("a") + [0, 0] + RawMessage.text("b")
                return RawMessage(
                    "Count", serial: serial, signature: "as", body: RawMessage.number(UInt32(texts.count)) + texts)
            default:
                let entries = RawMessage.text("k") + [1, UInt8(ascii: "s"), 0] + [0, 0, 0] + RawMessage.text("v")
                return RawMessage(
                    "Dictionary", serial: serial, signature: "a{sv}",
                    body: RawMessage.number(UInt32(entries.count)) + [0, 0, 0, 0] + entries)
            }
        }

        @Test("who sends and never reads is made to wait: answers are kept up to the limit, and nothing is lost")
        func flood() async throws {
            let (raw, shop) = (try RawBus(), Shop())
            let bus = try await Self.open(raw, shop)
            let count = 4 * BusLimit.queued
            let sending = EventLoop.shared.spawnResult {
                await onThread {
                    for serial in 0..<count {
                        try? raw.send(RawMessage("Introspect", interface: nil, serial: UInt32(10 + serial)).bytes)
                    }
                }
            }
            // The socket holds some answers and the queue its limit; then nothing is read any more.
            while bus.queuedMessages <= BusLimit.queued { await Task.yield() }
            for _ in 0..<1000 { await Task.yield() }
            #expect(bus.queuedMessages == BusLimit.queued + 1)
            let serials = try await onThread {
                var serials: [UInt32] = []
                while serials.count < count { if let answered = try raw.message().answers { serials.append(answered) } }
                return serials
            }
            await sending.value
            #expect(serials == (0..<count).map { UInt32(10 + $0) })
            #expect(bus.isConnected)
        }

        @Test("so many calls are answered in one turn of the loop, then others have theirs")
        func turn() async throws {
            let (raw, shop) = (try RawBus(), Shop())
            let bus = try await Self.open(raw, shop)
            let count = 2 * BusLimit.turn + 1
            // All at once: the loop reads nothing before this very turn of it is over, and a socket takes them in one piece.
            let bytes = (0..<count).flatMap { RawMessage("Tell", serial: UInt32(10 + $0)).bytes }
            let between = Heard<Int>()
            shop.onTell = { [weak shop] in
                shop?.onTell = nil
                EventLoop.shared.post { between.put(shop?.seen.unheard ?? 0) }
            }
            try raw.send(bytes)
            let answers = try await onThread { try Self.answers(raw, until: UInt32(9 + count)).count }
            #expect(answers == count && shop.seen.unheard == count)
            #expect(await between.next() == BusLimit.turn)
            #expect(bus.isConnected)
        }

        // MARK: Answers in somebody else's place

        /// A connection on which nothing was said yet.
        private static func open(_ raw: RawBus) async throws -> Bus {
            let bus = try Bus(address: raw.address)
            try await onThread { try raw.accept() }
            return bus
        }

        /// What somebody answers, to a call that is still to come.
        private nonisolated static func answer(from sender: String, _ signature: String, _ body: [UInt8]) -> RawMessage {
            var answer = RawMessage(type: 2, serial: 100)
            answer.fields = [.text(7, "s", sender), .signature(signature)]
            answer.body = body
            return answer
        }

        /// Waits for calls, and sends after each of them the messages that are for it.
        private static func answering(_ raw: RawBus, _ messages: [[RawMessage]]) -> Task<Void, Never> {
            EventLoop.shared.spawnResult {
                await onThread {
                    for given in messages {
                        guard let call = try? raw.message() else { return }
                        for var message in given {
                            // A signal answers nothing.
                            if message.type != 4 { message.fields.append(.reply(call.serial)) }
                            try? raw.send(message.bytes)
                        }
                    }
                }
            }
        }

        @Test("nobody but the bus says whether a name is ours, and who is behind a connection")
        func forgedNames() async throws {
            let raw = try RawBus()
            let bus = try await Self.open(raw)
            // Each entry of the dictionary begins at a multiple of eight bytes.
            let user = RawMessage.text("UnixUserID") + [1, UInt8(ascii: "u"), 0, 0, 0] + RawMessage.number(0)
            let process = RawMessage.text("ProcessID") + [1, UInt8(ascii: "u"), 0, 0, 0, 0] + RawMessage.number(1)
            let credentials = RawMessage.number(UInt32(user.count + process.count)) + [0, 0, 0, 0] + user + process
            let answering = Self.answering(
                raw,
                [":1.66", Bus.driver].flatMap { sender in
                    [
                        [Self.answer(from: sender, "u", RawMessage.number(1))],
                        [Self.answer(from: sender, "a{sv}", credentials)],
                    ]
                })
            await #expect(throws: BusError(.malformed)) { try await bus.requestName(Shop.name) }
            await #expect(throws: BusError(.malformed)) { try await bus.credentials(of: ":1.5") }
            // The same in the bus's own name.
            #expect(try await bus.requestName(Shop.name) == .owned)
            #expect(try await bus.credentials(of: ":1.5").process == 1)
            await answering.value
        }

        @Test("nobody but the bus says who owns a name, and as which user that one runs")
        func forgedOwner() async throws {
            let raw = try RawBus()
            let bus = try await Self.open(raw)
            let owner = BusOwner(bus, Shop.name, expectedUser: 0)
            let user = RawMessage.number(0)
            let answering = Self.answering(
                raw,
                [
                    // It asks first to be told of changes.
                    [],
                    [Self.answer(from: Bus.driver, "s", RawMessage.text(":1.66"))], [Self.answer(from: ":1.66", "u", user)],
                    [Self.answer(from: ":1.66", "s", RawMessage.text(":1.66"))],
                    [Self.answer(from: Bus.driver, "s", RawMessage.text(":1.5"))], [Self.answer(from: Bus.driver, "u", user)],
                ])
            for _ in 0..<2 {
                await #expect(throws: BusError(.malformed)) { try await owner.find(within: 30) }
                #expect(owner.connection == nil)
            }
            #expect(try await owner.find(within: 30) == ":1.5")
            #expect(owner.connection == ":1.5")
            await answering.value
        }

        @Test("an owner that is gone before it is known is looked for again")
        func briefOwner() async throws {
            let raw = try RawBus()
            let bus = try await Self.open(raw)
            let owner = BusOwner(bus, Shop.name, expectedUser: 0)
            var gone = RawMessage(type: 4, serial: 200)
            gone.fields = [
                .text(1, "o", "/org/freedesktop/DBus"), .text(2, "s", Bus.driver), .text(3, "s", "NameOwnerChanged"),
                .text(7, "s", Bus.driver), .signature("sss"),
            ]
            gone.body = RawMessage.text(Shop.name) + [0, 0, 0] + RawMessage.text(":1.5") + [0, 0, 0] + RawMessage.text("")
            let user = Self.answer(from: Bus.driver, "u", RawMessage.number(0))
            let answering = Self.answering(
                raw,
                [
                    [], [Self.answer(from: Bus.driver, "s", RawMessage.text(":1.5"))], [gone, user],
                    [Self.answer(from: Bus.driver, "s", RawMessage.text(":1.7"))], [user],
                ])
            #expect(try await owner.find(within: 30) == ":1.7")
            #expect(owner.connection == ":1.7")
            await answering.value
        }

        @Test("nobody but the bus says that a name has another owner")
        func forgedChange() async throws {
            let raw = try RawBus()
            let bus = try await Self.open(raw)
            let owner = BusOwner(bus, Shop.name, expectedUser: 0)
            let lost = Heard<Void>()
            owner.onLoss = { lost.put(()) }
            func change(from sender: String) -> RawMessage {
                var change = RawMessage(type: 4, serial: 200)
                change.fields = [
                    .text(1, "o", "/org/freedesktop/DBus"), .text(2, "s", Bus.driver), .text(3, "s", "NameOwnerChanged"),
                    .text(7, "s", sender), .signature("sss"),
                ]
                change.body = RawMessage.text(Shop.name) + [0, 0, 0] + RawMessage.text(":1.5") + [0, 0, 0] + RawMessage.text("")
                return change
            }
            let answering = Self.answering(
                raw,
                [
                    [], [Self.answer(from: Bus.driver, "s", RawMessage.text(":1.5"))],
                    [Self.answer(from: Bus.driver, "u", RawMessage.number(0))],
                    [change(from: ":1.66"), Self.answer(from: Bus.driver, "u", RawMessage.number(1))], [change(from: Bus.driver)],
                ])
            #expect(try await owner.find(within: 30) == ":1.5")
            // The signal comes before the answer to this.
            _ = try await bus.requestName(Shop.name)
            #expect(owner.connection == ":1.5" && lost.unheard == 0)
            bus.send(BusCall(":1.5", "/shop", Shop.name, "Tell"), within: 30) { _ in }
            await lost.next()
            #expect(owner.connection == nil)
            await answering.value
        }

        @Test("a call to a connection is answered by that one, or by the bus if it is gone, and by nobody who guesses its number")
        func forgedAnswer() async throws {
            let raw = try RawBus()
            let bus = try await Self.open(raw)
            var (refusal, gone) = (RawMessage(type: 3, serial: 100), RawMessage(type: 3, serial: 100))
            refusal.fields = [.text(7, "s", ":1.66"), .text(4, "s", "org.example.Closed")]
            gone.fields = [.text(7, "s", Bus.driver), .text(4, "s", "org.freedesktop.DBus.Error.ServiceUnknown")]
            let forged = Self.answer(from: ":1.66", "s", RawMessage.text("forged"))
            let own = Self.answer(from: ":1.5", "s", RawMessage.text("own"))
            let answering = Self.answering(raw, [[forged, own], [refusal, own], [gone]])
            let call = BusCall(":1.5", "/shop", Shop.name, "Tell")
            for _ in 0..<2 { #expect(try await bus.call(call, within: 30).values == [.string("own")]) }
            await #expect(throws: BusError(.noOwner)) { try await bus.call(call, within: 30) }
            await answering.value
        }
    }
}

extension EventLoop {
    /// A task on the loop that has a result.
    @OnLoop fileprivate func spawnResult<Value: Sendable>(
        _ work: @escaping @OnLoop @Sendable () async -> Value
    ) -> Task<Value, Never> {
        Task(executorPreference: self) { await work() }
    }
}
