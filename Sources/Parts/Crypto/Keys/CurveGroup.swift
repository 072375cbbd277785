import CThumbOpenSSL
import ThumbAccess
import ThumbSecrets

/// A curve's arithmetic in libcrypto, made once for the process: making one costs as much as a signature on P-256.
@safe internal final class CurveGroup: @unchecked Sendable {
    // Constant after init; libcrypto reads a group from several threads.
    private let pointer: OpaquePointer
    private let curve: Curve
    /// The group's order, big-endian, as long as a scalar: a private scalar lies between 1 and one less.
    private let order: [UInt8]
    private let context: OpaquePointer

    init(_ curve: Curve, _ name: Int32, _ context: OpaquePointer) throws(CryptoError) {
        self.curve = curve
        unsafe self.context = unsafe context
        unsafe pointer = try unsafe OpenSSL.require(EC_GROUP_new_by_curve_name_ex(context, nil, name), "making a curve's group")
        var order = [UInt8](repeating: 0, count: curve.fieldBytes)
        guard unsafe BN_bn2binpad(EC_GROUP_get0_order(pointer), &order, Int32(order.count)) == order.count else {
            throw OpenSSL.failure("reading a curve's order")
        }
        self.order = order
    }

    /// Whether the bytes are an uncompressed point on the curve.
    func hasPoint(_ bytes: [UInt8]) throws(CryptoError) -> Bool {
        guard bytes.count == curve.pointBytes, bytes[0] == 0x04 else { return false }
        let point = try unsafe OpenSSL.require(EC_POINT_new(pointer), "making a point")
        defer { unsafe EC_POINT_free(point) }
        if unsafe EC_POINT_oct2point(pointer, point, bytes, bytes.count, nil) == 1 { return true }
        return try OpenSSL.no("reading a point")
    }

    /// Whether a big-endian scalar lies between 1 and the order less 1, in a time that doesn't depend on it.
    @unsafe func isInRange(_ scalar: UnsafeRawBufferPointer) -> Bool {
        guard scalar.count == order.count else { return false }
        var borrow = 0
        var any: UInt8 = 0
        for index in order.indices.reversed() {
            // After the last step the borrow is 1 exactly if the scalar is smaller than the order.
            borrow = (unsafe Int(scalar[index]) - Int(order[index]) - borrow) >> 8 & 1
            any |= unsafe scalar[index]
        }
        return borrow == 1 && any != 0
    }

    /// A new scalar, drawn until one is in range.
    func newScalar() throws -> SecretBytes {
        // Only one bit of P-521's first byte counts. Without the mask nearly every draw would be out of range.
        let mask = UInt8(0xFF) >> UInt8(8 * curve.fieldBytes - Int(curve.rawValue))
        while true {
            let scalar = try unsafe SecretBytes(count: curve.fieldBytes) { bytes in
                try unsafe SystemRandom.fill(bytes)
                unsafe bytes[0] &= mask
            }
            if unsafe scalar.withUnsafeBytes({ unsafe isInRange($0) }) { return scalar }
        }
    }

    /// The point of a scalar that is in range, uncompressed.
    @unsafe func point(of scalar: UnsafeRawBufferPointer) throws -> [UInt8] {
        let number = try unsafe Number(scalar)
        let arithmetic = try unsafe OpenSSL.require(BN_CTX_secure_new_ex(context), "making an arithmetic context")
        defer { unsafe BN_CTX_free(arithmetic) }
        let point = try unsafe OpenSSL.require(EC_POINT_new(pointer), "making a point")
        defer { unsafe EC_POINT_clear_free(point) }
        try unsafe OpenSSL.check(EC_POINT_mul(pointer, point, number.pointer, nil, nil, arithmetic), "multiplying a point")
        var bytes = [UInt8](repeating: 0, count: curve.pointBytes)
        let written = unsafe EC_POINT_point2oct(
            pointer, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, arithmetic)
        guard written == bytes.count else { throw OpenSSL.failure("encoding a point") }
        return bytes
    }
}

/// A secret number in libcrypto, cleared when it goes.
@unsafe internal struct Number: ~Copyable {
    let pointer: OpaquePointer

    /// Zero, or the number that big-endian bytes are.
    init(_ bytes: UnsafeRawBufferPointer? = nil) throws(CryptoError) {
        // Secure by flag: libcrypto clears it when it is freed, and keeps it in its locked heap if the process has one.
        let made = try unsafe OpenSSL.require(BN_secure_new(), "making a number")
        if let bytes = unsafe bytes {
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            guard unsafe BN_bin2bn(start, Int32(bytes.count), made) != nil else {
                unsafe BN_clear_free(made)
                throw OpenSSL.failure("reading a number")
            }
        }
        unsafe BN_set_flags(made, BN_FLG_CONSTTIME)
        unsafe pointer = unsafe made
    }

    deinit { unsafe BN_clear_free(pointer) }
}
