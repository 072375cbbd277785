internal import ThumbAccess
internal import ThumbClient

extension Command {
    static let simulateControl: Command = .init(
        name: "control", summary: "change the simulated device that this program runs on",
        discussion: [
            "Works in what 'thumbturn simulate' runs, and in nothing else.",
            "answer ANSWER: the next prompt gets it; words as in --answers, and 'passcode TEXT'. What approved everything stops.",
            "approve: every prompt is approved from now on",
            "enroll NAME, remove NAME: one more finger or face, or one less",
            "passcode TEXT: sets or changes it; without a text it is removed",
            "lock; unlock: by the sensor; unlock TEXT: by the passcode",
            "permission on|off: whether apps may use the sensor",
            "consent on|off: whether the owner is asked about each app that wants face recognition",
            "advance SECONDS: moves the device's clock",
            "restart: as after a reboot, on the same store",
            "prompts: lists those shown so far, how each ended and for whom it was",
        ],
        operands: [
            Operand(
                name: "VERB", help: "what happens",
                values: [
                    "answer", "approve", "enroll", "remove", "passcode", "lock", "unlock", "permission", "consent", "advance",
                    "restart", "prompts",
                ]),
            Operand(name: "WORDS", help: "what it is about", isOptional: true, takesAll: true),
        ]
    ) { invocation throws(Failure) in
        guard SimulatorControl.isThere else {
            throw Failure(
                "noSimulator", .couldNotAsk, "this doesn't run on a simulated device",
                advice: "'thumbturn simulate -- PROGRAM' starts one; use this in what it runs")
        }
        let line = invocation.operands.joined(separator: " ")
        guard line.utf8.count < SimulatorControl.lineBytes, !line.contains("\n") else {
            throw .usage("that is too long, or more than one line", invocation.path)
        }
        return try outcome(of: line, invocation.operands[0])
    }

    private static func outcome(of line: String, _ verb: String) throws(Failure) -> Outcome {
        var lines: [String]
        do throws(ClientError) {
            lines = try SimulatorControl.tell(line)
        } catch {
            throw Failure(simulator: error)
        }
        let last = lines.popLast() ?? ""
        let problem = "error: "
        guard last == "ok" else {
            throw Failure(
                "refused", .failed,
                last.hasPrefix(problem)
                    ? SafeText(String(last.dropFirst(problem.count))).description : "the simulated device would not do that")
        }
        return Outcome(
            lines.map { SafeText($0).description },
            json: .object([("verb", .text(verb)), ("lines", .list(lines.map { .text($0) }))]))
    }
}
