internal import ThumbAccess
internal import ThumbClient

extension Command {
    static let fingers: Command = .init(
        name: "fingers", summary: "list the fingers that are enrolled",
        discussion: ["Lists the fingers the reader knows as yours. 'thumbturn enroll' adds one, 'thumbturn forget' removes one."]
    ) { _ throws(Failure) in
        try Device.connect()
        let enrolled: EnrolledFingers
        do throws(FingerFailure) {
            enrolled = try DeviceClient.shared.fingers()
        } catch {
            throw Failure(fingers: error)
        }
        let names = enrolled.fingers.map(FingerNames.name)
        return Outcome(
            names,
            json: .object([
                ("fingers", .list(names.map { .text($0) })), ("reader", .text(enrolled.isSwipe ? "swipe" : "press")),
            ]), notices: names.isEmpty ? ["No finger is enrolled yet. 'thumbturn enroll' adds one."] : [])
    }

    static let enroll: Command = .init(
        name: "enroll", summary: "enroll a finger",
        discussion: [
            "Asks for the passcode, then has the finger laid on the reader as often as the reader wants to see it. Without a name "
                + "it is the right index finger. A finger that is enrolled under that name already is replaced.",
            "Secrets that are bound to the fingers enrolled now stay closed for good once another is added.",
        ],
        operands: [
            Operand(name: "FINGER", help: "the finger: ", values: FingerNames.all, isOptional: true)
        ]
    ) { invocation throws(Failure) in
        let finger =
            try invocation.operands.first.map { (name) throws(Failure) in
                try FingerNames.finger(name, invocation.path)
            } ?? .rightIndex
        guard try Device.status().passcodeIsSet else { throw .noPasscode }
        let bar = StageBar()
        do throws(FingerFailure) {
            try DeviceClient.shared.enroll(finger) { bar.show($0) }
        } catch {
            bar.end()
            throw Failure(fingers: error)
        }
        bar.end()
        let name = FingerNames.name(finger)
        return Outcome(["Enrolled: \(name)"], json: .object([("finger", .text(name)), ("enrolled", .flag(true))]))
    }

    static let forget: Command = .init(
        name: "forget", summary: "forget an enrolled finger, or all of them",
        discussion: [
            "Asks for the passcode, then removes the finger from the reader. Secrets that are bound to the fingers enrolled now stay "
                + "closed for good."
        ],
        operands: [Operand(name: "FINGER", help: "the finger: ", values: FingerNames.all, isOptional: true)],
        options: [.allFingers]
    ) { invocation throws(Failure) in
        guard invocation.operands.isEmpty == invocation.has(.allFingers) else {
            throw .usage("name one finger, or say --all", invocation.path)
        }
        let finger = try invocation.operands.first.map { (name) throws(Failure) in
            try FingerNames.finger(name, invocation.path)
        }
        guard try Device.status().passcodeIsSet else { throw .noPasscode }
        do throws(FingerFailure) {
            try DeviceClient.shared.forget(finger)
        } catch {
            throw Failure(fingers: error)
        }
        let name = finger.map(FingerNames.name) ?? "all"
        return Outcome(["Forgotten: \(name)"], json: .object([("finger", .text(name)), ("enrolled", .flag(false))]))
    }
}

extension Command.Option {
    static let allFingers = Command.Option(name: "all", help: "every finger")
}

extension Failure {
    /// A call about fingers came to nothing.
    init(fingers failure: FingerFailure) {
        switch failure {
        case .keychain(let failure): self.init(passcode: failure)
        case .reader(.noReader):
            self.init(
                "noReader", .couldNotAsk, "there is no fingerprint reader that fprintd knows",
                advice: "look whether fprintd is installed, and whether 'fprintd-list' shows the reader")
        case .reader(.busy):
            self.init("readerBusy", .couldNotAsk, "another program has the reader", advice: "try again when it is done")
        case .reader(.duplicate): self.init("fingerEnrolled", .exists, "this finger is enrolled already")
        case .reader(.full):
            self.init("readerFull", .failed, "the reader has no room for another finger", advice: "'thumbturn forget' makes room")
        case .reader(.notEnrolled): self.init("fingerNotFound", .notFound, "that finger is not enrolled")
        case .reader(.notPermitted):
            self.init(
                "notPermitted", .failed, "the system doesn't let you change fingers from here",
                advice: "do it in a session at the machine itself")
        case .reader(.failed): self.init("readerFailed", .failed, "the reader could not go on", advice: "try again")
        case .reader(.cancelled): self = .cancelled
        }
    }
}
