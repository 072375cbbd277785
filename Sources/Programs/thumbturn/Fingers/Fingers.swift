import ThumbAccess
import ThumbClient
import ThumbCommands

/// `thumbturn fingers`
enum Fingers {
    static let command = Command(
        "fingers", "list your enrolled fingers",
        discussion: [
            "Lists the fingers that the reader knows as yours. `thumbturn enroll` adds one, `thumbturn forget` removes one."
        ],
        examples: [Example("See which fingers the reader knows", "thumbturn fingers")]
    ) { _ throws(Failure) in
        try Daemon.connect()
        let enrolled: EnrolledFingers
        do throws(FingerFailure) {
            enrolled = try DeviceClient.shared.fingers()
        } catch {
            throw Failure(fingers: error)
        }
        let names = enrolled.fingers.map(name)
        return Outcome(
            lines: names,
            json: .object([
                ("fingers", .list(names.map { .text($0) })), ("reader", .text(enrolled.isSwipe ? "swipe" : "press")),
            ]), asides: names.isEmpty ? [.noFingers] : [])
    }

    /// The operand FINGER, which is optional.
    static let operand = Operand(.choice("FINGER", Finger.allCases.map(name)), "the finger", .optional)

    /// The finger that the command line names; nil if it names none.
    static func named(_ invocation: Invocation) -> Finger? {
        invocation.operands.first.flatMap { named in Finger.allCases.first { name($0) == named } }
    }

    /// A finger's name on the command line.
    static func name(_ finger: Finger) -> String {
        switch finger {
        case .leftThumb: "left-thumb"
        case .leftIndex: "left-index"
        case .leftMiddle: "left-middle"
        case .leftRing: "left-ring"
        case .leftLittle: "left-little"
        case .rightThumb: "right-thumb"
        case .rightIndex: "right-index"
        case .rightMiddle: "right-middle"
        case .rightRing: "right-ring"
        case .rightLittle: "right-little"
        }
    }
}
