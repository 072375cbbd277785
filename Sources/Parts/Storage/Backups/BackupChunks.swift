public import ThumbAccess
import ThumbCrypto
public import ThumbKeychain
public import ThumbSecrets

/// The place of a chunk: its file, its number there, and whether it ends the file.
private struct ChunkBinding {
    private let head: [UInt8]
    private var number: UInt64 = 0

    init(_ head: BackupHead) throws { self.head = try HashFunction.sha256.hash(head.bytes) }

    /// The bytes that the next chunk is bound to.
    func bytes(isLast: Bool) -> [UInt8] {
        var writer = ByteWriter(reserving: 80)
        writer.raw("thumbturn backup chunk 1")
        writer.raw(head)
        writer.integer(number)
        writer.byte(isLast ? 1 : 0)
        return writer.bytes
    }

    mutating func advance() { number += 1 }
}

/// Seals a backup's chunks, each bound to the file, its place and whether it is the last.
public final class BackupSealer: BackupWriter {
    public let head: [UInt8]
    private let key: SecretBytes
    private var binding: ChunkBinding

    /// Begins a backup under a stretched passphrase; fails with `failed` if its keys can't be derived.
    public init(stretched: SecretBytes, _ stretch: Stretch) throws(StorageError) {
        (head, key, binding) = try storing {
            let keys = try BackupKeys(stretched: stretched)
            let head = try BackupHead(stretch, keys: keys)
            return (head.bytes, keys.chunks, try ChunkBinding(head))
        }
    }

    /// The next chunk's box; fails with `outOfMemory` if no locked memory is left.
    public func seal(_ items: [BackupItem], isLast: Bool) throws(BackupError) -> [UInt8] {
        do {
            return try keeping {
                let box = try SealedBox.seal(
                    BackupCoding.chunk(items), key: key, associatedData: binding.bytes(isLast: isLast))
                guard BackupLimit.box.contains(box.count) else { throw KeychainFailure.dataTooLarge }
                binding.advance()
                return box
            }
        } catch {
            throw .keychain(error)
        }
    }
}

/// Opens a backup's chunks in their order.
public final class BackupOpener: BackupReader {
    private let key: SecretBytes
    private var binding: ChunkBinding
    private var isOver = false

    /// Opens a backup under a stretched passphrase.
    ///
    /// Fails with `wrongPassphrase` if it isn't the file's, and with a keychain failure if there is no memory.
    public init(_ head: BackupHead, stretched: SecretBytes) throws(BackupError) {
        let opened: (SecretBytes, ChunkBinding)?
        do {
            opened = try keeping {
                let keys = try BackupKeys(stretched: stretched)
                return try head.isOpened(by: keys) ? (keys.chunks, ChunkBinding(head)) : nil
            }
        } catch {
            throw .keychain(error)
        }
        guard let opened else { throw .backup(.wrongPassphrase) }
        (key, binding) = opened
    }

    /// The items in the next chunk. Fails with `damaged` if the box isn't that chunk, and always after the last one. Fails with a keychain
    /// failure if there is no memory; then it can be tried again.
    public func open(_ box: [UInt8], isLast: Bool) throws(BackupError) -> [BackupItem] {
        guard !isOver, BackupLimit.box.contains(box.count) else { throw .backup(.damaged) }
        let items: [BackupItem]?
        do throws(KeychainFailure) {
            items = try keeping {
                try undamaged {
                    try BackupCoding.items(
                        in: SealedBox.open(box, key: key, associatedData: binding.bytes(isLast: isLast)))
                }
            }
        } catch {
            throw .keychain(error)
        }
        guard let items else { throw .backup(.damaged) }
        binding.advance()
        isOver = isLast
        return items
    }
}
