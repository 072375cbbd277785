import CThumbLinux
import ThumbSystem

/// The kernel's random source.
public enum SystemRandom {
    /// Fills `buffer` with random bytes; fails with `randomRefused` if the kernel has no getrandom for us.
    public static func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(SecretError) {
        guard let base = buffer.baseAddress else { return }
        var done = 0
        while done < buffer.count {
            let got = uninterrupted { unsafe getrandom(base + done, buffer.count - done, 0) }
            guard got > 0 else { throw SecretError(.randomRefused, systemError: thumb_errno()) }
            done += got
        }
    }
}
