import Foundation

/// Who one thread is: the C library's own call makes every thread of the process another user.
enum ThreadUser {
    #if arch(arm64)
    private static let setresuid = 147
    #else
    private static let setresuid = 117
    #endif

    private typealias Call = @convention(c) (_ number: Int, _ real: Int, _ effective: Int, _ saved: Int) -> Int

    /// Whether this thread acts as that user from now on; it may become root again.
    static func become(_ uid: UInt32) -> Bool {
        // Swift calls no functions of any number of arguments; with so many whole numbers they are like any other.
        guard let symbol = dlsym(nil, "syscall") else { return false }
        return unsafeBitCast(symbol, to: Call.self)(setresuid, -1, Int(uid), -1) == 0
    }
}
