public import ThumbAccess

/// The two forms of an ECDSA signature: X9.62's, which is DER, and RFC 4754's, which is r and s side by side.
public enum ECDSASignature {
    /// The DER form of r ‖ s; nil unless both are as long as the field.
    public static func der(rfc4754 signature: [UInt8], _ curve: Curve) -> [UInt8]? {
        guard signature.count == 2 * curve.fieldBytes else { return nil }
        return DER.sequence(DER.number(signature.prefix(curve.fieldBytes)) + DER.number(signature.suffix(curve.fieldBytes)))
    }

    /// r ‖ s, each as long as the field; nil unless the signature is DER and both fit.
    public static func rfc4754(der signature: [UInt8], _ curve: Curve) -> [UInt8]? {
        unsafe signature.withUnsafeBytes { bytes in
            var reader = unsafe DERReader(bytes)
            guard unsafe reader.enter(), let r = unsafe reader.number(), let s = unsafe reader.number(), unsafe reader.isAtEnd
            else { return nil }
            var result: [UInt8] = []
            for number in [r, s] {
                guard number.count <= curve.fieldBytes else { return nil }
                result += [UInt8](repeating: 0, count: curve.fieldBytes - number.count)
                unsafe result += bytes[number]
            }
            return result
        }
    }
}
