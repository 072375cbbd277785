internal import CThumbLinux
internal import ThumbAccess
internal import ThumbClient
internal import ThumbSecrets

extension Command {
    static let signIn: Command = .init(
        name: "sign-in", summary: "sign in to a server with your finger",
        discussion: [
            "The password once, on 'enable': a key is made on this device and registered at the server. From then on the server takes its "
                + "signature, which only you can release, each time. Other fingers, and it is the password again."
        ],
        subcommands: [signInEnable, signInNow, signInStatus, signInToken, signInOut, signInDisable])

    static let signInEnable: Command = .init(
        name: "enable", summary: "make a key for an account and register it",
        discussion: [
            "Asks for the account's password, unseen, or reads it from standard input; then for you, because the key must prove itself. Where "
                + "it was enabled before, a key that is still good is registered again, and one that isn't is replaced."
        ],
        operands: Operand.account, options: [.deviceName, .signInProtect]
    ) { invocation throws(Failure) in
        let protection = invocation.value(.signInProtect) ?? "current-biometry"
        let rule = try Protection.keyRule(protection, "when-unlocked")
        if let objection = Protection.objection(rule, try Device.status(), loss: "the key could never be used") {
            throw objection
        }
        let password = try SecretInput.readCode("Password of \(SafeText(invocation.operands[1], limit: 128)): ")
        let name = invocation.value(.deviceName) ?? MachineName.own
        try SignInProgram.become("enable", invocation, [name, protection], password)
    }

    static let signInNow: Command = .init(
        name: "now", summary: "sign in, whether there is a session or not", operands: Operand.account
    ) { invocation throws(Failure) in try SignInProgram.become("now", invocation) }

    static let signInStatus: Command = .init(
        name: "status", summary: "tell where you stand with a server, asking nobody",
        discussion: ["Ends with 0 where your finger is enough or you are signed in, else with 1."],
        operands: Operand.account
    ) { invocation throws(Failure) in try SignInProgram.become("status", invocation) }

    static let signInToken: Command = .init(
        name: "token", summary: "print the token of a session, signing in where there is none",
        discussion: ["For programs that speak with the server: 'Authorization: Bearer TOKEN'. Who has it is you, until it ends."],
        operands: Operand.account
    ) { invocation throws(Failure) in try SignInProgram.become("token", invocation) }

    static let signInOut: Command = .init(
        name: "out", summary: "end the session; this device stays enabled", operands: Operand.account
    ) { invocation throws(Failure) in try SignInProgram.become("out", invocation) }

    static let signInDisable: Command = .init(
        name: "disable", summary: "revoke this device at the server, and remove its key and token here",
        discussion: [
            "Signs in once more where there is no session. If the server can't be told, what is here is removed all the same, and what is left "
                + "there is said."
        ],
        operands: Operand.account
    ) { invocation throws(Failure) in try SignInProgram.become("disable", invocation) }
}

extension Command.Operand {
    static let account = [
        Command.Operand(name: "SERVER", help: "its origin, such as https://bank.example"),
        Command.Operand(name: "ACCOUNT", help: "who you are there"),
    ]
}

extension Command.Option {
    static let deviceName = Command.Option(
        name: "name", help: "what the account's list of devices calls this one; else the machine's name", value: .text("NAME"))
    static let signInProtect = Command.Option(
        name: "protect", help: "what you show to sign in; else a finger enrolled now",
        value: .choice("WHAT", ["current-biometry", "biometry", "presence", "passcode"]))
}

/// The program that speaks with servers. HTTP needs Foundation, and this program starts without.
private enum SignInProgram {
    static func become(
        _ verb: String, _ invocation: Invocation, _ more: [String] = [], _ password: SecretBytes? = nil
    ) throws(Failure) -> Never {
        let name = "thumbturn-sign-in"
        guard let program = Installed.program(name) else {
            throw Failure(
                "noSignIn", .couldNotAsk, "\(name) was not found beside this program or in its libexec folder",
                advice: "run 'make install'")
        }
        var words = [program, verb, invocation.wantsJSON ? "json" : "words"] + invocation.operands + more
        var files: [SecretFile] = []
        if let password {
            let file = try SecretFile(password)
            words.append(file.path)
            files.append(file)
        }
        try Successor.become(words, with: files)
    }
}

private enum MachineName {
    /// Bytes of the longest name that a server takes for a device, all of them ASCII.
    private static let most = 64

    /// What this machine is called, if a server takes that.
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
