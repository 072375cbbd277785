/// Deals each of some things once, in an order that a seed decides, and then each of them again.
public struct Deck<Card: Sendable>: Sendable {
    private let cards: [Card]
    private var rest: [Card] = []

    public init(_ cards: [Card]) { self.cards = cards }

    public mutating func deal(_ dice: inout some RandomNumberGenerator) -> Card? {
        if rest.isEmpty { rest = cards.shuffled(using: &dice) }
        return rest.popLast()
    }
}
