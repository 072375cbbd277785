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
        subcommands: [
            signInEnable, signInNow, signInStatus, signInToken, signInOut, signInDisable, signInSessions, signInEndSessions,
            signInDevices, signInRevokeDevice, signInChangePassword, signInRemovePassword, signInDeleteAccount,
        ])

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
        try SignInProgram.become("enable", invocation, [name, protection], [password])
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
            "You are asked, because a token alone revokes nothing. If the server can't be told, what is here is removed all the same, and what "
                + "is left there is said. The last device of an account without a password isn't revoked: nobody could sign in any more."
        ],
        operands: Operand.account, options: [.byPassword]
    ) { invocation throws(Failure) in try SignInProgram.act("disable", invocation) }

    static let signInSessions: Command = .init(
        name: "sessions", summary: "list the account's sessions, asking nobody", operands: Operand.account
    ) { invocation throws(Failure) in try SignInProgram.become("sessions", invocation) }

    static let signInEndSessions: Command = .init(
        name: "end-sessions", summary: "end all other sessions of the account, or one",
        discussion: ["Yours goes on under a new token, so that a copy of the old one ends with the others."],
        operands: Operand.account, options: [.session, .byPassword]
    ) { invocation throws(Failure) in try SignInProgram.act("end-sessions", invocation, [invocation.value(.session) ?? "others"])
    }

    static let signInDevices: Command = .init(
        name: "devices", summary: "list the account's devices, asking nobody", operands: Operand.account
    ) { invocation throws(Failure) in try SignInProgram.become("devices", invocation) }

    static let signInRevokeDevice: Command = .init(
        name: "revoke-device", summary: "have a device that was lost sign in no more",
        discussion: [
            "Its sessions end as well. Its name is what 'devices' lists first; where it is this device, its key and token go with it."
        ],
        operands: Operand.account + [Operand(name: "DEVICE", help: "the device, by its name in 'devices'")],
        options: [.byPassword]
    ) { invocation throws(Failure) in try SignInProgram.act("revoke-device", invocation) }

    static let signInChangePassword: Command = .init(
        name: "change-password", summary: "give the account another password, or one where it has none",
        discussion: [
            "Asks for the new password, unseen and twice, or reads it as a line from standard input; with --by-password the present one comes "
                + "first. Other sessions end unless --keep-sessions is said."
        ],
        operands: Operand.account, options: [.keepSessions, .byPassword]
    ) { invocation throws(Failure) in
        try SignInProgram.act("change-password", invocation, [invocation.otherSessions], asksForNew: true)
    }

    static let signInRemovePassword: Command = .init(
        name: "remove-password", summary: "leave the account to its devices alone",
        discussion: [
            "Refused where no device is registered. Another device can be enabled once 'change-password' has set a password again. Whoever "
                + "loses all devices then needs whoever runs the server."
        ],
        operands: Operand.account, options: [.keepSessions, .byPassword]
    ) { invocation throws(Failure) in try SignInProgram.act("remove-password", invocation, [invocation.otherSessions]) }

    static let signInDeleteAccount: Command = .init(
        name: "delete-account", summary: "delete the account at the server, and what is here of it",
        operands: Operand.account, options: [.byPassword]
    ) { invocation throws(Failure) in try SignInProgram.act("delete-account", invocation) }
}

extension Invocation {
    /// What becomes of the account's other sessions.
    fileprivate var otherSessions: String { has(.keepSessions) ? "keep" : "end" }
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
    static let byPassword = Command.Option(
        name: "by-password", help: "prove it with the account's password, not with your finger")
    static let keepSessions = Command.Option(name: "keep-sessions", help: "let other sessions go on")
    static let session = Command.Option(
        name: "session", help: "that one, by its name in 'sessions'", value: .text("SESSION"))
    static let signInProtect = Command.Option(
        name: "protect", help: "what you show to sign in; else a finger enrolled now",
        value: .choice("WHAT", ["current-biometry", "biometry", "presence", "passcode"]))
}

/// The program that speaks with servers. HTTP needs Foundation, and this program starts without.
private enum SignInProgram {
    static func become(
        _ verb: String, _ invocation: Invocation, _ more: [String] = [], _ passwords: [SecretBytes] = []
    ) throws(Failure) -> Never {
        let name = "thumbturn-sign-in"
        guard let program = Installed.program(name) else {
            throw Failure(
                "noSignIn", .couldNotAsk, "\(name) was not found beside this program or in its libexec folder",
                advice: "run 'make install'")
        }
        var words = [program, verb, invocation.wantsJSON ? "json" : "words"] + invocation.operands + more
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
        _ verb: String, _ invocation: Invocation, _ more: [String] = [], asksForNew: Bool = false
    ) throws(Failure) -> Never {
        var questions: [SecretInput.Question] = []
        if invocation.has(.byPassword) {
            questions.append(.init("Password of \(SafeText(invocation.operands[1], limit: 128)): "))
        }
        if asksForNew { questions.append(.init("New password: ", isNew: true)) }
        var passwords = try SecretInput.readCodes(questions)
        // The program takes the new one first.
        if asksForNew { passwords.reverse() }
        try become(verb, invocation, more, passwords)
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
