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
        await withCheckedContinuation { waiter in
            // This is checked inside: before a continuation is entered the loop may do something else, and an element would be missed.
            if elements.isEmpty { waiting = waiter } else { waiter.resume(returning: elements.removeFirst()) }
        }
    }
}
