import Foundation

/// Who one thread is: the C library's own call makes every thread of the process another user.
enum ThreadUser {
    #if arch(arm64)
    private static let (setresuid, setresgid) = (147, 149)
    #else
    private static let (setresuid, setresgid) = (117, 119)
    #endif

    private typealias Call = @convention(c) (_ number: Int, _ real: Int, _ effective: Int, _ saved: Int) -> Int

    /// Whether this thread acts as that user from now on; it may become root again.
    static func become(_ uid: UInt32) -> Bool { set(setresuid, uid) }

    /// Whether this thread acts in that group from now on. Takes root.
    static func join(_ gid: UInt32) -> Bool { set(setresgid, gid) }

    private static func set(_ call: Int, _ id: UInt32) -> Bool {
        // Swift calls no functions of any number of arguments; with so many whole numbers they are like any other.
        guard let symbol = dlsym(nil, "syscall") else { return false }
        return unsafeBitCast(symbol, to: Call.self)(call, -1, Int(id), -1) == 0
    }
}
