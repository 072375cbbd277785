import CThumbLinux
import ThumbBus
import ThumbSystem

/// Writes records to a pipe, and waits if the reader is slower.
struct RecordWriter: Sendable {
    enum Reason: UInt8, Sendable { case locked = 1, untilLogout, notReadable, tooLarge, notTaken, changed }

    private let fd: Int32

    init(_ fd: Int32) { self.fd = fd }

    func total(_ items: Int) { write([1] + Self.number(UInt32(clamping: items))) }

    func item(_ label: String, _ attributes: [(name: String, value: String)], _ secret: [UInt8]) {
        var record: [UInt8] = [2] + Self.text(label)
        let count = UInt16(clamping: attributes.count)
        record += [UInt8(count >> 8), UInt8(truncatingIfNeeded: count)]
        for (name, value) in attributes.prefix(Int(count)) { record += Self.text(name) + Self.text(value) }
        write(record + Self.number(UInt32(clamping: secret.count)))
        write(secret)
    }

    func left(_ label: String, _ reason: Reason) { write([3] + Self.text(label) + [reason.rawValue]) }

    /// The record of an item that couldn't be read. Throws the error again if nothing more can be read either.
    func left(_ label: String, after error: BusError) throws(BusError) {
        switch error.code {
        case .disconnected, .noOwner, .wrongOwner, .timedOut, .cancelled: throw error
        case .malformed, .noRoom: left(label, .tooLarge)
        case .refused, .failed:
            left(label, error.name == "org.freedesktop.Secret.Error.IsLocked" ? .locked : .notReadable)
        }
    }

    func end() { write([4]) }
    func failed(_ failure: Failure) { write([5, failure.rawValue]) }
    func moved() { write([6]) }
    func present() { write([7]) }
    func nobody() { write([8]) }
    func provider(_ name: String, process: Int32, isOurs: Bool) {
        write([9] + Self.text(name) + Self.number(UInt32(clamping: process)) + [isOurs ? 1 : 0])
    }

    private static func number(_ number: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
    private static func text(_ text: String) -> [UInt8] { number(UInt32(clamping: text.utf8.count)) + Array(text.utf8) }

    private func write(_ bytes: [UInt8]) {
        // If nobody reads any more, there is nothing left to do.
        do throws(SystemError) { try Transfer.write(bytes, to: fd) } catch { exit(1) }
    }
}
