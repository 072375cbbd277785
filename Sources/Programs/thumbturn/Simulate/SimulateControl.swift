import ThumbAccess
import ThumbClient
import ThumbCommands

/// `thumbturn simulate control`
enum SimulateControl {
    static let command = Command(
        "control", "change the simulated device that this program runs on",
        discussion: [
            "Works only inside a program that `thumbturn simulate` runs.",
            "answer ANSWER: the next prompt gets it; the words are those of --answers, and `passcode TEXT`. Prompts are no longer all approved.",
            "approve: every prompt is approved from now on",
            "enroll NAME, remove NAME: adds a finger or face, or removes one",
            "passcode TEXT: sets or changes the passcode; without TEXT it is removed",
            "lock; unlock: by the sensor; unlock TEXT: by the passcode",
            "pair NAME, unpair NAME: pairs a companion, or removes it; companions-near on|off: whether it can be asked",
            "permission on|off: whether apps may use the sensor",
            "reader on|off: whether the fingerprint reader is plugged in",
            "consent on|off: whether the owner is asked about each app that wants face recognition",
            "allow software-keys|weak-enrolment: the owner allows something that protects less",
            "advance SECONDS: moves the device's clock",
            "restart: as after a reboot, on the same store",
            "prompts: lists the prompts so far, how each ended and who it was for",
            "unused: how many answers no prompt has used yet",
        ],
        operands: [
            Operand(
                .choice(
                    "VERB",
                    [
                        "answer", "approve", "enroll", "remove", "passcode", "lock", "unlock", "pair", "unpair",
                        "companions-near", "permission", "reader", "consent", "allow", "advance", "restart", "prompts",
                        "unused",
                    ]), "what happens"),
            Operand(.text("WORDS"), "what it is about", .any),
        ],
        examples: [
            Example("Have the next prompt see a stranger", "thumbturn simulate control answer no-match"),
            Example(
                "Add a finger, and see what was asked so far", "thumbturn simulate control enroll thumb",
                "thumbturn simulate control prompts"),
        ]
    ) { invocation throws(Failure) in
        guard SimulatorControl.isThere else { throw .notSimulated }
        let line = invocation.operands.joined(separator: " ")
        guard line.utf8.count < SimulatorControl.lineBytes, !line.contains("\n") else {
            throw .usage(.simulatorLine(bytes: SimulatorControl.lineBytes), invocation.path)
        }
        return try outcome(of: line, invocation.operands[0])
    }

    private static func outcome(of line: String, _ verb: String) throws(Failure) -> Outcome {
        var lines: [String]
        do throws(ClientError) {
            lines = try SimulatorControl.tell(line)
        } catch {
            throw .simulatorGone(error)
        }
        let last = lines.popLast() ?? ""
        let problem = "error: "
        guard last == "ok" else {
            throw .simulatorRefused(
                last.hasPrefix(problem) ? SafeText(String(last.dropFirst(problem.count))).description : nil)
        }
        return Outcome(
            lines: lines.map { SafeText($0).description },
            json: .object([("verb", .text(verb)), ("lines", .list(lines.map { .text($0) }))]))
    }
}
