import Testing
import thumbturn_test_model

@Suite("What becomes of a figure over time")
struct TrendTests {
    @Test("The medians of two windows are compared, whatever was before them")
    func medians() {
        var trend = Trend()
        for second in 1...30 {
            // Small at first; then 100, with a peak; then 110.
            trend.add(second <= 10 ? 1 : second == 15 ? 10_000 : second <= 20 ? 100 : 110, at: Double(second))
        }
        let change = trend.change(over: 10, until: 30)
        #expect(change.map { abs($0 - 0.1) < 1e-9 } == true)
        #expect(trend.change(over: 5, until: 20).map { abs($0) < 1e-9 } == true)
    }

    @Test("Without samples in both windows nothing is said")
    func missing() {
        var trend = Trend()
        #expect(trend.change(over: 10, until: 30) == nil)
        trend.add(1, at: 25)
        #expect(trend.change(over: 10, until: 30) == nil)
        trend.add(1, at: 15)
        #expect(trend.change(over: 10, until: 30) == 0)
    }
}

@Suite("What is dealt")
struct DeckTests {
    /// Numbers that come out the same each time.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state
        }
    }

    @Test("Each card is dealt before one of them comes again, in an order that the seed decides")
    func rounds() {
        func dealt(_ seed: UInt64) -> [Int] {
            var (deck, numbers) = (Deck([1, 2, 3, 4, 5]), Numbers(state: seed))
            return (0..<20).compactMap { _ in deck.deal(&numbers) }
        }
        let cards = dealt(7)
        for round in 0..<4 { #expect(Set(cards[round * 5..<round * 5 + 5]) == [1, 2, 3, 4, 5]) }
        #expect(cards == dealt(7))
        #expect(Set((0..<50).map { dealt($0) }).count > 1)
    }

    @Test("An empty deck deals nothing")
    func empty() {
        var (deck, numbers) = (Deck<Int>([]), Numbers(state: 1))
        #expect(deck.deal(&numbers) == nil)
    }
}
