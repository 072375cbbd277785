import CThumbLinux
import ThumbSystem

/// The pages of programs and libraries that this process has mapped.
public enum CodePages {
    /// The list of mappings has about 20 KiB for each hundred of them.
    private static let listBytes = 1 << 20

    /// Unmaps all pages that hold what their file holds. A page that is used again is mapped again, mostly from the kernel's cache.
    ///
    /// A program's start touches much that nothing uses afterwards: symbol tables, the lists of types, code that runs once. One device runs
    /// for each user, so what stays mapped for nothing counts many times.
    public static func release() {
        guard let list = Transfer.file("/proc/self/smaps", atMost: listBytes) else { return }
        var mapping: (start: UInt, count: UInt)?
        for line in list.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
            if let found = start(words) {
                mapping = found
            } else if words.first == "Anonymous:", words[1] == "0", let (start, count) = mapping, count > 0 {
                // Nothing of it was changed in memory, so the file has all of it.
                unsafe madvise(UnsafeMutableRawPointer(bitPattern: start), Int(count), Int32(MADV_DONTNEED))
            }
        }
        // The start's memory, and this list's: what was freed stays with the process until it is asked for.
        malloc_trim(0)
    }

    /// The mapping that a headline begins; zero-sized if it isn't of a file, or can be written.
    private static func start(_ words: [String]) -> (start: UInt, count: UInt)? {
        guard words.count >= 5, words[1].count == 4, let dash = words[0].firstIndex(of: "-"),
            let start = UInt(words[0][..<dash], radix: 16), let end = UInt(words[0][words[0].index(after: dash)...], radix: 16)
        else { return nil }
        let isCode = words.count == 6 && words[5].hasPrefix("/") && !words[1].contains("w")
        return (start, isCode ? end - start : 0)
    }
}
