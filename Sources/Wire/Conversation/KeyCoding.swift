public import ThumbAccess

// The forms of keys and of what they are asked to do on the wire.

extension KeyKind: WireValue {
    func encode(to encoder: inout Encoder) {
        switch self {
        case .elliptic(let curve):
            encoder.put(UInt8(1))
            encoder.put(curve.rawValue)
        case .rsa(let bits):
            encoder.put(UInt8(2))
            encoder.put(UInt16(clamping: bits))
        }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        switch (try decoder.u8(), try decoder.u16()) {
        case (1, let bits):
            guard let curve = Curve(rawValue: bits) else { throw .malformed }
            self = .elliptic(curve)
        case (2, let bits):
            guard Self.rsaBits.contains(Int(bits)) else { throw .malformed }
            self = .rsa(bits: Int(bits))
        default: throw .malformed
        }
    }
}

extension KeyName: WireValue {
    func encode(to encoder: inout Encoder) {
        switch self {
        case .stored(let reference):
            encoder.put(UInt8(1))
            encoder.put(reference)
        case .detached(let sealed):
            encoder.put(UInt8(2))
            encoder.put(sealed)
        }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.u8() {
        case 1: self = .stored(try decoder.bytes())
        case 2: self = .detached(try decoder.bytes())
        default: throw .malformed
        }
    }
}

extension SignatureScheme: WireValue {
    func encode(to encoder: inout Encoder) {
        switch self {
        case .ecdsa: encoder.put(UInt8(1))
        case .rsaPKCS1(let hash):
            encoder.put(UInt8(2))
            encoder.put(hash)
        case .rsaPKCS1Raw: encoder.put(UInt8(3))
        case .rsaPSS(let hash):
            encoder.put(UInt8(4))
            encoder.put(hash)
        case .rsaRaw: encoder.put(UInt8(5))
        }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.u8() {
        case 1: self = .ecdsa
        case 2: self = .rsaPKCS1(try decoder.choice())
        case 3: self = .rsaPKCS1Raw
        case 4: self = .rsaPSS(try decoder.choice())
        case 5: self = .rsaRaw
        default: throw .malformed
        }
    }
}

extension AgreementScheme: WireValue {
    func encode(to encoder: inout Encoder) {
        switch self {
        case .raw: encoder.put(UInt8(1))
        case .x963(let hash, let count, let sharedInfo):
            encoder.put(UInt8(2))
            encoder.put(hash)
            encoder.put(UInt32(clamping: count))
            encoder.put(sharedInfo)
        }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.u8() {
        case 1: self = .raw
        case 2:
            let hash: HashFunction = try decoder.choice()
            let count = Int(try decoder.u32())
            guard (1...Self.mostBytes).contains(count) else { throw .malformed }
            self = .x963(hash, count: count, sharedInfo: try decoder.bytes())
        default: throw .malformed
        }
    }
}

extension EncryptionScheme: WireValue {
    func encode(to encoder: inout Encoder) {
        switch self {
        case .rsaRaw: encoder.put(UInt8(1))
        case .rsaPKCS1: encoder.put(UInt8(2))
        case .rsaOAEP(let hash):
            encoder.put(UInt8(3))
            encoder.put(hash)
        case .rsaOAEPGCM(let hash):
            encoder.put(UInt8(4))
            encoder.put(hash)
        case .ecies(let hash, let derivesNonce):
            encoder.put(UInt8(5))
            encoder.put(hash)
            encoder.put(derivesNonce)
        }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.u8() {
        case 1: self = .rsaRaw
        case 2: self = .rsaPKCS1
        case 3: self = .rsaOAEP(try decoder.choice())
        case 4: self = .rsaOAEPGCM(try decoder.choice())
        case 5: self = .ecies(try decoder.choice(), derivesNonce: try decoder.bool())
        default: throw .malformed
        }
    }
}

extension KeyOperation: WireValue {
    func encode(to encoder: inout Encoder) {
        switch self {
        case .sign(let digest, let scheme):
            encoder.put(UInt8(1))
            encoder.put(digest)
            encoder.put(scheme)
        case .agree(let peer, let scheme):
            encoder.put(UInt8(2))
            encoder.put(peer)
            encoder.put(scheme)
        case .decrypt(let ciphertext, let scheme):
            encoder.put(UInt8(3))
            encoder.put(ciphertext)
            encoder.put(scheme)
        }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.u8() {
        case 1: self = .sign(digest: try decoder.bytes(), try decoder.value())
        case 2: self = .agree(peer: try decoder.bytes(), try decoder.value())
        case 3: self = .decrypt(try decoder.bytes(), try decoder.value())
        default: throw .malformed
        }
    }
}

extension NewKey: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(kind)
        encoder.put(isEnclave)
        encoder.put(isPermanent)
        encoder.put(attributes)
        encoder.put(rule)
        encoder.put(asking)
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            kind: try decoder.value(), isEnclave: try decoder.bool(), isPermanent: try decoder.bool(),
            attributes: try decoder.attributes(), rule: try decoder.rule(), asking: try decoder.asking())
    }
}

extension KeyRecord: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(item)
        encoder.put(detached) { $0.put($1) }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            item: try decoder.value(),
            detached: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.bytes() })
    }
}

extension KeyUse: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(key)
        encoder.put(operation)
        encoder.put(asking)
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        self.init(try decoder.value(), try decoder.value(), asking: try decoder.asking())
    }
}

extension SignInWords: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(origin)
        encoder.put(account)
        encoder.put(purpose)
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        self.init(origin: try decoder.value(), account: try decoder.value(), purpose: try decoder.choice())
    }
}

extension StatementUse: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(key)
        encoder.put(words)
        encoder.put(challenge)
        encoder.put(asking)
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            try decoder.value(), try decoder.value(), challenge: try decoder.bytes(), asking: try decoder.asking())
    }
}

extension KeyProduct: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(bytes)
        encoder.put(custodian)
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        self.init(try decoder.secret(), by: try decoder.choice())
    }
}
