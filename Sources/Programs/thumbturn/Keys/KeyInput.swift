internal import CThumbLinux
internal import ThumbAccess
internal import ThumbCrypto
internal import ThumbSecrets

/// What a key is to be used on: a file, or standard input.
struct KeyInput: ~Copyable {
    private static let pieceBytes = 64 << 10

    private let descriptor: Int32
    private let isFile: Bool

    /// "-" means standard input too.
    init(_ path: String?) throws(Failure) {
        guard let path, path != "-" else {
            (descriptor, isFile) = (0, false)
            return
        }
        descriptor = unsafe thumb_open(path, O_RDONLY | O_CLOEXEC, 0)
        isFile = true
        guard descriptor >= 0 else {
            throw Failure("noInput", .input, "the file '\(SafeText(path, limit: 60))' can't be read")
        }
    }

    deinit { if isFile { close(descriptor) } }

    /// The hash of all there is, however long.
    func digest(_ function: HashFunction) throws(Failure) -> [UInt8] {
        do {
            var digest = try Digest(function)
            while let piece = try piece() { try digest.add(piece) }
            return try digest.finish()
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure("notHashed", .failed, "it could not be hashed")
        }
    }

    /// All there is; refused where it is longer.
    func all(atMost limit: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try piece() {
            bytes += piece
            guard bytes.count <= limit else {
                throw Failure("dataTooLarge", .input, "what was read is longer than \(limit) bytes")
            }
        }
        return bytes
    }

    /// All there is, straight into locked memory.
    func secret() throws(Failure) -> SecretBytes { try SecretInput.readAll(from: descriptor) }

    /// What comes next; nil at the end.
    private func piece() throws(Failure) -> [UInt8]? {
        var count = 0
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { room, used in
            repeat { count = unsafe read(descriptor, room.baseAddress, room.count) } while count < 0 && thumb_errno() == EINTR
            used = max(0, count)
        }
        guard count >= 0 else { throw Failure("noInput", .input, "what is to be read can't be read") }
        return count == 0 ? nil : piece
    }
}

/// Reading base64 as others write it: in lines or not.
enum Base64 {
    /// nil for anything that isn't whole base64.
    static func bytes(_ text: [UInt8]) -> [UInt8]? {
        let letters = text.filter { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
        guard letters.count % 4 == 0 else { return nil }
        let padding = letters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2 else { return nil }
        var bytes: [UInt8] = []
        var group: UInt32 = 0
        for (place, letter) in letters.dropLast(padding).enumerated() {
            guard let value = value(letter) else { return nil }
            group = group << 6 | value
            switch place % 4 {
            case 0: break
            // The bits that make up a byte; what is left over stays for the next one.
            case 1: bytes.append(UInt8(truncatingIfNeeded: group >> 4))
            case 2: bytes.append(UInt8(truncatingIfNeeded: group >> 2))
            default: bytes.append(UInt8(truncatingIfNeeded: group))
            }
        }
        return bytes
    }

    private static func value(_ letter: UInt8) -> UInt32? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
