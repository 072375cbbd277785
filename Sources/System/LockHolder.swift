import CThumbLinux

/// Who holds the lock on a file (flock(2)), as far as the kernel tells.
public enum LockHolder {
    /// Far more than the table of a busy machine has.
    private static let tableBytes = 1 << 20

    /// The process's number. nil if nobody holds the lock, or if the holder can't be seen from here.
    public static func process(of path: String) -> Int32? {
        var status = stat()
        guard unsafe stat(path, &status) == 0, let table = Transfer.file("/proc/locks", atMost: tableBytes) else { return nil }
        return process(of: UInt64(status.st_ino), in: String(decoding: table, as: UTF8.self))
    }

    /// The same from the kernel's table. A line is `1: FLOCK  ADVISORY  WRITE 1234 fd:01:5678 0 EOF`; with an arrow it is one that waits.
    static func process(of file: UInt64, in table: String) -> Int32? {
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 5, words[1] == "FLOCK", words[5].hasSuffix(":\(file)") else { continue }
            // Zero stands for a process that this one can't see.
            if let number = Int32(words[4]), number > 0 { return number }
        }
        return nil
    }
}
