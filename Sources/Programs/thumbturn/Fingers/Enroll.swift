import ThumbAccess
import ThumbClient
import ThumbCommands

/// `thumbturn enroll`
enum Enroll {
    static let command = Command(
        "enroll", "enroll a finger",
        discussion: [
            "Asks for the passcode; then lay the finger on the reader as often as the reader asks for it. Without FINGER it is the right index "
                + "finger. If that finger is already enrolled, it is replaced.",
            "Secrets that are bound to the fingers enrolled now can't be opened any more once you have added another.",
        ],
        operands: [Fingers.operand], examples: [Example("Enroll the left thumb", "thumbturn enroll left-thumb")]
    ) { invocation throws(Failure) in
        let finger = Fingers.named(invocation) ?? .rightIndex
        _ = try Daemon.statusWithPasscode()
        let bar = StageBar()
        do throws(FingerFailure) {
            try DeviceClient.shared.enroll(finger) { bar.show($0) }
        } catch {
            bar.end()
            throw Failure(fingers: error)
        }
        bar.end()
        let name = Fingers.name(finger)
        return Outcome(.enrolled(name), json: .object([("finger", .text(name)), ("enrolled", .flag(true))]))
    }
}

/// `thumbturn forget`
enum Forget {
    static let command = Command(
        "forget", "forget an enrolled finger, or all of them",
        discussion: [
            "Asks for the passcode, then removes the finger from the reader. Secrets that are bound to the fingers enrolled now can't be opened "
                + "any more."
        ],
        operands: [Fingers.operand], options: [all],
        examples: [
            Example("Forget one finger, or every finger", "thumbturn forget left-thumb", "thumbturn forget --all")
        ]
    ) { invocation throws(Failure) in
        guard invocation.operands.isEmpty == invocation.has(all) else { throw .usage(.noFinger, invocation.path) }
        let finger = Fingers.named(invocation)
        _ = try Daemon.statusWithPasscode()
        do throws(FingerFailure) {
            try DeviceClient.shared.forget(finger)
        } catch {
            throw Failure(fingers: error)
        }
        let name = finger.map(Fingers.name)
        return Outcome(
            name.map { .forgotten($0) } ?? .forgottenAll,
            json: .object([("finger", .text(name ?? "all")), ("enrolled", .flag(false))]))
    }

    private static let all = Option("all", "every finger")
}
