import Foundation
import Testing

@testable import thumbturn_test_fuzzing

/// What `make fuzz` does with millions of inputs, with the few that are kept.
@Suite("Parsers of others' bytes", .serialized)
struct FuzzTests {
    @Test("Every kept input is read as its parser must read", arguments: FuzzTargets.all.map(\.name))
    func corpus(name: String) throws {
        try FuzzCorpus.ready.get()
        let target = try #require(FuzzTargets.named(name))
        let inputs = try FuzzCorpus(of: target).inputs
        #expect(!inputs.isEmpty, "no input of \(name) is kept")
        for input in inputs {
            #expect(throws: Never.self, "\(name), \(input)") { try target.read(input) }
            #expect(input.count <= target.longest, "an input of \(name) is longer than the fuzzer makes any")
        }
        #expect(inputs.reduce(0) { $0 + $1.count } <= FuzzCorpus.most, "\(name)'s inputs are too large: scripts/fuzz --minimise")
    }

    @Test("Every file of inputs belongs to a parser")
    func strangers() throws {
        try FuzzCorpus.ready.get()
        let files = try FileManager.default.contentsOfDirectory(at: FuzzCorpus.folder, includingPropertiesForKeys: nil)
        let names = files.filter { $0.pathExtension == "hex" }.map { $0.deletingPathExtension().lastPathComponent }
        #expect(Set(names) == Set(FuzzTargets.all.map(\.name)))
    }

    @Test("Every seed is read as its parser must read, and none is there twice", arguments: FuzzTargets.all.map(\.name))
    func seeds(name: String) throws {
        let target = try #require(FuzzTargets.named(name))
        let seeds = try target.seeds()
        for seed in seeds {
            #expect(throws: Never.self, "\(name), \(seed)") { try target.read(seed) }
            #expect(seed.count <= target.longest, "a seed of \(name) is longer than the fuzzer makes any")
        }
        #expect(seeds.count >= 4 && Set(seeds).count == seeds.count)
    }

    @Test(
        "The planted bug is in no seed and in no kept input, and four bytes away from a seed",
        arguments: FuzzTargets.all.map(\.name))
    func planted(name: String) throws {
        try FuzzCorpus.ready.get()
        let target = try #require(FuzzTargets.named(name))
        let seeds = try target.seeds()
        for input in try seeds + FuzzCorpus(of: target).inputs {
            let field = try target.read(input)
            #expect(field.map { target.isPlanted(in: $0) } != true, "\(name) is given away by \(input)")
        }
        let changed = try seeds.flatMap { try Self.marked($0, target) }
        let fields = try changed.compactMap { try target.read($0) }
        #expect(fields.contains { target.isPlanted(in: $0) }, "\(name) has no planted bug")
    }

    /// The seed with the mark in each place where its field may begin, and before all of it.
    private static func marked(_ seed: [UInt8], _ target: FuzzTarget) throws -> [[UInt8]] {
        guard let field = try target.read(seed), field.count >= 4 else { return [] }
        let places = seed.indices.dropLast(3).filter { seed[$0...].starts(with: field.prefix(4)) }
        return [target.mark + seed] + places.map { Array(seed[..<$0]) + target.mark + seed[($0 + 4)...] }
    }

    @Test("An error that is no refusal is wrong, and so is whatever a target says is")
    func wrong() {
        struct Trouble: Error {}
        let troubled = FuzzTarget("troubled", sources: [], seeds: { [] }, parse: { _ in throw Trouble() })
        #expect(throws: Wrong.self) { try troubled.read([]) }
        let strict = FuzzTarget(
            "strict", sources: [], seeds: { [] },
            parse: { input in
                try must(input.isEmpty, "there are bytes")
                return nil
            })
        #expect(throws: Never.self) { try strict.read([]) }
        #expect(throws: Wrong.self) { try strict.read([1]) }
        #expect(throws: Wrong.self) { try accepted({ () throws(Trouble) in throw Trouble() }, or: { _ in false }) }
    }

    @Test("Every parser's sources are there, and its name is its own")
    func table() throws {
        let names = FuzzTargets.all.map(\.name)
        #expect(Set(names).count == names.count && names.count == 42)
        let root = FuzzCorpus.folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        for target in FuzzTargets.all {
            #expect(!target.sources.isEmpty && target.mark.count == 4, "\(target.name)")
            for source in target.sources {
                let path = String(source.prefix { $0 != "#" })
                #expect(FileManager.default.fileExists(atPath: root.appending(path: path).path), "\(target.name): \(path)")
            }
        }
    }
}
