import Testing

@testable import ThumbSensors

/// When a finger of before is believed to have left, by what the driver of a reader tells, in seconds from the verification's start.
@Suite struct DoubtTests {
    private func state(
        at now: Double, isPresent: Bool = false, _ told: (isPresent: Bool?, isNeeded: Bool?, at: Double)...
    ) -> FingerDoubt.State {
        var doubt = FingerDoubt(at: 100)
        for one in told { doubt.hears(isPresent: one.isPresent, isNeeded: one.isNeeded, at: 100 + one.at) }
        return doubt.state(isPresent: isPresent, at: 100 + now)
    }

    @Test("none was seen for a moment while the reader looked for one: it has left")
    func left() {
        #expect(state(at: 0.1, (nil, true, 0.05)) == .looks)
        #expect(state(at: 0.3, (nil, true, 0.05)) == .looks)
        #expect(state(at: 0.36, (nil, true, 0.05)) == .hasLeft)
    }

    @Test("one that is there, or was seen by this verification, lies there: its picture may be taken, and its verdict still come")
    func lies() {
        #expect(state(at: 5, isPresent: true, (nil, true, 0.05)) == .lies)
        #expect(state(at: 5, (nil, true, 0.05), (true, false, 0.06), (false, nil, 0.2)) == .lies)
        #expect(state(at: 5, (true, nil, 0.01)) == .lies)
    }

    @Test("a driver that takes its time to begin is waited for; one that never says that it looks has two seconds")
    func slow() {
        #expect(state(at: 1.2, (nil, true, 1)) == .looks)
        #expect(state(at: 1.31, (nil, true, 1)) == .hasLeft)
        #expect(state(at: 1.9) == .looks)
        #expect(state(at: 2.01) == .hasLeft)
    }

    @Test("that it looks is counted from the first time it says so")
    func once() { #expect(state(at: 0.5, (nil, true, 0.1), (nil, false, 0.2), (nil, true, 0.45)) == .hasLeft) }
}
