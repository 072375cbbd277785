import Testing
import thumbturn_test_model

@Suite("What a user may see")
struct UserModelTests {
    /// A model in which one item is there.
    private func holding(_ value: String = "ada/1") -> UserModel {
        var model = UserModel(owner: "ada")
        #expect(model.did(.add(value), to: "a", .done) == nil)
        return model
    }

    @Test("What was acknowledged is what must be read, and nothing else")
    func acknowledged() {
        var model = holding()
        #expect(model.saw(.value("ada/1"), of: "a") == nil)
        #expect(model.did(.update("ada/2"), to: "a", .done) == nil)
        #expect(model.saw(.value("ada/1"), of: "a") != nil)
        var other = holding()
        #expect(other.saw(.nothing, of: "a") == "ada's a is lost")
        var removed = holding()
        #expect(removed.did(.remove, to: "a", .done) == nil && removed.saw(.nothing, of: "a") == nil)
        #expect(removed.saw(.value("ada/1"), of: "a") != nil)
    }

    @Test("A change without an answer may have been done or not, and what is read first decides")
    func unknown() {
        for isDone in [true, false] {
            var added = UserModel(owner: "ada")
            #expect(added.did(.add("ada/1"), to: "a", .unknown) == nil)
            #expect(added.possible("a") == [nil, "ada/1"] && added.undecided == ["a"])
            #expect(added.saw(isDone ? .value("ada/1") : .nothing, of: "a") == nil)
            #expect(added.undecided.isEmpty)
            #expect(added.saw(isDone ? .nothing : .value("ada/1"), of: "a") != nil)

            var updated = holding()
            #expect(updated.did(.update("ada/2"), to: "a", .unknown) == nil)
            #expect(updated.saw(.value(isDone ? "ada/2" : "ada/1"), of: "a") == nil)
            #expect(updated.saw(.value(isDone ? "ada/1" : "ada/2"), of: "a") != nil)

            var removed = holding()
            #expect(removed.did(.remove, to: "a", .unknown) == nil)
            #expect(removed.saw(isDone ? .nothing : .value("ada/1"), of: "a") == nil)
            #expect(removed.saw(isDone ? .value("ada/1") : .nothing, of: "a") != nil)
        }
    }

    @Test("Several changes without answers leave exactly what can come of them")
    func several() {
        var model = UserModel(owner: "ada")
        for (change, outcome) in [(UserModel.Change.add("ada/1"), UserModel.Outcome.unknown), (.update("ada/2"), .unknown)] {
            #expect(model.did(change, to: "a", outcome) == nil)
        }
        #expect(model.possible("a") == [nil, "ada/1", "ada/2"])
        #expect(model.did(.add("ada/3"), to: "a", .unknown) == nil)
        #expect(model.possible("a") == [nil, "ada/1", "ada/2", "ada/3"])
        // What isn't there can't be changed into something.
        var none = UserModel(owner: "ada")
        #expect(none.did(.update("ada/1"), to: "a", .unknown) == nil && none.possible("a") == [nil])
    }

    @Test("Answers decide too: a duplicate is there, what wasn't found isn't")
    func answers() {
        for outcome in [UserModel.Outcome.duplicate, .notFound] {
            var model = UserModel(owner: "ada")
            #expect(model.did(.add("ada/1"), to: "a", .unknown) == nil)
            let change: UserModel.Change = if case .duplicate = outcome { .add("ada/2") } else { .remove }
            #expect(model.did(change, to: "a", outcome) == nil)
            #expect(model.possible("a") == (outcome == .duplicate ? ["ada/1"] : [nil]))
        }
    }

    @Test("A refusal changes nothing, and decides nothing")
    func refused() {
        var model = holding()
        for change in [UserModel.Change.add("ada/2"), .update("ada/3"), .remove] {
            #expect(model.did(change, to: "a", .refused) == nil)
        }
        #expect(model.possible("a") == ["ada/1"])
    }

    @Test("An answer that can't be is told, once")
    func impossible() {
        let there: [(UserModel.Change, UserModel.Outcome)] = [
            (.add("ada/2"), .done), (.update("ada/2"), .notFound), (.remove, .notFound), (.add("ada/2"), .notFound),
            (.update("ada/2"), .duplicate), (.remove, .duplicate),
        ]
        for (change, outcome) in there {
            var model = holding()
            #expect(model.did(change, to: "a", outcome) != nil, "\(change) \(outcome)")
        }
        let absent: [(UserModel.Change, UserModel.Outcome)] = [
            (.add("ada/2"), .duplicate), (.update("ada/2"), .done), (.remove, .done),
        ]
        for (change, outcome) in absent {
            var model = UserModel(owner: "ada")
            #expect(model.did(change, to: "a", outcome) != nil, "\(change) \(outcome)")
        }
        var model = holding()
        #expect(model.saw(.nothing, of: "a") != nil && model.saw(.nothing, of: "a") == nil)
    }

    @Test("Another user's value is told wherever it shows")
    func anothers() {
        var model = holding()
        #expect(model.saw(.value("eve/1"), of: "a") == "ada's a shows something that isn't ada's")
        #expect(model.possible("a") == ["ada/1"])
    }

    @Test("A list has what is there, all of it, and nothing that was never named")
    func lists() {
        var model = holding()
        #expect(model.did(.add("ada/2"), to: "b", .unknown) == nil)
        #expect(model.did(.add("ada/3"), to: "c", .unknown) == nil)
        var right = model
        #expect(right.listed(["a", "b"]).isEmpty)
        #expect(right.possible("b") == ["ada/2"] && right.possible("c") == [nil])
        var short = model
        #expect(short.listed(["b"]) == ["ada's a isn't listed, though it is there"])
        var long = model
        #expect(long.listed(["a", "z"]) == ["ada is shown z, which was never ada's"])
        var removed = holding()
        #expect(removed.did(.remove, to: "a", .done) == nil)
        #expect(removed.listed(["a"]) == ["ada's a is listed, though it isn't there"])
    }
}
