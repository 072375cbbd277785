import Foundation
import Testing
import ThumbAccess
import ThumbCrypto
import ThumbSecrets
import thumbturn_test_store

@testable import ThumbCustody

@Suite("Keys while locked memory is short")
struct KeyMemoryWantTests {
    @Test("A TPM's key that can't be read for want of locked memory isn't damaged, and is there afterwards")
    func material() async {
        await #expect(processExitsWith: .success) {
            let made = TPMKeyMaterial(
                parent: [1, 2], authorization: try .random(count: TPMKeyMaterial.authorizationBytes), area: [3], wrapped: [4])
            let kept = try made.encoded()
            var cut = kept.plainBytes(in: 0..<kept.count)
            cut.removeLast()
            let broken = try SecretBytes(copying: cut)
            let ballast = Ballast()
            ballast.fill()
            let (want, damage) = (failure(kept), failure(broken))
            ballast.empty()
            guard want == .outOfMemory, damage == .damaged, failure(kept) == nil else {
                exit(EXIT_FAILURE)
            }
        }
    }

    @Test("What a software key is refused for want of locked memory is told as that")
    func software() async {
        await #expect(processExitsWith: .success) {
            let key = try PrivateKey.generate(.elliptic(.p256))
            let ballast = Ballast()
            ballast.fill()
            let want = Result { try key.signature(digest: [UInt8](repeating: 1, count: 32), .ecdsa) }
            ballast.empty()
            guard case .failure(let error) = want, KeychainFailure(custody: error) == .outOfMemory else { exit(EXIT_FAILURE) }
            _ = try key.signature(digest: [UInt8](repeating: 1, count: 32), .ecdsa)
        }
    }
}

/// What reading fails with; nil where it doesn't.
private func failure(_ bytes: SecretBytes) -> TPMError.Code? {
    do throws(TPMError) {
        _ = try TPMKeyMaterial(bytes)
        return nil
    } catch {
        return error.code
    }
}
