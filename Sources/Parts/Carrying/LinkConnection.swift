import CThumbLinux
public import ThumbLoop
import ThumbMetering
public import ThumbSystem

/// One connection to another carrier: parcels in both directions, and a close when the other side is gone, slow, or speaks something else.
@OnLoop public final class LinkConnection {
    /// Where a parcel goes that came.
    public var heard: (Parcel) -> Void = { _ in }
    /// Called once, when the connection is over.
    public var ended: () -> Void = {}
    /// The moment of the last parcel.
    public private(set) var heardAt = EventLoop.now

    /// How many more parcels may come before it is closed.
    public var parcelsLeft = Int.max

    /// The carrier's own number for it; 0: this machine made it.
    let number: UInt32
    private let fd: Int32
    private var watch: Watch?
    private var reader = ParcelReader()
    private var waiting: [UInt8] = []
    private var pace = CarryingLimit.pace
    public private(set) var isOpen = true

    /// Takes over a connected socket.
    public init(_ connection: consuming Descriptor, number: UInt32 = 0) { (fd, self.number) = (connection.released(), number) }

    /// Takes over a connected socket by its number.
    init(owning fd: Int32) { (self.fd, number) = (fd, 0) }

    public func open() {
        watch = Watch(fd, .readable) { [weak self] ready in self?.ready(ready) }
    }

    public func close() {
        if !isOpen { return }
        isOpen = false
        watch?.remove()
        watch = nil
        _ = CThumbLinux.close(fd)
        let ended = ended
        (heard, self.ended) = ({ _ in }, {})
        ended()
    }

    public func send(_ parcel: Parcel) {
        guard isOpen else { return }
        waiting += parcel.bytes
        // Whoever doesn't read gets no more.
        if waiting.count > CarryingLimit.waitingBytes { return close() }
        flush()
    }

    /// Whether it may bring one more frame now.
    func takesFrame() -> Bool { pace.take(at: EventLoop.now) }

    private func ready(_ ready: Readiness) {
        if ready.contains(.writable) { flush() }
        if isOpen, !ready.isDisjoint(with: [.readable, .hungUp]) { receive() }
    }

    private func receive() {
        var room = [UInt8](repeating: 0, count: 4096)
        let count = uninterrupted {
            unsafe room.withUnsafeMutableBytes { unsafe recv(fd, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
        }
        if count < 0, thumb_errno() == EAGAIN { return }
        guard count > 0 else { return close() }
        let parcels: [Parcel]
        do throws(ParcelReader.Malformed) {
            parcels = try reader.take(Array(room.prefix(count)))
        } catch {
            return close()
        }
        if !parcels.isEmpty { heardAt = EventLoop.now }
        for parcel in parcels where isOpen {
            parcelsLeft -= 1
            guard parcelsLeft >= 0 else { return close() }
            heard(parcel)
        }
    }

    private func flush() {
        while isOpen, !waiting.isEmpty {
            let count = uninterrupted {
                unsafe waiting.withUnsafeBytes {
                    unsafe CThumbLinux.send(fd, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
                }
            }
            if count < 0, thumb_errno() == EAGAIN { break }
            guard count > 0 else { return close() }
            waiting.removeFirst(count)
        }
        watch?.change(to: waiting.isEmpty ? .readable : [.readable, .writable])
    }
}
