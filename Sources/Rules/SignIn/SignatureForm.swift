/// An ECDSA signature on P-256 in DER, in its one form. Who made it is not known yet.
///
/// An s in the upper half of its range is accepted. It turns one signature into a second one, but over the same statement, whose challenge
/// is good only once.
public struct SignatureForm: Sendable, Hashable {
    /// Head, and two numbers with a head and a sign byte each.
    public static let longest = 2 + 2 * (2 + 33)
    public let der: [UInt8]

    /// - Throws: `.signatureMalformed` unless it is a sequence of two integers in their shortest form, with nothing after them, and
    ///   each from 1 to the order less one.
    public init(_ der: [UInt8]) throws(SignInRefusal) {
        guard der.count <= Self.longest, der.count >= 2, der[0] == 0x30, Int(der[1]) == der.count - 2 else {
            throw .signatureMalformed
        }
        var rest = der[2...]
        guard Self.takeNumber(from: &rest), Self.takeNumber(from: &rest), rest.isEmpty else { throw .signatureMalformed }
        self.der = der
    }

    /// The number of points on P-256.
    private static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    /// Takes an integer off the front; returns false unless it is one, in its shortest form and in range.
    private static func takeNumber(from rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.popFirst() == 0x02, let count = rest.popFirst(), Int(count) <= rest.count else { return false }
        var number = rest.prefix(Int(count))
        rest = rest.dropFirst(Int(count))
        guard let first = number.first, first < 0x80 else { return false }
        if first == 0 {
            // A zero comes first only if the sign bit would be set. Alone it is the number 0, which is out of range.
            guard number.count > 1, number[number.startIndex + 1] >= 0x80 else { return false }
            number = number.dropFirst()
        }
        return number.count < order.count || number.count == order.count && number.lexicographicallyPrecedes(order)
    }
}
