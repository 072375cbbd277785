import Testing
import ThumbLoop
import ThumbSecrets

@testable import ThumbBus

extension OnABus {
    @Suite("Limits of calls on a bus", .timeLimit(.minutes(5))) @OnLoop struct LimitTests {
        @Test("values in a call have a limit: as many are read, one more is refused")
        func values() async throws {
            let open = try await OpenShop(valueLimit: 10)
            let client = try open.client()
            func texts(_ count: Int) -> [BusValue] { [.array((0..<count).map { _ in .string("") })] }
            // The array is one of them.
            #expect(try await client.ask("Count", texts(9)) == [.uint32(9)])
            #expect(await client.refusal("Count", texts(10)) == "LimitsExceeded")
        }

        @Test("containers in a call have a depth: as deep as that is read, one deeper is refused")
        func depth() async throws {
            let open = try await OpenShop()
            let client = try open.client(valueLimit: 100)
            func nested(_ depth: Int) -> BusValue { depth == 0 ? .byte(1) : .variant(nested(depth - 1)) }
            func call(_ depth: Int) -> [BusValue] { [.array([.entry([.string("k"), nested(depth)])])] }
            // The dictionary and its entry are two, and the value itself is one.
            _ = try await client.ask("Dictionary", call(BusLimit.depth - 3))
            #expect(await client.refusal("Dictionary", call(BusLimit.depth - 2)) == "LimitsExceeded")
        }

        @Test("a text, an array of bytes and all of them together have lengths: as long is read, a byte more is refused")
        func lengths() async throws {
            let open = try await OpenShop()
            let client = try open.client()
            func text(_ count: Int) -> [BusValue] { [.array([.string(String(repeating: "a", count: count))])] }
            #expect(try await client.ask("Count", text(BusLimit.argumentText)) == [.uint32(1)])
            #expect(await client.refusal("Count", text(BusLimit.argumentText + 1)) == "LimitsExceeded")
            func bytes(_ counts: Int...) -> [BusValue] { [.array(counts.map { .bytes([UInt8](repeating: 1, count: $0)) })] }
            #expect(try await client.ask("Length", bytes(BusLimit.bytes)) == [.uint32(UInt32(BusLimit.bytes))])
            #expect(await client.refusal("Length", bytes(BusLimit.bytes + 1)) == "LimitsExceeded")
            let half = BusLimit.argumentBytes / 2
            #expect(try await client.ask("Length", bytes(half, half)) == [.uint32(UInt32(BusLimit.argumentBytes))])
            #expect(await client.refusal("Length", bytes(half, half + 1)) == "LimitsExceeded")
        }

        @Test("a secret that is refused for its length or its form isn't answered with, and the next call is")
        func refusedSecrets() async throws {
            let open = try await OpenShop()
            let client = try open.client()
            func secret(_ count: Int) throws -> BusValue {
                let bytes = try SecretBytes(count: count) { $0.initializeMemory(as: UInt8.self, repeating: 7) }
                return .structure([.path("/"), .secret(try SecretBytes(copying: [])), .secret(bytes), .string("")])
            }
            #expect(try await client.ask("Keep", [secret(BusLimit.bytes)]).count == 1)
            #expect(await client.refusal("Keep", [try secret(BusLimit.bytes + 1)]) == "LimitsExceeded")
            #expect(await client.refusal("Keep", [.secret(try SecretBytes(copying: [1, 2, 3]))]) == "InvalidArgs")
            #expect(try await client.ask("Keep", [secret(3)]).count == 1)
        }

        @Test("calls of one caller have a limit, and so have all: as many wait, one more is refused until one has ended")
        func calls() {
            var calls = CallsUnderWay<Int>()
            var numbers: [UInt64] = []
            for sender in 0..<BusLimit.answeringAll / BusLimit.answeringOne {
                for _ in 0..<BusLimit.answeringOne {
                    guard let number = calls.begin(":1.\(sender)", bytes: 0, 0) else { continue }
                    numbers.append(number)
                }
                #expect(calls.begin(":1.\(sender)", bytes: 0, 0) == nil)
                #expect(calls.count == (sender + 1) * BusLimit.answeringOne)
            }
            #expect(calls.count == BusLimit.answeringAll)
            #expect(calls.begin(":1.99", bytes: 0, 0) == nil)
            #expect(calls.end(numbers[0]) == 0)
            #expect(calls.begin(":1.99", bytes: 0, 0) != nil)
            #expect(calls.begin(":1.0", bytes: 0, 0) == nil)
        }

        @Test("the bytes of one caller's calls have a limit, and so have all: as many are held, one more is refused")
        func bytes() {
            var calls = CallsUnderWay<Int>()
            let callers = BusLimit.heldOfAll / BusLimit.heldOfOne
            var last: UInt64?
            for sender in 0..<callers {
                #expect(calls.begin(":1.\(sender)", bytes: BusLimit.heldOfOne + 1, 0) == nil)
                last = calls.begin(":1.\(sender)", bytes: BusLimit.heldOfOne, 0)
                #expect(last != nil)
                #expect(calls.begin(":1.\(sender)", bytes: 1, 0) == nil)
            }
            #expect(calls.begin(":1.99", bytes: 1, 0) == nil)
            #expect(calls.begin(":1.99", bytes: 0, 0) != nil)
            // A caller that left is counted until its call has ended.
            #expect(calls.leave(":1.\(callers - 1)") == [0])
            #expect(calls.begin(":1.99", bytes: 1, 0) == nil)
            #expect(last.map { calls.end($0) } == .some(nil))
            #expect(calls.begin(":1.99", bytes: BusLimit.heldOfOne, 0) != nil)
        }

        @Test("what a caller's calls hold until they are answered is counted: what is more than it may have is refused")
        func held() async throws {
            let open = try await OpenShop()
            let client = try open.client()
            // Each value takes its bytes and its own place, so the last one is too much.
            let most = BusLimit.heldOfOne >> 20
            let value = BusValue.bytes([UInt8](repeating: 1, count: 1 << 20))
            let ended = Heard<Result<BusMessage, BusError>>()
            for _ in 0..<most {
                client.send(BusCall(Shop.name, "/shop", Shop.name, "Hold", [value]), within: 60) { ended.put($0) }
            }
            // Once this is answered, all before it have been seen.
            _ = try await client.ask("Tell")
            let held = open.bus.callsUnderWay
            #expect(held == most - 1)
            for _ in 0..<held { await open.shop.waiting.next().resume() }
            var refusals: [String] = []
            for _ in 0..<most {
                if case .failure(let error) = await ended.next() { refusals.append(error.name) }
            }
            #expect(refusals == ["org.freedesktop.DBus.Error.LimitsExceeded"])
        }

        @Test("a text with a zero in it is refused where it is written, not cut")
        func zero() async throws {
            let open = try await OpenShop()
            let client = try open.client()
            await #expect(throws: BusError(.failed)) { try await client.ask("Count", [.array([.string("a\0b")])]) }
        }

        @Test(
            "a signature has a longest form and a depth: as long and as deep is one, more isn't",
            arguments: [
                ("", true), ("a{sv}(ii)v", true), ("a{sa{sv}}", true), ("a", false), ("{sv}", false), ("a{vs}", false),
                ("a{s}", false),
                ("()", false), ("(", false), (")", false), ("a{sv", false), ("z", false), ("r", false), ("e", false),
                (String(repeating: "y", count: 255), true), (String(repeating: "y", count: 256), false),
                (String(repeating: "a", count: 64) + "y", true), (String(repeating: "a", count: 65) + "y", false),
            ])
        func signatures(_ text: String, _ isOne: Bool) { #expect((BusSignature(text) != nil) == isOne, "\(text)") }

        @Test("a text in an answer to us has a length: as long is read, a byte more isn't")
        func answers() async throws {
            let open = try await OpenShop()
            let client = try open.client()
            let properties = "org.freedesktop.DBus.Properties"
            let words = [BusValue.string(Shop.name), .string("Label")]
            for (count, isRead) in [(BusLimit.text, true), (BusLimit.text + 1, false)] {
                let label = BusValue.variant(.string(String(repeating: "a", count: count)))
                _ = try await client.ask("Set", words + [label], interface: properties)
                guard isRead else {
                    await #expect(throws: BusError(.malformed)) { try await client.ask("Get", words, interface: properties) }
                    continue
                }
                #expect(try await client.ask("Get", words, interface: properties) == [label])
            }
        }
    }
}
