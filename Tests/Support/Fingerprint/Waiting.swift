import ThumbLoop

/// Waits a moment.
@OnLoop public func moment() async {
    await withCheckedContinuation { done in _ = EventLoop.shared.after(0.02) { done.resume() } }
}

/// Waits until it is so, for a minute at most; says whether it is.
@OnLoop public func becomes(_ holds: () async throws -> Bool) async rethrows -> Bool {
    for _ in 0..<3000 {
        if try await holds() { return true }
        await moment()
    }
    return try await holds()
}
