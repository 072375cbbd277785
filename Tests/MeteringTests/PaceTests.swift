import Testing
import ThumbMetering

@Suite("How often something may be had")
struct PaceTests {
    @Test("So many times at once, then once in each pause, and never more at once than at first")
    func pace() {
        var pace = Pace(3, pause: 2)
        func taken(_ times: [Double]) -> [Bool] { times.map { pace.take(at: $0) } }
        #expect(taken([100, 100, 100, 100, 100]) == [true, true, true, false, false])
        #expect(taken([101.9, 102, 102]) == [false, true, false])
        #expect(taken([104.5, 105.9, 106.1]) == [true, false, true])
        // A long rest saves nothing up beyond that.
        #expect(taken([1000, 1000, 1000, 1000, 1000]) == [true, true, true, false, false])
        // A clock that goes back gives nothing.
        #expect(taken([10, 11.9, 12]) == [false, false, true])
    }
}
