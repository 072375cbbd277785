import ThumbCrypto

// What counts as damage, in one place: stored bytes that aren't what was sealed there, and nothing else.

/// Bytes that don't have the form they should; caught where it is known what they were meant to be.
struct Malformed: Error {}

/// What `open` gives; nil where it found damage: a seal that doesn't authenticate, or a form that isn't the one.
///
/// Everything else that goes wrong says nothing about the bytes, want of memory and errors of the disk above all: it is thrown on,
/// and whoever asked leaves things as they are.
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
