import CThumbOpenSSL

/// An X.509 certificate, read by libcrypto. It is only read; nothing in it is verified.
public struct Certificate: Sendable, Hashable {
    /// The whole certificate, as it was given.
    public let der: [UInt8]
    /// The X.509 version as people count it: 1, 2 or 3.
    public let version: Int
    /// The subject's and issuer's names, in DER.
    public let subject: [UInt8]
    public let issuer: [UInt8]
    /// The serial number's content bytes, big-endian, as DER has them.
    public let serialNumber: [UInt8]
    /// The subject key identifier, if the certificate states one.
    public let subjectKeyID: [UInt8]?
    /// The public key's bits: a point, or an RSA key in PKCS#1.
    public let publicKeyBits: [UInt8]
    public let commonName: String?
    /// The best short name there is: common name, organization, unit, e-mail address.
    public let summary: String?
    public let emailAddresses: [String]
    /// Seconds since 1970 between which the certificate says it is valid.
    public let validity: ClosedRange<Double>

    /// Nobody needs a longer certificate.
    public static let byteLimit = 64 << 10

    /// Fails with `invalidInput` unless the bytes are exactly one certificate in DER, with a version and a validity that make sense.
    public init(der: [UInt8]) throws {
        guard der.count <= Self.byteLimit else { throw CryptoError(.invalidInput, "reading a certificate") }
        let reading = try unsafe Reading(der)
        self.der = der
        let written = unsafe X509_get_version(reading.certificate)
        // X.509 has no others. A number of eight bytes is read here too, and the largest has no successor.
        guard (0...2).contains(written) else { throw CryptoError(.invalidInput, "reading a certificate's version") }
        version = written + 1
        subject = try unsafe reading.name(X509_get_subject_name(reading.certificate))
        issuer = try unsafe reading.name(X509_get_issuer_name(reading.certificate))
        serialNumber = try unsafe reading.serialNumber()
        subjectKeyID = unsafe Reading.bytes(X509_get0_subject_key_id(reading.certificate))
        guard let bits = unsafe Reading.bytes(X509_get0_pubkey_bitstr(reading.certificate)) else {
            throw CryptoError(.invalidInput, "reading a certificate's key")
        }
        publicKeyBits = bits
        emailAddresses = try unsafe reading.emailAddresses()
        commonName = try unsafe reading.subjectText(NID_commonName)
        summary =
            try unsafe commonName ?? reading.subjectText(NID_organizationName) ?? reading.subjectText(NID_organizationalUnitName)
            ?? emailAddresses.first
        let from = try unsafe Reading.seconds(X509_get0_notBefore(reading.certificate))
        let to = try unsafe Reading.seconds(X509_get0_notAfter(reading.certificate))
        guard from <= to else { throw CryptoError(.invalidInput, "reading a certificate's validity") }
        validity = from...to
    }

    public static func == (a: Certificate, b: Certificate) -> Bool { a.der == b.der }
    public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}

/// A certificate while libcrypto has it.
@unsafe private struct Reading: ~Copyable {
    let certificate: OpaquePointer

    init(_ der: [UInt8]) throws {
        let empty = try unsafe OpenSSL.require(X509_new_ex(OpenSSL.shared().context, nil), "making a certificate")
        var made: OpaquePointer? = unsafe empty
        let isWhole = unsafe der.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            // On failure libcrypto frees what it made and writes nil in its place.
            guard unsafe d2i_X509(&made, &position, bytes.count) != nil else { return false }
            return unsafe position == bytes.baseAddress.map { unsafe $0 + bytes.count }
        }
        guard isWhole, let read = unsafe made else {
            unsafe X509_free(made)
            throw OpenSSL.refusal(.invalidInput, "reading a certificate")
        }
        unsafe certificate = read
    }

    deinit { unsafe X509_free(certificate) }

    static func bytes(_ string: UnsafePointer<ASN1_STRING>?) -> [UInt8]? {
        guard let string = unsafe string, let start = unsafe ASN1_STRING_get0_data(string) else { return nil }
        return unsafe [UInt8](UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(string))))
    }

    func name(_ name: OpaquePointer?) throws -> [UInt8] {
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_X509_NAME(name, &encoded)
        return try unsafe Self.take(encoded, count)
    }

    func serialNumber() throws -> [UInt8] {
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_ASN1_INTEGER(X509_get0_serialNumber(certificate), &encoded)
        let der = try unsafe Self.take(encoded, count)
        // Tag, length in its short or long form, content.
        guard der.count > 2 else { throw CryptoError(.invalidInput, "reading a serial number") }
        let lengthBytes = der[1] < 0x80 ? 0 : Int(der[1] & 0x7f)
        return Array(der.dropFirst(2 + lengthBytes))
    }

    private static func take(_ encoded: UnsafeMutablePointer<UInt8>?, _ count: Int32) throws -> [UInt8] {
        guard let encoded = unsafe encoded, count > 0 else {
            throw OpenSSL.refusal(.invalidInput, "encoding a part of a certificate")
        }
        defer { unsafe thumb_openssl_free(encoded) }
        return unsafe [UInt8](UnsafeBufferPointer(start: encoded, count: Int(count)))
    }

    func subjectText(_ nid: Int32) throws -> String? {
        let name = unsafe X509_get_subject_name(certificate)
        let index = unsafe X509_NAME_get_index_by_NID(name, nid, -1)
        guard index >= 0 else { return nil }
        var text: UnsafeMutablePointer<UInt8>?
        let entry = unsafe X509_NAME_get_entry(name, index)
        let count = unsafe ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(entry))
        guard count >= 0, let text = unsafe text else {
            // A text that can't be converted is none, unless there was no memory for it.
            _ = try OpenSSL.no("reading a name in a certificate")
            return nil
        }
        defer { unsafe thumb_openssl_free(text) }
        return unsafe String(decoding: UnsafeBufferPointer(start: text, count: Int(count)), as: UTF8.self)
    }

    func emailAddresses() throws -> [String] {
        let found = unsafe X509_get1_email(certificate)
        defer { unsafe X509_email_free(found) }
        // It leaves out what it can't read, for want of memory too, and says so in most cases.
        _ = try OpenSSL.no("reading the addresses in a certificate")
        return unsafe (0..<thumb_strings_count(found)).compactMap { index in
            unsafe thumb_strings_at(found, index).map { unsafe String(cString: $0) }
        }
    }

    /// Seconds since 1970.
    static func seconds(_ time: UnsafePointer<ASN1_TIME>?) throws -> Double {
        // Without it libcrypto would count from now.
        guard let epoch = unsafe ASN1_TIME_set(nil, 0) else {
            throw OpenSSL.refusal(.outOfMemory, "reading a certificate's validity")
        }
        defer { unsafe ASN1_TIME_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else {
            throw OpenSSL.refusal(.invalidInput, "reading a certificate's validity")
        }
        return Double(days) * 86_400 + Double(seconds)
    }
}
