import CThumbLinux
import ThumbSystem

/// The pages of programs and libraries that this process has mapped.
public enum CodePages {
    /// The list of mappings has about 75 KiB for each hundred of them. A daemon has some hundred; a process with thousands has its list read
    /// too.
    private static let listBytes = 8 << 20

    /// Unmaps all pages that hold what their file holds. A page that is used again is mapped again, mostly from the kernel's cache.
    ///
    /// A program's start touches much that nothing uses afterwards: symbol tables, the lists of types, code that runs once. One device runs
    /// for each user, so what stays mapped for nothing counts many times.
    public static func release() {
        guard let list = Transfer.file("/proc/self/smaps", atMost: listBytes) else { return }
        var mapping: (start: UInt, count: UInt) = (0, 0)
        for line in list.split(separator: UInt8(ascii: "\n")) {
            // A headline begins with an address, and a line below it with a capital letter.
            if !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(line[line.startIndex]) {
                mapping = code(words(line))
            } else if mapping.count > 0, line.starts(with: "Anonymous:".utf8), words(line)[1] == "0" {
                // Nothing of it was changed in memory, so the file has all of it.
                unsafe madvise(UnsafeMutableRawPointer(bitPattern: mapping.start), Int(mapping.count), Int32(MADV_DONTNEED))
            }
        }
        // The start's memory, and this list's: what was freed stays with the process until it is asked for.
        malloc_trim(0)
    }

    private static func words(_ line: ArraySlice<UInt8>) -> [String] {
        line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The mapping that a headline begins; zero-sized if it isn't of a file, or can be written.
    private static func code(_ words: [String]) -> (start: UInt, count: UInt) {
        guard words.count == 6, words[5].hasPrefix("/"), !words[1].contains("w"), let dash = words[0].firstIndex(of: "-"),
            let start = UInt(words[0][..<dash], radix: 16), let end = UInt(words[0][words[0].index(after: dash)...], radix: 16)
        else { return (0, 0) }
        return (start, end - start)
    }
}
