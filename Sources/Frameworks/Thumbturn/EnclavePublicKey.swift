public import LocalAuthentication

extension EnclaveKey {
    /// The public half of an Enclave key. A server recognizes the key by it, and others encrypt to it. Nothing here asks the owner.
    public struct PublicKey: Sendable, Hashable {
        /// The bare point: 04, X and Y, 65 bytes.
        public let x963: Data

        /// The bytes before a P-256 point in a SubjectPublicKeyInfo.
        private static let head = Data([
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE,
            0x3D,
            0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
        ])
        static let encryption = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM

        /// Makes a key of that point; nil for bytes that aren't a point of P-256 in this form.
        public init?(x963: Data) {
            guard (try? Self.key(x963)) != nil else { return nil }
            self.x963 = x963
        }

        /// The key as DER (SubjectPublicKeyInfo), which other systems read.
        public var der: Data { Self.head + x963 }

        /// The key as PEM, which the `openssl` command reads.
        public var pem: String {
            let text = der.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            return "-----BEGIN PUBLIC KEY-----\n\(text)\n-----END PUBLIC KEY-----\n"
        }

        /// Whether the key made `signature` (DER) over `data`, hashed with SHA-256.
        public func isSignature(_ signature: Data, of data: Data) -> Bool {
            guard let key = try? Self.key(x963) else { return false }
            return SecKeyVerifySignature(
                key, .ecdsaSignatureMessageX962SHA256, data as CFData, signature as CFData, nil)
        }

        /// Encrypts to the key, so that only its private half can decrypt the result (Apple's ECIES). Fails with `tooLarge` for more than a
        /// call takes.
        public func encrypt(_ data: Data) throws(EnclaveKeyError) -> Data {
            let key = try Self.key(x963)
            return try unsafe keyCall { unsafe SecKeyCreateEncryptedData(key, Self.encryption, data as CFData, $0) } as Data
        }

        private static func key(_ x963: Data) throws(EnclaveKeyError) -> SecKey {
            // The length tells the curve. A key on another curve isn't an Enclave key.
            guard x963.count == 65 else { throw .unreadable }
            let attributes: [String: Any] = [
                kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass as String: kSecAttrKeyClassPublic,
            ]
            return try unsafe keyCall { unsafe SecKeyCreateWithData(x963 as CFData, attributes as CFDictionary, $0) }
        }
    }
}
