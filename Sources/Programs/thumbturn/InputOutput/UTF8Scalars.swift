import ThumbSecrets

/// Reads a secret as UTF-8 in place, without a `String`, whose memory isn't locked.
enum UTF8Scalars {
    /// Whether the whole secret is valid UTF-8.
    static func areValid(_ secret: SecretBytes) -> Bool {
        unsafe secret.withUnsafeBytes { bytes in
            let span = unsafe bytes.bindMemory(to: UInt8.self).span
            return (try? UTF8Span(validating: span)) != nil
        }
    }

    /// Whether a terminal can show the secret without obeying anything in it: it is valid UTF-8, and newlines and tabs are its only control
    /// characters.
    static func areShowable(_ secret: SecretBytes) -> Bool {
        guard areValid(secret) else { return false }
        return unsafe secret.withUnsafeBytes { bytes in
            var place = 0
            while place < bytes.count {
                let (scalar, length) = unsafe scalar(bytes, at: place)
                guard let character = Unicode.Scalar(scalar), isShowable(character) else { return false }
                place += length
            }
            return true
        }
    }

    private static func isShowable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: scalar == "\n" || scalar == "\t"
        case .format, .lineSeparator, .paragraphSeparator, .surrogate: false
        default: true
        }
    }

    /// The scalar at `place` in valid UTF-8, and how many bytes it takes.
    static func scalar(_ bytes: UnsafeRawBufferPointer, at place: Int) -> (UInt32, Int) {
        let first = unsafe UInt32(bytes[place])
        let (length, head): (Int, UInt32) =
            switch first {
            case ..<0x80: (1, first)
            case ..<0xe0: (2, first & 0x1f)
            case ..<0xf0: (3, first & 0x0f)
            default: (4, first & 0x07)
            }
        var scalar = head
        for offset in 1..<max(length, 1) { scalar = unsafe scalar << 6 | UInt32(bytes[place + offset]) & 0x3f }
        return (scalar, length)
    }
}
