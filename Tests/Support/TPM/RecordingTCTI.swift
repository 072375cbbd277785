import CThumbTSS

/// A way to a software TPM that writes down every byte in both directions, and may do something at a command.
public final class RecordingTCTI: @unchecked Sendable {
    // @unchecked: the stack uses it from one thread, and the test reads it when that is done.
    public struct CannotOpen: Error { let number: UInt32 }

    private struct Shape {
        var common = TSS2_TCTI_CONTEXT_COMMON_V2()
        var inner: OpaquePointer
        var owner: Unmanaged<RecordingTCTI>
    }

    /// What the stack is given.
    public private(set) var context: OpaquePointer!
    /// Each command and each response, as it crossed.
    public private(set) var crossed: [[UInt8]] = []
    /// Called with a command's number before it is sent.
    public var atCommand: (UInt32) -> Void = { _ in }
    /// May change a response before the stack sees it; gets the command's number too.
    public var atResponse: (UInt32, inout [UInt8]) -> Void = { _, _ in }
    private var command: UInt32 = 0
    private var isOpen = true
    private let inner: OpaquePointer
    private let memory: UnsafeMutableRawPointer
    private let shape: UnsafeMutablePointer<Shape>

    public init(socket: String) throws {
        var size = 0
        var result = Tss2_Tcti_Swtpm_Init(nil, &size, nil)
        guard result == 0 else { throw CannotOpen(number: result) }
        memory = .allocate(byteCount: size, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        inner = OpaquePointer(memory)
        shape = .allocate(capacity: 1)
        result = Tss2_Tcti_Swtpm_Init(inner, &size, "path=" + socket)
        guard result == 0 else {
            // It has all of its parts, so its end frees them.
            isOpen = false
            throw CannotOpen(number: result)
        }
        var made = Shape(inner: inner, owner: .passUnretained(self))
        made.common.v1.magic = Self.common(inner).pointee.magic
        made.common.v1.version = 2
        made.common.v1.transmit = { RecordingTCTI.at($0).transmit($1, $2) }
        made.common.v1.receive = { RecordingTCTI.at($0).receive($1, $2, $3) }
        made.common.v1.finalize = { _ in }
        shape.initialize(to: made)
        context = OpaquePointer(shape)
    }

    /// Closes the way; the stack has no more use for it.
    public func close() {
        if isOpen { thumb_tcti_finalize(inner) }
        isOpen = false
    }

    /// Takes everything out of the TPM's memory behind the stack's back, as a second user of it could.
    public func flushAll() {
        for handle: UInt32 in [0x8000_0000, 0x8000_0001, 0x8000_0002, 0x0200_0000, 0x0200_0001, 0x0200_0002] {
            let bytes = (0..<4).map { UInt8(truncatingIfNeeded: handle >> (24 - 8 * $0)) }
            let command: [UInt8] = [0x80, 0x01, 0, 0, 0, 14, 0, 0, 0x01, 0x65] + bytes
            _ = Self.common(inner).pointee.transmit(inner, command.count, command)
            var response = [UInt8](repeating: 0, count: 4096)
            var count = response.count
            _ = Self.common(inner).pointee.receive(inner, &count, &response, -1)
        }
    }

    deinit {
        close()
        shape.deallocate()
        memory.deallocate()
    }

    private static func common(_ tcti: OpaquePointer) -> UnsafeMutablePointer<TSS2_TCTI_CONTEXT_COMMON_V1> {
        UnsafeMutablePointer(tcti)
    }

    private static func at(_ context: OpaquePointer?) -> RecordingTCTI {
        UnsafeMutablePointer<Shape>(context!).pointee.owner.takeUnretainedValue()
    }

    private func transmit(_ count: Int, _ command: UnsafePointer<UInt8>?) -> UInt32 {
        let bytes = Array(UnsafeBufferPointer(start: command, count: count))
        crossed.append(bytes)
        if bytes.count >= 10 {
            self.command = bytes[6..<10].reduce(0) { $0 << 8 | UInt32($1) }
            atCommand(self.command)
        }
        return Self.common(inner).pointee.transmit(inner, count, command)
    }

    private func receive(_ count: UnsafeMutablePointer<Int>?, _ response: UnsafeMutablePointer<UInt8>?, _ wait: Int32) -> UInt32 {
        let result = Self.common(inner).pointee.receive(inner, count, response, wait)
        if result == 0, let count, let response {
            var bytes = Array(UnsafeBufferPointer(start: response, count: count.pointee))
            crossed.append(bytes)
            atResponse(command, &bytes)
            for (place, byte) in bytes.enumerated() { response[place] = byte }
        }
        return result
    }
}
