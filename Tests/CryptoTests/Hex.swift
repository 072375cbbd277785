import Foundation
import ThumbSecrets

/// The bytes that hexadecimal text stands for; blanks don't count.
func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }.utf8.map { UInt8($0 > 57 ? ($0 | 32) - 87 : $0 - 48) }
    precondition(digits.count % 2 == 0)
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// A secret with the bytes that hexadecimal text stands for.
func secret(_ text: String) throws -> SecretBytes { try SecretBytes(copying: hex(text)) }

extension SecretBytes {
    /// The bytes, for a test to compare.
    var exposed: [UInt8] { withUnsafeBytes { Array($0) } }
}
