import CThumbLinux
import ThumbSecrets

/// Another program that takes this one's place. The process stays the same, so that signals, the terminal and the exit status
/// are the program's without our help; our memory goes, and with it every copy of a secret that we had.
enum Successor {
    static func setVariable(_ name: String, to value: String) { _ = unsafe setenv(name, value, 1) }

    /// Sets a variable to a secret, which from here on lies in ordinary memory too, as an environment does.
    static func setVariable(_ name: String, to secret: SecretBytes, of item: SecretName) throws(Failure) {
        let hasNUL = unsafe secret.withUnsafeBytes { unsafe $0.contains(0) }
        if hasNUL {
            throw .zeroByte(item.thing)
        }
        let terminated = try? unsafe SecretBytes(count: secret.count + 1) { room in
            unsafe secret.withUnsafeBytes { unsafe room.copyMemory(from: $0) }
        }
        guard let terminated else { throw .noLockedMemory }
        unsafe terminated.withUnsafeBytes { bytes in
            _ = unsafe setenv(name, bytes.bindMemory(to: CChar.self).baseAddress!, 1)
        }
    }

    /// Doesn't come back unless it fails. What was changed here for this program's own sake isn't changed there.
    static func become(_ words: [String], with files: [SecretFile]) throws(Failure) -> Never {
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        for file in files { file.isInherited(true) }
        thumb_default_signal(SIGPIPE)
        CoreFiles.allowAsBefore()
        _ = unsafe execvp(words[0], &arguments)
        let number = thumb_errno()
        // Still here, with the secrets.
        CoreFiles.forbid()
        thumb_ignore_signal(SIGPIPE)
        for file in files { file.isInherited(false) }
        while let argument = unsafe arguments.popLast() { unsafe free(argument) }
        throw .notStarted(number)
    }
}

extension Failure {
    /// The program behind `--` was not started, with the kernel's number for why.
    static func notStarted(_ number: Int32) -> Failure {
        number == ENOENT ? .noProgram : .cannotRun(unsafe String(cString: strerror(number)))
    }
}
