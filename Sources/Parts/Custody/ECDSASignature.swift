/// An ECDSA signature's two numbers as DER, the form that everybody reads.
enum ECDSASignature {
    static func der(r: [UInt8], s: [UInt8]) -> [UInt8] {
        let body = integer(r) + integer(s)
        // Two P-256 numbers stay below the length that needs a second byte.
        return [0x30, UInt8(body.count)] + body
    }

    private static func integer(_ number: [UInt8]) -> [UInt8] {
        var bytes = Array(number.drop { $0 == 0 })
        if bytes.first.map({ $0 >= 0x80 }) ?? true { bytes.insert(0, at: 0) }
        return [0x02, UInt8(bytes.count)] + bytes
    }
}
