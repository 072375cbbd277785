import CThumbLinux
import CThumbSystemd
public import ThumbLoop

/// A connection to a message bus, on the loop. It never blocks the loop, and all of its code runs there.
///
/// A bus that went away stays away. Make a new one if you need it again.
@safe @OnLoop public final class Bus {
    /// Where the system's bus listens. It isn't taken from the environment, which anybody can set.
    public nonisolated static let systemAddress = "unix:path=/run/dbus/system_bus_socket"
    /// The bus's own name for itself; nobody else can have it.
    public nonisolated static let driver = "org.freedesktop.DBus"

    public typealias Answer = (Result<BusMessage, BusError>) -> Void

    private final class Pending {
        let destination: String
        let answer: Answer
        var timer: LoopTimer?

        init(_ destination: String, _ answer: @escaping Answer) {
            self.destination = destination
            self.answer = answer
        }
    }

    let handle: OpaquePointer
    let valueLimit: Int
    let argumentBytes: Int
    private var descriptor: Int32 = -1
    private var watch: Watch?
    private var timer: LoopTimer?
    private var pending: [UInt64: Pending] = [:]
    private var listeners: [UInt64: BusListener] = [:]
    private var lastListener: UInt64 = 0
    private var isProcessing = false
    /// What answers calls to us.
    var exports: BusExports?
    /// Tells when a caller has left.
    var departures: BusSubscription?
    public private(set) var isConnected = true
    /// Called once, when the bus is gone.
    public var onDisconnect: (() -> Void)?

    /// Begins to connect. Calls may be made at once; they wait for the connection.
    ///
    /// Fails if nobody listens at the address.
    ///
    /// - Parameters:
    ///   - valueLimit: how many values a message may have, for callers that expect more than a reader's few.
    ///   - argumentBytes: how many bytes the texts and arrays of bytes of one call to us may have.
    public init(
        address: String, valueLimit: Int = BusLimit.values, argumentBytes: Int = BusLimit.argumentBytes
    ) throws(BusError) {
        (self.valueLimit, self.argumentBytes) = (valueLimit, argumentBytes)
        var made: OpaquePointer?
        guard unsafe sd_bus_new(&made) >= 0, let handle = unsafe made else { throw BusError(.failed) }
        unsafe self.handle = handle
        var status = unsafe sd_bus_set_address(handle, address)
        if status >= 0 { status = unsafe sd_bus_set_bus_client(handle, 1) }
        if status >= 0 { status = unsafe sd_bus_start(handle) }
        // A throw releases the handle, because this object is complete by now and is taken down as a whole.
        guard status >= 0 else { throw BusError(.disconnected, number: status) }
        // A duplicate of our own: sd-bus closes its descriptor as soon as it sees the end, while the loop still watches it.
        descriptor = thumb_fcntl(unsafe sd_bus_get_fd(handle), F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw BusError(.failed, number: -thumb_errno()) }
        watch = Watch(descriptor, .readable) { [weak self] _ in self?.process() }
        arm()
    }

    isolated deinit {
        letGo()
        unsafe sd_bus_close_unref(handle)
    }

    /// Ends the connection: every call that waits fails. Another program releases whatever it holds for us.
    public func close() { end(BusError(.disconnected)) }

    // MARK: Calls

    /// Makes a call. `answer` is called once, later, unless the ticket is cancelled.
    @discardableResult
    public func send(_ call: BusCall, within seconds: Double, _ answer: @escaping Answer) -> BusTicket? {
        do {
            let cookie = try transmit(call)
            let entry = Pending(call.destination, answer)
            entry.timer = EventLoop.shared.after(seconds) { [weak self] in self?.settle(cookie, .failure(BusError(.timedOut))) }
            pending[cookie] = entry
            arm()
            return BusTicket(self, cookie)
        } catch {
            answer(.failure(error))
            return nil
        }
    }

    /// The same, awaited. Fails as cancelled when its task is cancelled.
    public func call(_ call: BusCall, within seconds: Double) async throws(BusError) -> BusMessage {
        let slot = TicketSlot()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (done: CheckedContinuation<Result<BusMessage, BusError>, Never>) in
                if Task.isCancelled { return done.resume(returning: .failure(BusError(.cancelled))) }
                slot.ticket = send(call, within: seconds) { done.resume(returning: $0) }
            }
        } onCancel: {
            EventLoop.shared.post { slot.ticket?.fail(BusError(.cancelled)) }
        }
        return try result.get()
    }

    private func transmit(_ call: BusCall) throws(BusError) -> UInt64 {
        guard isConnected else { throw BusError(.disconnected) }
        guard pending.count < BusLimit.calls else { throw BusError(.failed) }
        var made: OpaquePointer?
        let status = unsafe sd_bus_message_new_method_call(
            handle, &made, call.destination, call.path, call.interface, call.member)
        guard status >= 0, let message = unsafe made else { throw BusError(.failed, number: status) }
        defer { unsafe sd_bus_message_unref(message) }
        try unsafe MessageCoding.append(call.values, as: call.signature, to: message)
        var cookie: UInt64 = 0
        let sent = unsafe sd_bus_send(handle, message, &cookie)
        guard sent >= 0 else { throw BusError(.disconnected, number: sent) }
        return cookie
    }

    /// Sends an answer or a signal.
    @unsafe func transmit(_ message: OpaquePointer) throws(BusError) {
        guard isConnected else { throw BusError(.disconnected) }
        let sent = unsafe sd_bus_send(handle, message, nil)
        guard sent >= 0 else { throw BusError(.failed, number: sent) }
        // While messages are taken, this is done after the last of them.
        if !isProcessing { arm() }
    }

    fileprivate func settle(_ cookie: UInt64, _ result: Result<BusMessage, BusError>) {
        guard let entry = pending.removeValue(forKey: cookie) else { return }
        entry.timer?.cancel()
        entry.answer(result)
    }

    // MARK: Signals

    /// Hears signals until the subscription is cancelled or released. The bus is asked for them now; await `ready` if you must
    /// not miss the first.
    public func listen(_ rule: BusRule, _ handler: @escaping (BusMessage) -> Void) -> BusSubscription {
        lastListener += 1
        let number = lastListener
        listeners[number] = BusListener(rule: rule, handler: handler)
        send(BusCall(Self.driver, "/org/freedesktop/DBus", Self.driver, "AddMatch", [.string(rule.text)]), within: 30) { _ in }
        return BusSubscription(self, number)
    }

    fileprivate func unlisten(_ number: UInt64) {
        guard let listener = listeners.removeValue(forKey: number), isConnected else { return }
        send(
            BusCall(Self.driver, "/org/freedesktop/DBus", Self.driver, "RemoveMatch", [.string(listener.rule.text)]), within: 30
        ) { _ in }
    }

    // MARK: The connection at work

    private func process() {
        // If a handler makes a call here, the loop below takes care of it.
        if isProcessing { return }
        isProcessing = true
        defer { isProcessing = false }
        var taken = 0
        while isConnected, taken < BusLimit.turn {
            taken += 1
            var message: OpaquePointer?
            let status = unsafe sd_bus_process(handle, &message)
            if status < 0 { return end(BusError(.disconnected, number: status)) }
            if let message = unsafe message {
                unsafe take(message)
                unsafe sd_bus_message_unref(message)
            } else if status == 0 {
                break
            }
            // sd-bus writes and reads by the same call, so one message is taken each time that some could be written.
            if isFull { break }
        }
        arm()
    }

    /// How many messages wait to be written.
    var queuedMessages: Int {
        var count: UInt64 = 0
        return unsafe sd_bus_get_n_queued_write(handle, &count) >= 0 ? Int(clamping: count) : 0
    }

    /// Whether so much waits to be written that nothing more should be read.
    private var isFull: Bool { queuedMessages > BusLimit.queued }

    @unsafe private func take(_ message: OpaquePointer) {
        var type: UInt8 = 0
        guard unsafe sd_bus_message_get_type(message, &type) >= 0 else { return }
        switch Int(type) {
        case SD_BUS_MESSAGE_METHOD_RETURN, SD_BUS_MESSAGE_METHOD_ERROR: unsafe takeReply(message, Int(type))
        case SD_BUS_MESSAGE_SIGNAL: unsafe takeSignal(message)
        case SD_BUS_MESSAGE_METHOD_CALL: unsafe exports?.take(message)
        // A kind that isn't there yet.
        default: break
        }
    }

    @unsafe private func takeReply(_ message: OpaquePointer, _ type: Int) {
        var cookie: UInt64 = 0
        guard unsafe sd_bus_message_get_reply_cookie(message, &cookie) >= 0, let entry = pending[cookie] else { return }
        let sender = unsafe MessageCoding.text(sd_bus_message_get_sender(message))
        // A call to a connection must be answered by that connection, or by the bus if the connection is gone. sd-bus itself compares only
        // cookies, and anybody can guess those by counting.
        let isOwn = sender == entry.destination || sender == Self.driver || !entry.destination.hasPrefix(":")
        guard isOwn else { return }
        if type == SD_BUS_MESSAGE_METHOD_ERROR {
            return unsafe settle(cookie, .failure(error(message)))
        }
        settle(cookie, Result { () throws(BusError) in try unsafe read(message) })
    }

    @unsafe private func error(_ message: OpaquePointer) -> BusError {
        guard let error = unsafe sd_bus_message_get_error(message) else { return BusError(.refused) }
        let name = unsafe MessageCoding.text(error.pointee.name)
        switch name {
        case "org.freedesktop.DBus.Error.NameHasNoOwner", "org.freedesktop.DBus.Error.ServiceUnknown":
            return BusError(.noOwner, name: name)
        case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout": return BusError(.timedOut, name: name)
        default: return BusError(.refused, name: name)
        }
    }

    @unsafe private func takeSignal(_ message: OpaquePointer) {
        let member = unsafe MessageCoding.text(sd_bus_message_get_member(message))
        let interface = unsafe MessageCoding.text(sd_bus_message_get_interface(message))
        // sd-bus makes this message itself; no peer's message has that interface.
        if interface == "org.freedesktop.DBus.Local" { return end(BusError(.disconnected)) }
        let concerned = listeners.values.filter { $0.rule.interface == interface && $0.rule.member == member }
        guard !concerned.isEmpty, let signal = try? unsafe read(message) else { return }
        for listener in concerned where listener.rule.covers(signal) { listener.handler(signal) }
    }

    @unsafe private func read(_ message: OpaquePointer) throws(BusError) -> BusMessage {
        BusMessage(
            sender: unsafe MessageCoding.text(sd_bus_message_get_sender(message)),
            path: unsafe MessageCoding.text(sd_bus_message_get_path(message)),
            interface: unsafe MessageCoding.text(sd_bus_message_get_interface(message)),
            member: unsafe MessageCoding.text(sd_bus_message_get_member(message)),
            values: try unsafe MessageCoding.values(of: message, limit: valueLimit))
    }

    /// Tells the loop what sd-bus waits for.
    private func arm() {
        guard isConnected else { return }
        timer?.cancel()
        timer = nil
        let events = unsafe sd_bus_get_events(handle)
        if events < 0 { return end(BusError(.disconnected, number: events)) }
        var interest: Readiness = []
        let isFull = isFull
        if events & Int32(POLLIN) != 0, !isFull { interest.insert(.readable) }
        if events & Int32(POLLOUT) != 0 { interest.insert(.writable) }
        watch?.change(to: interest)
        if isFull { return }
        var due: UInt64 = 0
        guard unsafe sd_bus_get_timeout(handle, &due) > 0, due != UInt64.max else { return }
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        let seconds = Double(due) / 1e6 - Double(now.tv_sec) - Double(now.tv_nsec) / 1e9
        timer = EventLoop.shared.after(max(0, seconds)) { [weak self] in self?.process() }
    }

    private func letGo() {
        watch?.remove()
        watch = nil
        timer?.cancel()
        timer = nil
        if descriptor >= 0 { UnixSocket.close(descriptor) }
        descriptor = -1
    }

    private func end(_ error: BusError) {
        guard isConnected else { return }
        isConnected = false
        unsafe sd_bus_close(handle)
        letGo()
        listeners = [:]
        exports?.forgetAll()
        exports = nil
        departures = nil
        let orphans = pending.values
        pending = [:]
        for orphan in orphans {
            orphan.timer?.cancel()
            orphan.answer(.failure(error))
        }
        let told = onDisconnect
        onDisconnect = nil
        told?()
    }
}

/// A call under way.
@OnLoop public struct BusTicket {
    private weak var bus: Bus?
    private let cookie: UInt64

    init(_ bus: Bus, _ cookie: UInt64) {
        self.bus = bus
        self.cookie = cookie
    }

    func fail(_ error: BusError) { bus?.settle(cookie, .failure(error)) }
}

@OnLoop private final class TicketSlot {
    var ticket: BusTicket?
}

struct BusListener {
    let rule: BusRule
    let handler: (BusMessage) -> Void
}

/// Receives signals as long as you keep it.
@OnLoop public final class BusSubscription {
    private weak var bus: Bus?
    private let number: UInt64

    init(_ bus: Bus, _ number: UInt64) {
        self.bus = bus
        self.number = number
    }

    isolated deinit { bus?.unlisten(number) }

    public func cancel() {
        bus?.unlisten(number)
        bus = nil
    }
}
