package import Foundation
package import ThumbAccess
package import ThumbSecrets

// Where secrets pass between an app's ordinary memory and ours.

/// The value of `v_Data`, copied into locked memory at once; fails with `.parameter` if it isn't data, `.dataTooLarge` if it is
/// longer than a secret may be, `.outOfMemory` if no locked memory is left.
func secret(_ value: Any) throws(KeychainFailure) -> SecretBytes {
    guard let data = value as? Data else { throw .parameter }
    return try lockedCopy(of: data)
}

/// The bytes of `data` in locked memory; fails as `secret` does.
package func lockedCopy(of data: Data) throws(KeychainFailure) -> SecretBytes {
    guard data.count <= QueryLimit.secretBytes else { throw .dataTooLarge }
    do {
        return try unsafe data.withUnsafeBytes { try unsafe SecretBytes(copying: $0) }
    } catch {
        throw .outOfMemory
    }
}

extension SecretBytes {
    /// The secret in the form that the app gets. This copy in ordinary memory can't be avoided, and nobody zeroes it, because Apple's
    /// signature has `Data`.
    var copiedForApp: NSData { unsafe withUnsafeBytes { unsafe NSData(bytes: $0.baseAddress, length: $0.count) } }
}
