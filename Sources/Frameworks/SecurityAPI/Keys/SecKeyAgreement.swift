public import Foundation
import ThumbAccess
import ThumbCrypto
import ThumbSecrets

/// Computes the secret that a private key and the other side's public key share, in the form that the algorithm says.
///
/// Blocks while the owner is asked, if a Secure Enclave key's access control demands it. Returns nil, with `errSecParam` in `error`, for an algorithm
/// that the key doesn't support (the text names it), for a public key that doesn't fit, and for parameters that are incomplete or have the
/// wrong type; with `errSecDecode` if the two share nothing; and otherwise as `SecKeyCreateSignature` does. The result is ordinary `Data`,
/// in memory that nobody clears.
@discardableResult
public func SecKeyCopyKeyExchangeResult(
    _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey, _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
    unsafe reporting(error) { () throws(KeyFailure) in
        try privateKey.agree(with: publicKey, algorithm, AgreementParameters(parameters)).copiedForApp
    }
}

/// The parameters in the dictionary of a key agreement.
struct AgreementParameters {
    var size: Int?
    var sharedInfo: [UInt8] = []

    /// Fails with `errSecParam` on a value of the wrong type. Unknown keys are ignored.
    init(_ dictionary: NSDictionary) throws(KeyFailure) {
        for (key, value) in dictionary {
            switch (key as? SecKeyKeyExchangeParameter)?.rawValue as String? ?? key as? String {
            case "requestedSize":
                guard let number = integer(value), let size = Int(exactly: number) else {
                    throw .parameter("the requested size must be a number")
                }
                self.size = size
            case "sharedInfo":
                guard let data = value as? Data else { throw .parameter("the shared information must be data") }
                sharedInfo = [UInt8](data)
            default: break
            }
        }
    }
}

extension SecKey {
    func agree(
        with peer: SecKey, _ algorithm: SecKeyAlgorithm, _ parameters: AgreementParameters
    ) throws(KeyFailure) -> SecretBytes {
        guard case .agreement(let hash) = try meaning(of: algorithm, for: .keyExchange) else {
            throw .parameter("\(algorithm.rawValue) agrees on nothing")
        }
        guard !peer.isPrivate, peer.kind == kind else {
            throw .parameter("\(algorithm.rawValue) takes a public key of the private key's own curve")
        }
        let scheme = try scheme(hash, parameters, algorithm)
        switch holding {
        case .own(let own):
            return try crypto("agreeing with \(algorithm.rawValue)") { try own.agree(with: peer.publicHalf, scheme) }
        case .device(let held): return try held.use(.agree(peer: peer.publicHalf.external, scheme))
        case .publicHalf: throw .parameter("a public key can't agree")
        }
    }

    private func scheme(
        _ hash: HashFunction?, _ parameters: AgreementParameters, _ algorithm: SecKeyAlgorithm
    ) throws(KeyFailure) -> AgreementScheme {
        guard let hash else { return .raw }
        guard let size = parameters.size, (1...AgreementScheme.mostBytes).contains(size) else {
            throw .parameter("\(algorithm.rawValue) needs a requested size from 1 to \(AgreementScheme.mostBytes) bytes")
        }
        guard parameters.sharedInfo.count <= QueryLimit.attributeBytes else {
            throw .parameter("the shared information may have \(QueryLimit.attributeBytes) bytes")
        }
        return .x963(hash, count: size, sharedInfo: parameters.sharedInfo)
    }
}
