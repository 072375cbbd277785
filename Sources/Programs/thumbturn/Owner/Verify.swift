import ThumbAccess
import ThumbCommands

/// `thumbturn verify`
enum Verify {
    static let command = Command(
        "verify", "ask whether you, the owner, are there",
        discussion: [
            "Asks for your finger, your face or your passcode, in a window of your desktop session or on this terminal.",
            "Somebody who can change a script can remove this check. If the script needs something worth protecting, keep it as "
                + "a secret and read it with `thumbturn secret get`.",
        ],
        options: [biometrics, companion, reason],
        exits: [
            ExitStatus(0, "it was the owner"), ExitStatus(1, "it was not"), ExitStatus(2, "nobody could be asked"),
            ExitStatus(3, "the owner cancelled"),
        ],
        examples: [Example("Go on only with the owner's consent", "thumbturn verify --reason 'deploy to production' && ./deploy")]
    ) { invocation throws(Failure) in
        try Daemon.connect()
        let reply = Daemon.evaluate(
            policy(invocation), reason: invocation.value(reason) ?? "know that it is you")
        switch reply.result {
        case .failure(let failure): throw .evaluation(failure)
        case .success(let factor):
            return Outcome(
                .recognized(by: factor), json: .object([("owner", .flag(true)), ("factor", .text(Self.name(factor)))]))
        }
    }

    private static let biometrics = Option("biometrics", "ask for a finger or a face, and not for the passcode")
    private static let companion = Option(
        "companion", "ask at a paired machine; with --biometrics, either there or here")
    private static let reason = Option("reason", "what the prompt says it is for", .text("TEXT"))

    private static func policy(_ invocation: Invocation) -> Policy {
        switch (invocation.has(biometrics), invocation.has(companion)) {
        case (false, false): .deviceOwner
        case (true, false): .biometrics
        case (false, true): .companion
        case (true, true): .biometricsOrCompanion
        }
    }

    private static func name(_ factor: Factor) -> String {
        switch factor {
        case .biometry: "biometry"
        case .passcode: "passcode"
        case .companion: "companion"
        }
    }
}
