import Foundation
import Testing

@testable import thumbturn

/// What a program that prints these pieces would have written.
func written(_ pieces: [Outcome.Piece]) throws -> String {
    var bytes: [UInt8] = []
    for piece in pieces {
        switch piece {
        case .text(let text): bytes += text.utf8
        case .secret(let secret, let encoding):
            try encoding.encode(secret) {
                bytes += $0
                return true
            }
        }
    }
    return try #require(String(validating: bytes, as: UTF8.self))
}
