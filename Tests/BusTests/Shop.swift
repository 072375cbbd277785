import ThumbBus
import ThumbLoop
import ThumbSecrets

/// Objects to export: `/shop`, and a hundred below it.
@OnLoop final class Shop: BusObjects {
    nonisolated static let name = "org.example.Shop"
    private(set) var label = "Corner shop"
    /// Calls of `Wait` and `Hold`, until they are let go.
    let waiting = Heard<CheckedContinuation<Void, Never>>()
    let cancelled = Heard<String>()
    let seen = Heard<BusInvocation>()
    /// Called when `Tell` is.
    var onTell: (() -> Void)?
    private lazy var interfaces = [makeInterface(), second]
    var interface: BusInterface { interfaces[0] }

    let second = BusInterface(
        "org.example.Second",
        methods: [
            BusMethod("Only", gives: ["word": "s"], now: { (call) throws(BusFailure) in [.string("second " + call.path)] })
        ])

    func forgetSeen() { seen.forget() }

    func interfaces(at path: String) -> [BusInterface]? {
        if path == "/shop" { return interfaces }
        guard path.hasPrefix("/shop/"), let number = Int(path.dropFirst(6)), (1...100).contains(number) else { return nil }
        return [second]
    }

    func children(of path: String) -> [String] {
        switch path {
        case "/": ["shop"]
        // A name that can't be one is left out.
        case "/shop": (1...100).map(String.init) + ["\"/><evil", ""]
        default: []
        }
    }

    private func makeInterface() -> BusInterface {
        let all: BusArguments = [
            "byte": "y", "flag": "b", "short": "n", "word": "q", "int": "i", "uint": "u", "long": "x", "ulong": "t",
            "real": "d", "text": "s", "path": "o", "signature": "g", "any": "v", "texts": "as", "map": "a{ss}",
            "vardict": "a{sv}", "rows": "a(ua{ss}ao)", "bytes": "ay",
        ]
        return BusInterface(
            Self.name,
            methods: [
                BusMethod(
                    "Add", takes: ["one": "i", "other": "i"], gives: ["sum": "i"],
                    now: { (call) throws(BusFailure) in
                        [.int32(Int32(truncatingIfNeeded: (call.values[0].number ?? 0) + (call.values[1].number ?? 0)))]
                    }),
                BusMethod("Slow", takes: ["number": "u"], gives: ["number": "u"]) { (call) async throws(BusFailure) in
                    await Task.yield()
                    return call.values
                },
                BusMethod("Wait", gives: ["word": "s"]) { [weak self] (call) async throws(BusFailure) in
                    await self?.wait(call.sender)
                    return [.string("waited")]
                },
                BusMethod("Hold", takes: ["bytes": "ay"], gives: ["word": "s"]) { [weak self] (call) async throws(BusFailure) in
                    await self?.wait(call.sender)
                    return [.string("held")]
                },
                BusMethod("Echo", takes: all, gives: all, now: { (call) throws(BusFailure) in call.values }),
                BusMethod(
                    "Count", takes: ["texts": "as"], gives: ["count": "u"],
                    now: { (call) throws(BusFailure) in
                        [.uint32(UInt32(call.values.first?.list?.count ?? 0))]
                    }),
                BusMethod(
                    "Length", takes: ["bytes": "aay"], gives: ["length": "u"],
                    now: { (call) throws(BusFailure) in
                        let counts = call.values.first?.list?.map { $0.bytes?.count ?? 0 } ?? []
                        return [.uint32(UInt32(counts.reduce(0, +)))]
                    }),
                BusMethod("Nothing", gives: ["a": "ao", "b": "as", "c": "a{sv}", "d": "a{ss}", "e": "ay", "f": "a(sv)"]) {
                    (_) throws(BusFailure) in
                    [.array([]), .array([]), .array([]), .array([]), .bytes([]), .array([])]
                },
                BusMethod(
                    "Keep", takes: ["secret": "(oayays)"], gives: ["secret": "(oayays)"], hasSecrets: true,
                    now: { [weak self] (call) throws(BusFailure) in
                        self?.seen.put(call)
                        return call.values
                    }),
                BusMethod("Open", takes: ["file": "h"], gives: ["file": "h"], now: { (call) throws(BusFailure) in call.values }),
                BusMethod(
                    "Fail", now: { (_) throws(BusFailure) in throw BusFailure("org.example.Closed", "The shop is closed.") }),
                BusMethod("Wrong", gives: ["number": "u"], now: { (_) throws(BusFailure) in [.string("no number")] }),
                BusMethod(
                    "Dictionary", takes: ["map": "a{sv}"],
                    now: { [weak self] (call) throws(BusFailure) in
                        self?.seen.put(call)
                        return []
                    }),
                BusMethod(
                    "Forget",
                    now: { [weak self] (_) throws(BusFailure) in
                        self?.forgetSeen()
                        return []
                    }),
                BusMethod(
                    "Tell",
                    now: { [weak self] (call) throws(BusFailure) in
                        self?.seen.put(call)
                        self?.onTell?()
                        return []
                    }),
            ],
            properties: [
                BusProperty(
                    "Label", "s", now: { [weak self] (_) throws(BusFailure) in .string(self?.label ?? "") },
                    write: { [weak self] (call) throws(BusFailure) in
                        guard let text = call.values.first?.text, !text.isEmpty else {
                            throw .invalidArguments("A label has at least one letter.")
                        }
                        self?.label = text
                    }),
                BusProperty("Items", "ao", changes: .invalidates, now: { (_) throws(BusFailure) in .array([]) }),
                BusProperty("Version", "u", changes: .never, now: { (_) throws(BusFailure) in .uint32(2) }),
                BusProperty(
                    "Later", "t", changes: .untold,
                    read: { (_) async throws(BusFailure) in
                        await Task.yield()
                        return .uint64(7)
                    }),
                BusProperty("Private", "s", now: { (_) throws(BusFailure) in throw .accessDenied("This isn't yours.") }),
            ],
            signals: [BusSignal("Sold", gives: ["item": "o", "tags": "a{ss}"])])
    }

    private func wait(_ sender: String) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiting.put($0) }
        } onCancel: {
            EventLoop.shared.post { self.cancelled.put(sender) }
        }
    }
}

/// A shop on a bus, under its name.
@OnLoop struct OpenShop {
    let own: OwnBus
    let bus: Bus
    let shop = Shop()

    init(valueLimit: Int = BusLimit.values) async throws {
        own = try await OwnBus.start()
        bus = try Bus(address: own.address, valueLimit: valueLimit)
        bus.export(shop)
        guard try await bus.requestName(Shop.name) == .owned else { throw BusError(.refused) }
    }

    /// Another connection.
    func client(valueLimit: Int = BusLimit.values) throws -> Bus { try Bus(address: own.address, valueLimit: valueLimit) }
}

extension Bus {
    /// Calls the shop.
    func ask(
        _ member: String, _ values: [BusValue] = [], as signature: BusSignature? = nil, interface: String = Shop.name,
        path: String = "/shop"
    ) async throws(BusError) -> [BusValue] {
        try await call(BusCall(Shop.name, path, interface, member, values, as: signature), within: 60).values
    }

    /// The name of the error that the shop answers with.
    func refusal(
        _ member: String, _ values: [BusValue] = [], as signature: BusSignature? = nil, interface: String = Shop.name,
        path: String = "/shop"
    ) async -> String? {
        do throws(BusError) {
            _ = try await ask(member, values, as: signature, interface: interface, path: path)
            return nil
        } catch {
            let standard = "org.freedesktop.DBus.Error."
            return error.name.hasPrefix(standard) ? String(error.name.dropFirst(standard.count)) : error.name
        }
    }
}
