import thumbturn_test_programs
import thumbturn_test_store

/// The files as far as a recording got: what is surely on the disk, and what was written since and may be or not.
struct Wreck {
    private enum Change {
        case write(at: Int, [UInt8])
        case cut(Int)
    }

    private final class File {
        var synced: [UInt8]
        var pending: [Change] = []
        /// Whether its name is on the disk; making a file is a change of its folder.
        var isNew: Bool

        init(_ bytes: [UInt8], isNew: Bool) {
            synced = bytes
            self.isNew = isNew
        }
    }

    /// The folder as it is, and as it surely is on the disk.
    private var folder: [String: File]
    private var syncedFolder: [String: File]

    init(_ files: [String: [UInt8]]) {
        folder = files.mapValues { File($0, isNew: false) }
        syncedFolder = folder
    }

    mutating func take(_ event: Disk.Event) {
        switch event {
        case .made(let name): folder[name] = File([], isNew: true)
        case .written(let name, let place, let bytes): folder[name]?.pending.append(.write(at: place, bytes))
        case .cut(let name, let size): folder[name]?.pending.append(.cut(size))
        case .synced(let name):
            guard let file = folder[name] else { return }
            for change in file.pending { Self.apply(change, to: &file.synced) }
            file.pending = []
            // SQLite syncs the folder with a new file's first sync.
            if file.isNew { (file.isNew, syncedFolder) = (false, folder) }
        case .removed(let name, let isFolderSynced):
            folder[name] = nil
            if isFolderSynced { syncedFolder = folder }
        case .marked: break
        }
    }

    private static func apply(_ change: Change, to bytes: inout [UInt8]) {
        switch change {
        case .write(let place, let new):
            if bytes.count < place + new.count { bytes += [UInt8](repeating: 0, count: place + new.count - bytes.count) }
            bytes.replaceSubrange(place..<place + new.count, with: new)
        case .cut(let size): if bytes.count > size { bytes.removeLast(bytes.count - size) }
        }
    }

    /// How much of what wasn't synced is there after the crash.
    enum Fate: CaseIterable {
        /// All of it: a kill, which leaves the page cache as it is.
        case kept
        /// None of it.
        case dropped
        /// All but the end of the last write, cut at a multiple of 512 bytes.
        case torn
        /// Any of it, in pieces of 512 bytes, in any order.
        case scattered
    }

    /// The files as a crash at this point may leave them.
    func files(_ fate: Fate, _ dice: inout Dice) -> [String: [UInt8]] {
        let isFolderKept = fate == .kept || fate != .dropped && Bool.random(using: &dice)
        return (isFolderKept ? folder : syncedFolder).mapValues { file in
            var bytes = file.synced
            for (index, change) in file.pending.enumerated() {
                switch (fate, change) {
                case (.kept, _): Self.apply(change, to: &bytes)
                case (.dropped, _): break
                case (.torn, .write(let place, let new)) where index == file.pending.count - 1:
                    let pieces = Self.pieces(of: new, at: place)
                    for piece in pieces.prefix(Int.random(in: 0..<pieces.count, using: &dice)) { Self.apply(piece, to: &bytes) }
                case (.torn, _): Self.apply(change, to: &bytes)
                case (.scattered, .write(let place, let new)):
                    for piece in Self.pieces(of: new, at: place) where Bool.random(using: &dice) { Self.apply(piece, to: &bytes) }
                case (.scattered, .cut): if Bool.random(using: &dice) { Self.apply(change, to: &bytes) }
                }
            }
            return bytes
        }
    }

    /// A write as the sectors it touches: each is written or not.
    private static func pieces(of bytes: [UInt8], at place: Int) -> [Change] {
        var (pieces, start): ([Change], Int) = ([], 0)
        while start < bytes.count {
            let end = min(bytes.count, ((place + start) / 512 + 1) * 512 - place)
            pieces.append(.write(at: place + start, Array(bytes[start..<end])))
            start = end
        }
        return pieces
    }
}
