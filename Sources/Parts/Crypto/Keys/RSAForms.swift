import CThumbOpenSSL
import ThumbAccess
import ThumbSecrets

/// Where the numbers of a PKCS#1 RSAPublicKey stand.
internal struct RSAPublicForm {
    let modulus: Range<Int>
    let exponent: Range<Int>
    let bits: Int

    /// The longest exponent: libcrypto's own limit for large keys. Nobody uses a longer one.
    static let maximumExponent = 8

    /// Nil unless the bytes are such a key, of a size that is taken, with an odd modulus and an odd exponent from 3 on.
    init?(_ der: [UInt8]) {
        let found = unsafe der.withUnsafeBytes { bytes -> (Range<Int>, Range<Int>)? in
            var reader = unsafe DERReader(bytes)
            guard unsafe reader.enter(), let modulus = unsafe reader.number(), let exponent = unsafe reader.number() else {
                return nil
            }
            return unsafe reader.isAtEnd ? (modulus, exponent) : nil
        }
        guard let (modulus, exponent) = found, let top = modulus.first.map({ der[$0] }) else { return nil }
        (self.modulus, self.exponent) = (modulus, exponent)
        bits = 8 * modulus.count - top.leadingZeroBitCount
        guard KeyKind.rsaBits.contains(bits), der[modulus.upperBound - 1] & 1 == 1 else { return nil }
        guard (1...Self.maximumExponent).contains(exponent.count), der[exponent.upperBound - 1] & 1 == 1 else { return nil }
        guard exponent.count > 1 || der[exponent.lowerBound] >= 3 else { return nil }
    }

    /// Whether a big-endian block as long as the modulus is smaller than it, as the bare power requires.
    func isAbove(_ block: [UInt8], in der: [UInt8]) -> Bool { block.lexicographicallyPrecedes(der[modulus]) }
}

/// Where the numbers of a PKCS#1 RSAPrivateKey with two primes stand.
internal struct RSAPrivateForm {
    /// In PKCS#1's order, with libcrypto's names.
    static let names: [StaticString] = [
        "n", "e", "d", "rsa-factor1", "rsa-factor2", "rsa-exponent1", "rsa-exponent2", "rsa-coefficient1",
    ]

    let numbers: [Range<Int>]

    /// Nil unless the bytes are such a key.
    @unsafe init?(_ der: UnsafeRawBufferPointer) {
        var reader = unsafe DERReader(der)
        // Version 0 is two primes.
        guard unsafe reader.enter(), let version = unsafe reader.number(), version.isEmpty else { return nil }
        var numbers: [Range<Int>] = []
        for _ in Self.names {
            guard let number = unsafe reader.number(), !number.isEmpty else { return nil }
            numbers.append(number)
        }
        guard unsafe reader.isAtEnd else { return nil }
        self.numbers = numbers
    }

    /// The public half, in PKCS#1.
    @unsafe func publicKey(in der: UnsafeRawBufferPointer) -> [UInt8] {
        unsafe DER.sequence(DER.number(der[numbers[0]]) + DER.number(der[numbers[1]]))
    }

    @unsafe func parts(in der: UnsafeRawBufferPointer) -> [EVPKey.Part] {
        unsafe zip(Self.names, numbers).map { name, place in
            unsafe .init(name, .number, UnsafeRawBufferPointer(rebasing: der[place]))
        }
    }

    /// Whether all numbers belong to one key: the modulus is the product, and each exponent undoes the public one.
    ///
    /// This doesn't check that the factors are prime. That takes seconds for a long key, and whoever makes a bad key harms only themselves.
    @unsafe func isOneKey(in der: UnsafeRawBufferPointer) throws -> Bool {
        // Dividing by zero, because a factor is 1, leaves an error in libcrypto's queue.
        try unsafe areOneKeys(numbers, in: der) || OpenSSL.no("comparing an RSA key's numbers")
    }

    private func areOneKeys(_ numbers: [Range<Int>], in der: UnsafeRawBufferPointer) throws -> Bool {
        let arithmetic = try unsafe OpenSSL.require(
            BN_CTX_secure_new_ex(OpenSSL.shared().context), "making an arithmetic context")
        defer { unsafe BN_CTX_free(arithmetic) }
        func number(_ index: Int) throws -> Number {
            try unsafe Number(UnsafeRawBufferPointer(rebasing: der[numbers[index]]))
        }
        let n = try unsafe number(0)
        let e = try unsafe number(1)
        let d = try unsafe number(2)
        let p = try unsafe number(3)
        let q = try unsafe number(4)
        let result = try unsafe Number()

        guard unsafe BN_mul(result.pointer, p.pointer, q.pointer, arithmetic) == 1, unsafe BN_cmp(result.pointer, n.pointer) == 0,
            unsafe BN_cmp(d.pointer, n.pointer) < 0
        else { return false }

        func undoes(_ prime: borrowing Number, _ exponent: borrowing Number) throws -> Bool {
            let less = try unsafe Number()
            guard unsafe BN_sub(less.pointer, prime.pointer, BN_value_one()) == 1,
                unsafe BN_mod_mul(result.pointer, e.pointer, d.pointer, less.pointer, arithmetic) == 1,
                unsafe BN_is_one(result.pointer) == 1,
                unsafe BN_div(nil, result.pointer, d.pointer, less.pointer, arithmetic) == 1
            else { return false }
            return unsafe BN_cmp(result.pointer, exponent.pointer) == 0
        }
        guard try unsafe undoes(p, number(5)), try unsafe undoes(q, number(6)) else { return false }

        let coefficient = try unsafe number(7)
        return unsafe BN_cmp(coefficient.pointer, p.pointer) < 0
            && BN_mod_mul(result.pointer, coefficient.pointer, q.pointer, p.pointer, arithmetic) == 1
            && BN_is_one(result.pointer) == 1
    }

    /// A new key's RSAPrivateKey, straight from libcrypto's numbers into secret memory.
    static func generate(bits: Int) throws -> SecretBytes {
        let size = (bits + 7) / 8
        let numbers = try unsafe EVPKey(newRSA: bits).numbers(names, size: size)
        return try unsafe numbers.withUnsafeBytes { bytes in
            let places = names.indices.map { index in
                let end = (index + 1) * size
                return unsafe (bytes[index * size..<end].firstIndex { $0 != 0 } ?? end)..<end
            }
            // The lengths of a key's numbers aren't secret, so what surrounds them is made in ordinary memory.
            let heads = places.map { place in
                let hasSign = unsafe place.isEmpty || bytes[place.lowerBound] >= 0x80
                return DER.head(0x02, place.count + (hasSign ? 1 : 0)) + (hasSign ? [0] : [])
            }
            let version = DER.number([])
            let count = zip(places, heads).reduce(version.count) { $0 + $1.0.count + $1.1.count }
            let front = DER.head(0x30, count) + version
            return try unsafe SecretBytes(count: front.count - version.count + count) { output in
                unsafe output.copyBytes(from: front)
                var position = front.count
                for (place, head) in zip(places, heads) {
                    unsafe UnsafeMutableRawBufferPointer(rebasing: output[position...]).copyBytes(from: head)
                    position += head.count
                    unsafe UnsafeMutableRawBufferPointer(rebasing: output[position...])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[place]))
                    position += place.count
                }
            }
        }
    }
}
