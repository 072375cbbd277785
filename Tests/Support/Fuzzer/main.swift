import Foundation
import thumbturn_test_fuzzing

// The program that fuzzes: `scripts/fuzz` builds and runs it.
//
//   thumbturn-fuzz list                     each parser: its name, the longest input, its sources
//   thumbturn-fuzz words NAME               the words of its format, as libFuzzer's dictionary
//   thumbturn-fuzz seeds NAME FOLDER        writes its seeds, one file each
//   thumbturn-fuzz replay NAME FOLDER…      reads its seeds and every file of the folders; fails at the first that is wrong
//
// With $THUMBTURN_FUZZ_TARGET, in a build with libFuzzer, the arguments are libFuzzer's.

#if THUMBTURN_LIBFUZZER
if Fuzzed.target != nil { exit(Fuzzed.run()) }
#endif

func fail(_ sentence: String) -> Never {
    FileHandle.standardError.write(Data("thumbturn-fuzz: \(sentence)\n".utf8))
    exit(1)
}

func files(in folder: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: URL(filePath: folder), includingPropertiesForKeys: nil)
        .sorted { $0.path < $1.path }
}

func replay(_ target: FuzzTarget, _ folders: [String]) throws {
    let seeds = try target.seeds().map { (name: "a seed", bytes: $0) }
    let found = try folders.flatMap { try files(in: $0) }.map { (name: $0.path, bytes: [UInt8](try Data(contentsOf: $0))) }
    for (name, bytes) in seeds + found {
        do throws(Wrong) {
            _ = try target.readAlone(bytes)
        } catch {
            fail("\(target.name): \(name): \(error)")
        }
    }
    print("replayed \(seeds.count + found.count) inputs of \(target.name)")
}

func write(_ seeds: [[UInt8]], to folder: String) throws {
    for (number, seed) in seeds.enumerated() {
        try Data(seed).write(to: URL(filePath: folder).appending(path: "seed-\(number)"))
    }
}

/// A word between quotation marks, each of its bytes in hexadecimal.
func entry(_ word: String) -> String {
    "\"" + word.utf8.map { "\\x" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\""
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments == ["list"] {
    for target in FuzzTargets.all {
        print([target.name, "\(target.longest)", target.sources.joined(separator: ",")].joined(separator: "\t"))
    }
    exit(0)
}
guard arguments.count >= 2 else { fail("say `list`, `words NAME`, `seeds NAME FOLDER` or `replay NAME FOLDER…`") }
guard let target = FuzzTargets.named(arguments[1]) else { fail("there is no parser \(arguments[1])") }
do {
    switch (arguments[0], arguments.count) {
    case ("words", 2): for word in target.words { print(entry(word)) }
    case ("seeds", 3): try write(target.seeds(), to: arguments[2])
    case ("replay", _): try replay(target, Array(arguments.dropFirst(2)))
    default: fail("say `list`, `words NAME`, `seeds NAME FOLDER` or `replay NAME FOLDER…`")
    }
} catch {
    fail("\(error)")
}
