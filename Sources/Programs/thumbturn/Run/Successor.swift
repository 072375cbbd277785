import CThumbLinux
import ThumbSecrets

/// Another program that takes the place of this one. The process stays the same, so signals, the terminal and the exit status are that
/// program's without our help. Our memory is gone, and with it every copy of a secret.
enum Successor {
    static func setVariable(_ name: String, to value: String) { _ = unsafe setenv(name, value, 1) }

    /// Sets a variable to a secret. From then on the secret is in ordinary memory too, as an environment is.
    static func setVariable(_ name: String, to secret: SecretBytes, of thing: Thing) throws(Failure) {
        let hasNUL = unsafe secret.withUnsafeBytes { unsafe $0.contains(0) }
        if hasNUL {
            throw .zeroByte(thing)
        }
        let terminated = try? unsafe SecretBytes(count: secret.count + 1) { room in
            unsafe secret.withUnsafeBytes { unsafe room.copyMemory(from: $0) }
        }
        guard let terminated else { throw .noLockedMemory }
        unsafe terminated.withUnsafeBytes { bytes in
            _ = unsafe setenv(name, bytes.bindMemory(to: CChar.self).baseAddress!, 1)
        }
    }

    /// Refuses a program that can't be executed, as far as that shows before it is. The owner is asked after this.
    ///
    /// - Parameter variables: the variables that are set for it. If `PATH` is one of them, a name without a folder means something else then.
    static func check(_ program: String, setting variables: [String]) throws(Failure) {
        if !program.contains("/"), variables.contains("PATH") { return }
        switch ProgramPath.search(program) {
        case .found: return
        case .notExecutable: throw .notStarted(EACCES)
        case .missing: throw .notStarted(ENOENT)
        }
    }

    /// Returns only if it fails. Settings that were changed for this program's sake are restored for the other one.
    static func become(_ words: [String], with files: [SecretFile]) throws(Failure) -> Never {
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        for file in files { file.isInherited(true) }
        PipeSignal.treatAsBefore()
        CoreFiles.allowAsBefore()
        _ = unsafe execvp(words[0], &arguments)
        let number = thumb_errno()
        // We are still here, and so are the secrets.
        CoreFiles.forbid()
        PipeSignal.ignore()
        for file in files { file.isInherited(false) }
        while let argument = unsafe arguments.popLast() { unsafe free(argument) }
        throw .notStarted(number)
    }
}

extension Failure {
    /// The program after `--` was not started. The number is the kernel's reason.
    static func notStarted(_ number: Int32) -> Failure {
        number == ENOENT ? .noProgram : .cannotRun(unsafe String(cString: strerror(number)))
    }
}
