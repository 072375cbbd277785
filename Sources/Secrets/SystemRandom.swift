import CThumbLinux

/// The kernel's random source.
public enum SystemRandom {
    /// Fills `buffer` with random bytes; fails with `randomRefused` if the kernel has no getrandom for us.
    public static func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(SecretError) {
        guard let base = buffer.baseAddress else { return }
        var done = 0
        while done < buffer.count {
            let got = unsafe getrandom(base + done, buffer.count - done, 0)
            if got > 0 {
                done += got
            } else {
                let number = thumb_errno()
                if number != EINTR { throw SecretError(.randomRefused, systemError: number) }
            }
        }
    }
}
