import Foundation
import ThumbSecrets

/// A handle to a random generator.
public typealias SecRandomRef = OpaquePointer

/// The system's generator, the only one there is.
@safe nonisolated(unsafe) public let kSecRandomDefault: SecRandomRef? = nil

/// Fills `count` bytes at `bytes` from the kernel's generator.
///
/// Returns `errSecSuccess`; `errSecParam` for a negative count; `errSecNotAvailable` if the kernel refuses, and then you must not use the
/// bytes. `rnd` is ignored.
@discardableResult
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
    guard count >= 0 else { return errSecParam }
    do {
        try unsafe SystemRandom.fill(UnsafeMutableRawBufferPointer(start: bytes, count: count))
        return errSecSuccess
    } catch {
        return errSecNotAvailable
    }
}
