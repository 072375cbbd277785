import CThumbLinux
import CThumbSystemd
import ThumbLoop

/// Answers the calls that come to a connection, from the objects that it exports.
@OnLoop final class BusExports {
    /// What answers a call: the values, or a task that will have them.
    enum Work {
        case done([BusValue])
        case later(@OnLoop () async throws(BusFailure) -> [BusValue])
    }

    /// An answer's form, and the work that makes it.
    struct Plan {
        var signature: BusSignature = ""
        /// How much the call's values take while it isn't answered.
        var bytes = 0
        let work: Work
    }

    private let bus: WeakBus
    let objects: any BusObjects
    let valueLimit: Int
    let argumentBytes: Int
    private var underWay = CallsUnderWay<CallUnderWay>()

    init(_ bus: Bus, _ objects: any BusObjects) {
        self.bus = WeakBus(bus)
        self.objects = objects
        (valueLimit, argumentBytes) = (bus.valueLimit, bus.argumentBytes)
    }

    /// How many calls aren't answered yet.
    var count: Int { underWay.count }

    /// Answers a call, now or later.
    @unsafe func take(_ message: OpaquePointer) {
        do throws(BusFailure) {
            let plan = unsafe try plan(message)
            switch plan.work {
            case .done(let values): unsafe answer(message, values, plan.signature)
            case .later(let work): unsafe try begin(message, plan, work)
            }
        } catch {
            unsafe refuse(message, error)
        }
    }

    @unsafe private func begin(
        _ message: OpaquePointer, _ plan: Plan, _ work: @escaping @OnLoop () async throws(BusFailure) -> [BusValue]
    ) throws(BusFailure) {
        let call = unsafe CallUnderWay(message, plan.signature)
        let sender = unsafe MessageCoding.text(sd_bus_message_get_sender(message))
        guard let number = underWay.begin(sender, bytes: plan.bytes, call) else { throw .tooManyCalls }
        call.task = EventLoop.shared.spawn { [weak self] in
            // Its caller may have left before the task began. Nothing would be told of that caller any more.
            if Task.isCancelled {
                _ = self?.underWay.end(number)
                return
            }
            let result: Result<[BusValue], BusFailure>
            do throws(BusFailure) { result = .success(try await work()) } catch { result = .failure(error) }
            self?.end(number, result)
        }
    }

    private func end(_ number: UInt64, _ result: Result<[BusValue], BusFailure>) {
        guard let call = underWay.end(number) else { return }
        switch result {
        case .success(let values): unsafe answer(call.message, values, call.signature)
        case .failure(let failure): unsafe refuse(call.message, failure)
        }
    }

    /// Cancels the calls of a connection that has left the bus.
    func forget(_ sender: String) { for call in underWay.leave(sender) { call.task?.cancel() } }

    /// Cancels all calls: the bus is gone.
    func forgetAll() { for call in underWay.leaveAll() { call.task?.cancel() } }

    // MARK: Answers

    @unsafe private func answer(
        _ call: OpaquePointer, _ values: [BusValue], _ signature: BusSignature
    ) {
        guard unsafe sd_bus_message_get_expect_reply(call) > 0 else { return }
        do throws(BusError) {
            var made: OpaquePointer?
            let status = unsafe sd_bus_message_new_method_return(call, &made)
            guard status >= 0, let reply = unsafe made else { throw BusError(.failed, number: status) }
            defer { unsafe sd_bus_message_unref(reply) }
            try unsafe MessageCoding.append(values, as: signature, to: reply)
            try unsafe bus.bus?.transmit(reply)
        } catch {
            unsafe refuse(call, .failed("The answer can't be written in its declared form."))
        }
    }

    @unsafe private func refuse(_ call: OpaquePointer, _ failure: BusFailure) {
        guard unsafe sd_bus_message_get_expect_reply(call) > 0 else { return }
        var made: OpaquePointer?
        let status = unsafe failure.name.withCString { name in
            unsafe failure.message.withCString { message in
                var error = unsafe sd_bus_error(name: name, message: message, _need_free: 0)
                return unsafe sd_bus_message_new_method_error(call, &made, &error)
            }
        }
        guard status >= 0, let reply = unsafe made else { return }
        defer { unsafe sd_bus_message_unref(reply) }
        // A bus that takes no more is gone, and tells that itself.
        try? unsafe bus.bus?.transmit(reply)
    }
}

/// A call that isn't answered yet.
@safe @OnLoop private final class CallUnderWay {
    let message: OpaquePointer
    let signature: BusSignature
    var task: Task<Void, Never>?

    @unsafe init(_ message: OpaquePointer, _ signature: BusSignature) {
        unsafe self.message = unsafe sd_bus_message_ref(message)
        self.signature = signature
    }

    isolated deinit { unsafe sd_bus_message_unref(message) }
}

/// The connection whose calls are answered. It holds what answers them, and not the other way round.
@OnLoop private final class WeakBus {
    weak var bus: Bus?

    init(_ bus: Bus) { self.bus = bus }
}
