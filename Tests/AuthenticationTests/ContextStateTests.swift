import Testing
import ThumbAccess
import ThumbAuthentication

struct ContextStateTests {
    private let old = Enrolment.known([1]), new = Enrolment.known([2])

    @Test("a new context has shown nothing")
    func fresh() {
        #expect(ContextState().standing(under: old).isEmpty)
        #expect(ContextState().standing(under: .unknown).isEmpty)
    }

    @Test(
        "a match counts under the enrolment it was made under, and under no other",
        arguments: [
            Enrolment.known([2]), .known([]), .empty, .unknown,
        ])
    func enrolment(_ other: Enrolment) {
        var context = ContextState()
        context.remember([.biometry], old)
        #expect(context.standing(under: old) == [.biometry])
        #expect(context.standing(under: other).isEmpty)
    }

    @Test("a passcode counts whatever is enrolled")
    func passcode() {
        var context = ContextState()
        context.remember([.passcode], nil)
        #expect(context.standing(under: old) == [.passcode])
        #expect(context.standing(under: .empty) == [.passcode])
    }

    @Test("what was shown in two evaluations stands together; a later passcode leaves the match's enrolment alone")
    func together() {
        var context = ContextState()
        context.remember([.biometry], old)
        context.remember([.passcode], nil)
        #expect(context.standing(under: old) == [.biometry, .passcode])
        #expect(context.standing(under: new) == [.passcode])
    }

    @Test("a later match stands under the later enrolment alone")
    func later() {
        var context = ContextState()
        context.remember([.biometry], old)
        context.remember([.biometry], new)
        #expect(context.standing(under: new) == [.biometry])
        #expect(context.standing(under: old).isEmpty)
    }

    @Test("a companion's yes counts under the pairings it was given under, and a later one under the later ones")
    func companion() {
        var context = ContextState()
        context.remember([.companion, .passcode], nil, pairings: 3)
        #expect(context.standing(under: old, pairings: 3) == [.companion, .passcode])
        #expect(context.standing(under: old, pairings: 4) == [.passcode])
        context.remember([.passcode], nil, pairings: 4)
        #expect(context.standing(under: old, pairings: 4) == [.passcode])
        context.remember([.companion], nil, pairings: 4)
        #expect(context.standing(under: old, pairings: 4) == [.companion, .passcode])
        context.forget()
        #expect(context.standing(under: old, pairings: 4).isEmpty)
    }

    @Test("locking forgets what was shown and leaves the context good")
    func lock() {
        var context = ContextState()
        context.remember([.biometry, .passcode], old)
        context.forget()
        #expect(context.standing(under: old).isEmpty && !context.isInvalidated)
        context.remember([.biometry], old)
        #expect(context.standing(under: old) == [.biometry])
    }

    @Test("invalidating forgets everything, and locking doesn't undo it")
    func invalidation() {
        var context = ContextState()
        context.remember([.passcode], nil)
        context.invalidate()
        #expect(context.standing(under: old).isEmpty && context.isInvalidated)
        context.forget()
        #expect(context.isInvalidated)
    }
}
