import ThumbLoop

/// What came, in its order, for the one task that waits for it.
@OnLoop final class Inbox<Element: Sendable> {
    private var elements: [Element] = []
    private var waiting: CheckedContinuation<Element, Never>?

    func put(_ element: Element) {
        guard let waiting else { return elements.append(element) }
        self.waiting = nil
        waiting.resume(returning: element)
    }

    func next() async -> Element {
        if !elements.isEmpty { return elements.removeFirst() }
        return await withCheckedContinuation { waiting = $0 }
    }
}
