import CThumbLinux

/// Standard input, output and error.
public enum StandardDescriptors {
    /// Opens /dev/null as each of them that this program was started without. Otherwise the next file that it opens would be one, and
    /// what is written as an error would go there.
    public static func fill() {
        for number in Int32(0)..<3 where thumb_fcntl(number, F_GETFD, 0) < 0 {
            // The lowest number that is free is this one. Without /dev/null there is nothing better to put there.
            _ = unsafe thumb_openat(AT_FDCWD, "/dev/null", O_RDWR, 0)
        }
    }
}
