import Foundation
import thumbturn_test_fuzzing

// What libFuzzer runs, in a build that has it. Its own main function is replaced by ours, so that one program can do everything else too.

#if THUMBTURN_LIBFUZZER
/// The parser of this process, from the environment. libFuzzer starts this program again with arguments of its own, so an argument
/// couldn't say it.
enum Fuzzed {
    private static let environment = ProcessInfo.processInfo.environment
    /// nil unless the environment names one.
    static let target = environment["THUMBTURN_FUZZ_TARGET"].flatMap { FuzzTargets.named($0) }
    static let isPlanted = environment["THUMBTURN_FUZZ_PLANTED"] == "1"

    /// Runs libFuzzer with this process's arguments; returns its exit status.
    static func run() -> CInt {
        var count = CommandLine.argc
        var words = CommandLine.unsafeArgv
        return runDriver(&count, &words, fuzzOne)
    }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>, _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ one: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let target = Fuzzed.target else { return -1 }
    do throws(Wrong) {
        let field = try target.readAlone([UInt8](UnsafeBufferPointer(start: bytes, count: count)))
        if Fuzzed.isPlanted, let field, target.isPlanted(in: field) { fatalError("planted bug of \(target.name)") }
    } catch {
        fatalError("\(target.name): \(error)")
    }
    return 0
}
#endif
