import CThumbLinux

/// Standard input, output and error.
public enum StandardDescriptors {
    /// Opens /dev/null as each of them that this program was started without. Otherwise the next file that it opens would get that number,
    /// and error messages would be written to it.
    ///
    /// Standard output is opened for reading alone: a result that is written there fails, as it has to where nobody gets it.
    public static func fill() {
        for number in Int32(0)..<3 where thumb_fcntl(number, F_GETFD, 0) < 0 {
            // The lowest free number is this one. Without /dev/null there is nothing better to open.
            _ = unsafe thumb_openat(AT_FDCWD, "/dev/null", number == 1 ? O_RDONLY : O_RDWR, 0)
        }
    }
}
