import CThumbLinux

/// Standard input, output and error.
public enum StandardDescriptors {
    /// Opens /dev/null as each of them that this program was started without. Otherwise the next file that it opens would get that number,
    /// and error messages would be written to it.
    public static func fill() {
        for number in Int32(0)..<3 where thumb_fcntl(number, F_GETFD, 0) < 0 {
            // The lowest free number is this one. Without /dev/null there is nothing better to open.
            _ = unsafe thumb_openat(AT_FDCWD, "/dev/null", O_RDWR, 0)
        }
    }
}
