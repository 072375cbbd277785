internal import ThumbAccess

extension Command {
    static let verify: Command = .init(
        name: "verify", summary: "ask whether the owner is there",
        discussion: [
            "Asks for a finger, a face or the passcode, on this terminal.",
            "Exit status: 0 if it was the owner, 1 if not, 2 if nobody could be asked, 3 if the owner cancelled.",
            "A script's 'if' can be taken out of the script. Where something is at stake, keep it as a secret and read it "
                + "with 'thumbturn secret get': it comes out only for the owner.",
        ],
        options: [.biometrics, .reason]
    ) { invocation throws(Failure) in
        try Device.connect()
        let reply = Device.evaluate(
            invocation.has(.biometrics) ? .biometrics : .deviceOwner, reason: invocation.value(.reason) ?? "know that it is you")
        switch reply.result {
        case .failure(let failure): throw Failure(failure)
        case .success(let factor):
            let name =
                switch factor {
                case .biometry: "biometry"
                case .passcode: "passcode"
                case .companion: "companion"
                }
            return Outcome(
                ["The owner, by \(name)."], json: .object([("owner", .flag(true)), ("factor", .text(name))]))
        }
    }
}

extension Command.Option {
    static let biometrics = Command.Option(name: "biometrics", help: "a finger or a face, not the passcode")
    static let reason = Command.Option(name: "reason", help: "what the prompt says it is for", value: .text("TEXT"))
}
