import Testing
import ThumbSecrets
import thumbturn_test_programs

@testable import ThumbStorage

@Suite struct RecoveryCodeTests {
    private func text(_ secret: SecretBytes) -> String {
        String(decoding: plain(secret), as: UTF8.self)
    }

    @Test("a code is printed as seven groups of four and read back, however it is typed")
    func form() throws {
        let code = try RecoveryCode.random()
        let printed = text(try RecoveryCode.printed(code))
        #expect(printed.split(separator: "-").map(\.count) == [4, 4, 4, 4, 4, 4, 4])
        let typed = [
            printed, printed.lowercased(), printed.replacing("-", with: ""), printed.replacing("-", with: " ") + "\n",
            printed.replacing("0", with: "o").replacing("1", with: "L"),
        ]
        for variant in typed { #expect(try RecoveryCode.parse(secret(variant)) == code) }
        #expect(try RecoveryCode.random() != code)
    }

    @Test("each of a code's random symbols may be any of the 32")
    func randomness() throws {
        var places = [Set<UInt8>](repeating: [], count: RecoveryCode.randomSymbols)
        for _ in 0..<40 {
            let code = try plain(RecoveryCode.random())
            for place in places.indices { places[place].insert(code[place]) }
        }
        // With 130 bits, chance never leaves a place with fewer than 8 different symbols of 40, or a symbol out of 1,040.
        #expect(places.allSatisfy { $0.count >= 8 })
        #expect(places.reduce(into: Set<UInt8>()) { $0.formUnion($1) } == Set<UInt8>(0..<32))
    }

    private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

    @Test("any one or two wrong symbols are noticed")
    func check() throws {
        let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        let right = Array(text(try RecoveryCode.printed(RecoveryCode.random())).replacing("-", with: ""))
        #expect(right.count == 28)
        func isRefused(_ symbols: [Character]) -> Bool {
            do {
                _ = try RecoveryCode.parse(secret(String(symbols)))
                return false
            } catch { return (error as? StorageError)?.code == .mistyped }
        }
        var dice = Dice(for: "wrong symbols of a recovery code")
        var missed = 0
        for first in right.indices {
            for second in right.indices where second >= first {
                for _ in 0..<3 {
                    var wrong = right
                    wrong[first] = letters.filter { $0 != right[first] }.randomElement(using: &dice)!
                    if second > first { wrong[second] = letters.filter { $0 != right[second] }.randomElement(using: &dice)! }
                    if !isRefused(wrong) { missed += 1 }
                }
                var swapped = right
                swapped.swapAt(first, second)
                if swapped != right, !isRefused(swapped) { missed += 1 }
            }
        }
        #expect(missed == 0, "\(String(right))")
    }

    @Test("what isn't a code is refused", arguments: ["", "1234", "U", zeros(27), zeros(29), String(repeating: "-", count: 500)])
    func refused(typed: String) throws {
        #expect(throws: StorageError.self) { try RecoveryCode.parse(secret(typed)) }
    }
}
