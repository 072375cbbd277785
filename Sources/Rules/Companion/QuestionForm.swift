import ThumbAccess

/// A question as it crosses, and as it is signed over.
struct QuestionForm {
    let question: CompanionQuestion
    /// Everything that the yes is over, the challenge first.
    let bytes: [UInt8]

    /// A new question, with a challenge that was never used.
    init(_ question: CompanionQuestion, challenge: [UInt8]) throws(CompanionRefusal) {
        var writer = FormWriter()
        writer.fixed(challenge)
        let program = question.program
        writer.byte(program.kind.rawValue)
        writer.name(program.name)
        writer.name(program.path)
        writer.byte(program.place.rawValue)
        writer.name(program.claim)
        writer.number(UInt64(program.process), bytes: 4)
        writer.text(question.reason)
        writer.byte(question.signIn == nil ? 0 : 1)
        if let signIn = question.signIn {
            writer.text(signIn.origin.text)
            writer.text(signIn.account.text)
            writer.byte(signIn.purpose.rawValue)
        }
        switch question.subject {
        case .policy(let policy):
            writer.byte(1)
            writer.byte(policy.rawValue)
        case .rule(let rule, let operation):
            writer.byte(2)
            writer.byte(rule.accessibility.rawValue)
            writer.number(rule.constraints.rawValue, bytes: 8)
            writer.byte(operation.rawValue)
        }
        // A path, a reason and an origin together are shorter, so a longer one is no honest daemon's.
        guard writer.bytes.count <= CompanionLimit.frameBytes - Self.room else { throw .malformed }
        (self.question, bytes) = (question, writer.bytes)
    }

    /// What a frame has besides the question.
    private static let room = 64

    /// Reads a question that came.
    init(_ bytes: [UInt8]) throws(CompanionRefusal) {
        var reader = FormReader(bytes)
        _ = try reader.fixed(FormBytes.nonce)
        guard let kind = CallerClass(rawValue: try reader.byte()) else { throw .malformed }
        var program = ProgramWords(kind: kind, name: try reader.name(), path: try reader.name())
        guard let place = ProgramPlace(rawValue: try reader.byte()) else { throw .malformed }
        program.place = place
        program.claim = try reader.name()
        program.process = UInt32(truncatingIfNeeded: try reader.number(bytes: 4))
        let reason = try reader.text()
        let signIn = try reader.flag() ? try Self.signIn(&reader) : nil
        let subject = try Self.subject(&reader)
        try reader.end()
        question = CompanionQuestion(program: program, reason: reason, signIn: signIn, subject: subject)
        self.bytes = bytes
    }

    private static func signIn(_ reader: inout FormReader) throws(CompanionRefusal) -> SignInWords {
        let (origin, account) = (ExactName(try reader.text()), ExactName(try reader.text()))
        guard let purpose = StatementPurpose(rawValue: try reader.byte()) else { throw .malformed }
        return SignInWords(origin: origin, account: account, purpose: purpose)
    }

    private static func subject(_ reader: inout FormReader) throws(CompanionRefusal) -> EvaluationSubject {
        switch try reader.byte() {
        case 1:
            guard let policy = Policy(rawValue: try reader.byte()) else { throw .malformed }
            return .policy(policy)
        case 2:
            guard let accessibility = Accessibility(rawValue: try reader.byte()) else { throw .malformed }
            let constraints = Constraints(rawValue: try reader.number(bytes: 8))
            guard let operation = RuleOperation(rawValue: try reader.byte()) else { throw .malformed }
            do {
                return .rule(try AccessRule(accessibility, constraints), operation)
            } catch {
                throw .malformed
            }
        default: throw .malformed
        }
    }
}
