import CThumbLinux

/// Who holds the lock on a file (flock(2)), as far as the kernel tells.
public enum LockHolder {
    /// Far more than the table of a busy machine has.
    private static let tableBytes = 1 << 20

    /// The process's number. nil if nobody holds the lock, or if the holder can't be seen from here.
    public static func process(of path: String) -> Int32? {
        do throws(SystemError) {
            let file = try Descriptor(opening: path, thumb_O_PATH)
            let number = UInt64(try file.status().st_ino)
            guard let facts = text("/proc/self/fdinfo/\(file.number)"), let mounts = text("/proc/self/mountinfo"),
                let device = device(facts, mounts: mounts), let table = text("/proc/locks")
            else { return nil }
            return process(of: number, on: device, in: table)
        } catch {
            return nil
        }
    }

    private static func text(_ path: String) -> String? {
        Transfer.file(path, atMost: tableBytes).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The device of an open file as the table of locks has it: its filesystem's own. What stat(2) says is another one on filesystems with
    /// parts (btrfs), so the file's mount is looked up. A line of mounts is `36 35 8:1 / /home rw …`: its number, its parent's, its device.
    static func device(_ facts: String, mounts: String) -> String? {
        let mount = facts.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
            .first { $0.count == 2 && $0[0] == "mnt_id:" }?[1]
        guard let mount else { return nil }
        for line in mounts.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 3)
            guard words.count == 4, words[0] == mount else { continue }
            let numbers = words[2].split(separator: ":").compactMap { UInt32($0) }.map { number in
                (number < 16 ? "0" : "") + String(number, radix: 16)
            }
            return numbers.count == 2 ? numbers.joined(separator: ":") : nil
        }
        return nil
    }

    /// The same from the kernel's table. A line is `1: FLOCK  ADVISORY  WRITE 1234 fd:01:5678 0 EOF`; with an arrow it is one that waits.
    static func process(of file: UInt64, on device: String, in table: String) -> Int32? {
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 5, words[1] == "FLOCK", words[5] == "\(device):\(file)" else { continue }
            // Zero stands for a process that this one can't see.
            if let number = Int32(words[4]), number > 0 { return number }
        }
        return nil
    }
}
