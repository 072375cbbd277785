/// What a provider keeps for the programs that call it: items of the provider's own group.
public enum KeptItem {
    /// How a kept item's *service* begins; a collection's name follows. A collection is an item of the same group with another service.
    public static let servicePrefix: StaticString = "item in "

    /// The provider's own group, by which it is known. In system mode root vouches for it.
    public static func group(in mode: DeviceMode) -> ExactName {
        switch mode {
        case .system: GroupName.protected("secrets")
        case .user, .simulated: "org.thumbturn.secrets"
        }
    }

    /// The name by which the owner's answers know an item: its id in hexadecimal digits. nil for a reference to anything but a password.
    public static func name(ofReference reference: [UInt8]) -> ExactName? {
        guard reference.count == 4 + idBytes, reference.starts(with: Array("genp".utf8)) else { return nil }
        return name(ofID: reference.dropFirst(4))
    }

    /// The same, from the id.
    public static func name(ofID id: some Sequence<UInt8>) -> ExactName {
        var digits: [UInt8] = []
        for byte in id { for half in [byte >> 4, byte & 15] { digits.append(half < 10 ? 0x30 + half : 0x57 + half) } }
        return ExactName(String(decoding: digits, as: UTF8.self))
    }

    /// The id that such a name stands for; nil if it stands for none.
    public static func id(ofName name: ExactName) -> [UInt8]? {
        let digits = Array(name.utf8)
        guard digits.count == 2 * idBytes else { return nil }
        var id: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let high = half(digits[place]), let low = half(digits[place + 1]) else { return nil }
            id.append(high << 4 | low)
        }
        return id
    }

    private static func half(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x61...0x66: digit - 0x57
        default: nil
        }
    }

    /// An identity in words that can be shown: without the digests, which nobody reads, and within that many characters.
    public static func words(of identity: ExactName, limit: Int = 80) -> String {
        let bytes = Array(identity.utf8)
        let mark = Array(" sha256:".utf8)
        var kept: [UInt8] = []
        var place = 0
        while place < bytes.count {
            let digest = bytes[place...].dropFirst(mark.count).prefix(digestDigits)
            if bytes[place...].starts(with: mark), digest.count == digestDigits, digest.allSatisfy({ half($0) != nil }) {
                place += mark.count + digestDigits
            } else {
                kept.append(bytes[place])
                place += 1
            }
        }
        return SafePath(ExactName(String(decoding: kept, as: UTF8.self)), limit: limit).description
    }

    private static let digestDigits = 64
    private static let idBytes = 16
}

/// The sizes that a provider's words may have, each with its reason.
public enum ReaderLimit {
    /// Items that one call releases: as many as one question to the owner covers. Nobody would agree to more at once.
    public static let releasedItems = 64
    /// Items that one call is told about: all that a large keyring has, in a frame that still is small.
    public static let weighedItems = 4096
    /// A reader's identity: two paths of the longest kind with their digests, for a program and for the one it was started for.
    public static let identityBytes = 32 << 10
    /// The name of a process above a reader, made safe to show: the longest name of a file, each of whose bytes may take three.
    public static let aboveBytes = 1 << 10
}
