import ThumbSecrets

/// The printed code: 26 random symbols of five bits and two check symbols, in groups of four.
///
/// The check is a Reed–Solomon code of distance three over GF(32), which notices any two wrong symbols, and so any two swapped ones.
enum RecoveryCode {
    /// 130 bits can't be searched, so the code needs no stretching.
    static let randomSymbols = 26
    static let symbols = randomSymbols + 2
    static let group = 4
    /// The longest input that is looked at: the printed form with room for stray spaces.
    static let typedLimit = 128

    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let dash = UInt8(ascii: "-")

    /// A new code's symbols, each a value below 32.
    static func random() throws -> SecretBytes {
        let noise = try SecretBytes.random(count: randomSymbols)
        return try unsafe SecretBytes(count: symbols) { room in
            var (sum, weighted): (UInt8, UInt8) = (0, 0)
            unsafe noise.withUnsafeBytes { noise in
                for index in 0..<randomSymbols {
                    let symbol = unsafe noise[index] & 31
                    unsafe room[index] = symbol
                    sum ^= symbol
                    weighted ^= multiply(symbol, power(index))
                }
            }
            // The two symbols that bring both sums to zero.
            let (a, b) = (power(randomSymbols), power(randomSymbols + 1))
            let last = multiply(weighted ^ multiply(sum, a), inverse(a ^ b))
            unsafe room[randomSymbols] = sum ^ last
            unsafe room[randomSymbols + 1] = last
        }
    }

    /// The printed form.
    static func printed(_ code: SecretBytes) throws -> SecretBytes {
        try unsafe SecretBytes(count: symbols + symbols / group - 1) { room in
            unsafe code.withUnsafeBytes { code in
                var offset = 0
                for index in 0..<symbols {
                    if index > 0, index % group == 0 {
                        unsafe room[offset] = dash
                        offset += 1
                    }
                    unsafe room[offset] = alphabet[Int(code[index])]
                    offset += 1
                }
            }
        }
    }

    /// The symbols of a typed code; `mistyped` if there are too few or too many, or the check symbols don't fit.
    static func parse(_ typed: SecretBytes) throws -> SecretBytes {
        let wrong = StorageError(.mistyped, "reading a recovery code")
        guard typed.count <= typedLimit else { throw wrong }
        let code = try unsafe SecretBytes(filling: typedLimit) { room in
            try unsafe typed.withUnsafeBytes { typed in
                var count = 0
                for index in typed.indices {
                    let letter = unsafe typed[index]
                    if letter == dash || letter == UInt8(ascii: " ") || letter == UInt8(ascii: "\n") { continue }
                    guard let symbol = value(of: letter) else { throw wrong }
                    unsafe room[count] = symbol
                    count += 1
                }
                return count
            }
        }
        guard code.count == symbols else { throw wrong }
        let (sum, weighted) = unsafe code.withUnsafeBytes { code in
            var (sum, weighted): (UInt8, UInt8) = (0, 0)
            for index in 0..<symbols {
                sum ^= unsafe code[index]
                weighted ^= unsafe multiply(code[index], power(index))
            }
            return (sum, weighted)
        }
        guard sum == 0, weighted == 0 else { throw wrong }
        return code
    }

    private static func value(of letter: UInt8) -> UInt8? {
        var upper = letter
        if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) { upper -= 32 }
        switch upper {
        case UInt8(ascii: "O"): return 0
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
        default: return alphabet.firstIndex(of: upper).map { UInt8($0) }
        }
    }

    // GF(32), x⁵ + x² + 1; 2 has order 31, so the weights of 28 places differ.

    private static func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var (result, shifted): (UInt8, UInt8) = (0, a)
        for bit in 0..<5 {
            if b >> UInt8(bit) & 1 == 1 { result ^= shifted }
            shifted <<= 1
            if shifted & 32 != 0 { shifted ^= 0b100101 }
        }
        return result
    }

    private static func power(_ exponent: Int) -> UInt8 { (0..<exponent).reduce(1) { result, _ in multiply(result, 2) } }

    /// Found by trying, because it is called once for each code. 0 has no inverse and isn't asked for.
    private static func inverse(_ a: UInt8) -> UInt8 { (1..<32).first { multiply(a, $0) == 1 } ?? 0 }
}
