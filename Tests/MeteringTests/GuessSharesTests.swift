import Testing
import ThumbMetering

@Suite("Guesses that a chip counts for all users together")
struct GuessSharesTests {
    /// A chip that counts every guess, as a chip does that is only given wrong ones.
    private final class Chip {
        private let most: Int
        var counted = 0
        var shares = GuessShares<String>()

        init(most: Int) { self.most = most }

        func guesses(_ user: String) -> Bool {
            guard shares.take(user, counted: counted, most: most) else { return false }
            counted += 1
            return true
        }

        /// How many of so many tries reach the chip.
        func guesses(_ user: String, _ times: Int) -> Int { (0..<times).count { _ in guesses(user) } }
    }

    @Test("a user has a quarter of them, two at least, and not one more", arguments: [(3, 2), (5, 2), (10, 2), (12, 3), (32, 8)])
    func share(most: Int, share: Int) {
        let chip = Chip(most: most)
        #expect(GuessLimit.share(of: most) == share)
        #expect(chip.guesses("eve", 100) == share)
    }

    @Test("however many guess as they like, the chip isn't locked by them, and who hasn't guessed yet still may")
    func first() {
        let chip = Chip(most: 12)
        // Each has a first guess, and the last that isn't one leaves room for one.
        for user in ["a", "b", "c", "d", "e"] { _ = chip.guesses(user, 100) }
        #expect(chip.counted == 12 - 1 + 1)
        let other = Chip(most: 12)
        for user in ["a", "b", "c", "d"] { _ = other.guesses(user, 100) }
        #expect(other.counted == 11)
        #expect(other.guesses("ada", 100) == 1)
    }

    @Test("a right guess is taken back, and costs nothing")
    func right() {
        let chip = Chip(most: 3)
        for _ in 0..<100 {
            #expect(chip.guesses("ada", 1) == 1)
            chip.shares.giveBack("ada")
            chip.counted = 0
        }
        #expect(chip.shares.guesses.isEmpty)
    }

    @Test("with each that the chip forgets, the oldest is forgotten here")
    func recovers() {
        let chip = Chip(most: 12)
        #expect(chip.guesses("eve", 100) == 3)
        #expect(chip.guesses("ada", 1) == 1)
        #expect(!chip.guesses("eve"))
        chip.counted -= 1
        #expect(chip.guesses("eve", 100) == 1)
        #expect(chip.shares.guesses == ["eve", "eve", "ada", "eve"])
        chip.counted = 0
        #expect(chip.guesses("eve", 100) == 3)
    }

    @Test("guesses that came another way are nobody's, and still keep the chip from its limit")
    func others() {
        let chip = Chip(most: 12)
        chip.counted = 10
        #expect(chip.guesses("eve", 100) == 1)
        #expect(chip.counted == 11)
        #expect(chip.guesses("ada", 100) == 1)
        #expect(chip.guesses("bob", 100) == 0)
    }

    @Test("what was kept goes on where it stood")
    func kept() {
        let chip = Chip(most: 12)
        #expect(chip.guesses("eve", 2) == 2)
        chip.shares = GuessShares(chip.shares.guesses)
        #expect(chip.guesses("eve", 100) == 1)
    }
}
