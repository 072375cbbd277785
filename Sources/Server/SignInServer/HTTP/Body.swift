import CThumbLinux
import ThumbSignIn

/// A request's body while it arrives. Its room is known from the first byte, and is cleared at the end, because it may contain a password.
@safe final class Body {
    private let room: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(capacity: Int) {
        unsafe room = UnsafeMutableRawBufferPointer.allocate(byteCount: max(capacity, 1), alignment: 1)
    }

    deinit {
        if let base = unsafe room.baseAddress { unsafe explicit_bzero(base, room.count) }
        unsafe room.deallocate()
    }

    /// - Returns: false if there isn't enough room; then nothing was added.
    func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard unsafe bytes.count <= room.count - count else { return false }
        if let base = unsafe room.baseAddress, let from = bytes.baseAddress, bytes.count > 0 {
            unsafe (base + count).copyMemory(from: from, byteCount: bytes.count)
        }
        count += bytes.count
        return true
    }

    /// Lends the bytes that have arrived.
    func withSpan<Result>(_ body: (Span<UInt8>) throws(SignInRefusal) -> Result) throws(SignInRefusal) -> Result {
        let bytes = unsafe UnsafeBufferPointer(
            start: UnsafePointer(room.baseAddress?.assumingMemoryBound(to: UInt8.self)), count: count)
        return try body(unsafe bytes.span)
    }
}
