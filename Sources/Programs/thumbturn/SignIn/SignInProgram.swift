import CThumbLinux
import ThumbClient
import ThumbCommands
import ThumbSecrets

/// The program that speaks with servers. HTTP needs Foundation, and this program starts without.
enum SignInProgram {
    static func become(
        _ invocation: Invocation, _ more: [String] = [], _ passwords: [SecretBytes] = []
    ) throws(Failure) -> Never {
        let name = "thumbturn-sign-in"
        guard let program = Installed.program(name) else {
            throw .programMissing(name, code: "noSignIn")
        }
        // It knows the subcommands by their names.
        var words = [program] + invocation.path.suffix(1) + [invocation.wantsJSON ? "json" : "words"] + invocation.operands + more
        var files: [SecretFile] = []
        for password in passwords {
            let file = try SecretFile(password)
            words.append(file.path)
            files.append(file)
        }
        try Successor.become(words, with: files)
    }

    /// What takes a proof: the owner's finger, or the account's password, which is asked for before a new one.
    static func act(
        _ invocation: Invocation, _ more: [String] = [], asksForNew: Bool = false
    ) throws(Failure) -> Never {
        var questions: [TypedQuestion] = []
        if invocation.has(SignInCommands.byPassword) {
            questions.append(TypedQuestion(TypedQuestion.password(of: invocation.operands[1])))
        }
        if asksForNew { questions.append(TypedQuestion(TypedQuestion.newPassword, isNew: true)) }
        var passwords = try SecretInput.readCodes(questions)
        // The program takes the new one first.
        if asksForNew { passwords.reverse() }
        try become(invocation, more, passwords)
    }
}

/// What this machine calls itself.
enum MachineName {
    /// Bytes of the longest name that a server takes for a device, all of them ASCII.
    private static let most = 64

    /// Its name, if a server takes that for a device's.
    static var own: String {
        var room = [UInt8](repeating: 0, count: most + 1)
        let isKnown = unsafe room.withUnsafeMutableBytes {
            unsafe gethostname($0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count - 1) == 0
        }
        let name = room.prefix { $0 != 0 }
        guard isKnown, !name.isEmpty, name.allSatisfy({ (0x21...0x7e).contains($0) }) else { return "this device" }
        return String(decoding: name, as: UTF8.self)
    }
}
