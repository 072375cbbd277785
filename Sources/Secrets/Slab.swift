/// 64 KiB of guarded memory, given out in runs of whole pages.
internal final class Chunk {
    static let size = 64 * 1024
    static let pageCount = size / Slab.pageSize

    let mapping: GuardedMapping
    private var taken: UInt32 = 0

    init(locker: Locker) throws(SecretError) {
        mapping = try GuardedMapping(size: Self.size, locker: locker)
    }

    var isEmpty: Bool { taken == 0 }
    var isFull: Bool { taken == (1 << Self.pageCount) - 1 }

    /// Takes the first free run of `pages` pages, aligned to its length, or nil if there is none.
    func take(pages: Int) -> Int? {
        let run = (UInt32(1) << pages) - 1
        for first in stride(from: 0, to: Self.pageCount, by: pages) where taken & (run << first) == 0 {
            taken |= run << first
            return first
        }
        return nil
    }

    func giveBack(first: Int, pages: Int) {
        taken &= ~(((UInt32(1) << pages) - 1) << first)
    }
}

/// A run of pages cut into slots of one size. The list of free slots is kept here, on the ordinary heap, so that writing past a secret
/// can't reach it.
@safe internal final class Slab {
    /// The unit of a chunk, independent of the machine's page.
    static let pageSize = 4096

    /// The slot sizes. Up to 1 KiB a slab is one unit; above that it is a power of two, so that the chunk's runs stay aligned.
    static let slotSizes = [16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048, 4096, 8192, 16384]

    /// The longest secret that fits a slab.
    static let longest = 16384

    /// The class for each length, in steps of 16 bytes, so that one load replaces a search.
    private static let classBySixteenth: [UInt8] = (0...longest / 16).map { sixteenth in
        UInt8(slotSizes.firstIndex { $0 >= sixteenth * 16 } ?? slotSizes.count - 1)
    }

    static func sizeClass(of count: Int) -> Int { Int(classBySixteenth[(count + 15) / 16]) }

    let chunk: Chunk
    let firstPage: Int
    let sizeClass: Int
    let slotSize: Int
    /// This slab's place in the arena's list of slabs with room, or -1.
    var place = -1

    private let base: UnsafeMutableRawPointer
    private let slotCount: Int
    private(set) var used = 0
    // One bit for each free slot. A page holds at most 256 slots of 16 bytes.
    private var free: (UInt64, UInt64, UInt64, UInt64)

    static func pages(sizeClass: Int) -> Int { max(1, slotSizes[sizeClass] / pageSize) }

    init(chunk: Chunk, firstPage: Int, sizeClass: Int) {
        self.chunk = chunk
        self.firstPage = firstPage
        self.sizeClass = sizeClass
        slotSize = Self.slotSizes[sizeClass]
        unsafe base = chunk.mapping.base + firstPage * Self.pageSize
        let count = Self.pages(sizeClass: sizeClass) * Self.pageSize / slotSize
        slotCount = count
        func word(_ index: Int) -> UInt64 {
            let bits = min(max(count - index * 64, 0), 64)
            return bits == 64 ? .max : (1 << UInt64(bits)) - 1
        }
        free = (word(0), word(1), word(2), word(3))
    }

    var isFull: Bool { used == slotCount }
    var isEmpty: Bool { used == 0 }

    /// Takes a free slot. The caller has made sure that there is one.
    @unsafe func take() -> UnsafeMutableRawPointer {
        func first(_ word: inout UInt64, _ offset: Int) -> Int? {
            guard word != 0 else { return nil }
            let bit = word.trailingZeroBitCount
            word &= word - 1
            return offset + bit
        }
        guard let slot = first(&free.0, 0) ?? first(&free.1, 64) ?? first(&free.2, 128) ?? first(&free.3, 192)
        else { preconditionFailure("a full slab was asked for a slot") }
        used += 1
        return unsafe base + slot * slotSize
    }

    /// Frees the slot at `pointer`, which has been zeroed.
    @unsafe func giveBack(_ pointer: UnsafeMutableRawPointer) {
        let slot = unsafe (pointer - base) / slotSize
        let bit = UInt64(1) << UInt64(slot % 64)
        func set(_ word: inout UInt64) {
            precondition(word & bit == 0, "a secret was released twice")
            word |= bit
        }
        switch slot / 64 {
        case 0: set(&free.0)
        case 1: set(&free.1)
        case 2: set(&free.2)
        default: set(&free.3)
        }
        used -= 1
    }
}
