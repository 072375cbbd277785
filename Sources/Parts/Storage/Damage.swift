import ThumbCrypto

// The one definition of damage: stored bytes that aren't what was sealed there, and nothing else.

/// Bytes that don't have the form they should. It is caught where their meaning is known.
struct Malformed: Error {}

/// The result of `open`, or nil if it found damage: a seal that doesn't authenticate, or a wrong form.
///
/// Every other error, above all want of memory and errors of the disk, says nothing about the bytes. Such an error is thrown on, and the
/// caller leaves things as they are.
func undamaged<Value>(_ open: () throws -> Value) throws -> Value? {
    do {
        return try open()
    } catch is Malformed {
        return nil
    } catch is ItemSeals.Damaged {
        return nil
    } catch let error as CryptoError where error.code == .authenticationFailed {
        return nil
    }
}
