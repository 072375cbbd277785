import CThumbLinux
import ThumbClient
import ThumbCommands
import ThumbSecrets

/// The program that speaks with servers. HTTP needs Foundation, and this program starts without it.
enum SignInProgram {
    static func become(
        _ invocation: Invocation, _ more: [String] = [], _ passwords: [SecretBytes] = []
    ) throws(Failure) -> Never {
        let name = "thumbturn-sign-in"
        guard let program = Installed.program(name) else {
            throw .programMissing(name, code: "noSignIn")
        }
        // That program is an app, and waits for a daemon as long as it takes. Here somebody is told that none answers.
        try Daemon.connect()
        // That program knows the subcommands by their names.
        var words = [program] + invocation.path.suffix(1) + [invocation.wantsJSON ? "json" : "words"] + invocation.operands + more
        var files: [SecretFile] = []
        for password in passwords {
            let file = try SecretFile(password)
            words.append(file.path)
            files.append(file)
        }
        try Successor.become(words, with: files)
    }

    /// Does what needs a proof: the owner's finger, or the account's password. The password is asked for before a new one.
    static func act(
        _ invocation: Invocation, _ more: [String] = [], asksForNew: Bool = false
    ) throws(Failure) -> Never {
        var questions: [TypedQuestion] = []
        if invocation.has(SignInCommands.byPassword) {
            questions.append(TypedQuestion(TypedQuestion.password(of: invocation.operands[1])))
        }
        if asksForNew { questions.append(TypedQuestion(TypedQuestion.newPassword, isNew: true)) }
        var passwords = try SecretInput.readCodes(questions)
        // The program expects the new password first.
        if asksForNew { passwords.reverse() }
        try become(invocation, more, passwords)
    }
}

/// This machine's own name.
enum MachineName {
    /// The longest name that a server takes for a device, in bytes, all of them ASCII.
    private static let most = 64

    /// The machine's name, if a server accepts it as a device's name.
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
