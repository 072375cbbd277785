import Testing

private let tried = "try?; only damage is damage"
private let caught = "a catch-all that drops its error; only damage is damage"

private let dropped: [Planted] =
    ["Parts/Storage", "Parts/Custody", "Rules/Keychain", "Assembly"].map {
        Planted(code: "let item = try? open(box)", room: $0, finding: tried)
    } + [
        Planted(code: "guard let item = try? open(box) else { return }", room: "Parts/Storage", finding: tried),
        Planted(code: "do { try open(box) } catch { throw Damaged() }", room: "Parts/Storage", finding: caught),
        Planted(code: "do { try open(box) } catch { if isBad { return false } }", room: "Rules/Keychain", finding: caught),
        Planted(code: "do { try open(box) } catch let other { note(error) }", room: "Assembly", finding: caught),
        Planted(code: "do { try open(box) } catch _ { return }", room: "Parts/Custody", finding: caught),
        Planted(code: "/// What it holds.\nvar held: Item? { try? open(box) }", room: "Parts/Storage", finding: tried),
        Planted(code: "// A reason too far away.\n\nlet item = try? open(box)", room: "Parts/Storage", finding: tried),
        Planted(code: "let link = \"https://example.org\"; let item = try? open(box)", room: "Parts/Storage", finding: tried),
    ]

private let kept: [Planted] =
    [
        "let item = try? open(box)  // A reason.",
        "// A reason.\nlet item = try? open(box)",
        "do { try open(box) } catch { throw StorageError(error) }",
        "do { try open(box) } catch let other { note(other) }",
        "do { try open(box) } catch is Malformed { return nil }",
        "do { try open(box) } catch let error as CryptoError where error.code == .authenticationFailed { return nil }",
        "do { try open(box) } catch { return false }  // A reason.",
        "let text = \"try? open(box)\"",
        "// let item = try? open(box)",
    ].map { Planted(code: $0, room: "Parts/Storage", finding: "") } + [
        // Where nothing is kept that could be taken for damaged.
        Planted(code: "let item = try? open(box)", room: "Parts/Helpers", finding: "")
    ]

@Suite("Dropped errors")
struct DroppedErrorTests {
    @Test("An error that is dropped without a reason is found where things are kept", arguments: dropped)
    func found(planted: Planted) async throws {
        try await withTemporaryFolder { folder in
            let house = try await HouseCopy(in: folder)
            try house.plant("// planted\n\n\(planted.code)\n", in: planted.room)
            let outcome = try await house.check()
            #expect(outcome.status == 1)
            // It stands in the last line of what is planted.
            let place = "Sources/\(planted.room)/Planted.swift:\(3 + planted.code.count { $0 == "\n" })"
            #expect(outcome.output.contains("\(place): \(planted.finding)"), "\(outcome.output)")
        }
    }

    @Test("One with its reason beside it, and one that is passed on, isn't", arguments: kept)
    func passed(planted: Planted) async throws {
        try await withTemporaryFolder { folder in
            let house = try await HouseCopy(in: folder)
            try house.plant(planted.code + "\n", in: planted.room)
            let outcome = try await house.check()
            #expect(outcome.status == 0, "\(outcome.output)")
        }
    }
}
