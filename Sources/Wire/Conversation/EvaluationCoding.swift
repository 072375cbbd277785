internal import ThumbAccess

// The forms of evaluations and prompts on the wire.

extension EvaluationRequest: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(context)
        switch subject {
        case .policy(let policy):
            encoder.put(UInt8(1))
            encoder.put(policy)
        case .rule(let rule, let operation):
            encoder.put(UInt8(2))
            encoder.put(rule)
            encoder.put(operation)
        }
        encoder.put(words)
        encoder.put(interactionNotAllowed)
        encoder.put(reuseSeconds)
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        let context = try decoder.u64()
        let subject: EvaluationSubject =
            switch try decoder.u8() {
            case 1: .policy(try decoder.choice())
            case 2: .rule(try decoder.rule(), try decoder.choice())
            default: throw .malformed
            }
        self.init(
            context: context, subject: subject, words: try decoder.words(), interactionNotAllowed: try decoder.bool(),
            reuseSeconds: try decoder.double())
    }
}

extension EvaluationReply: WireValue {
    func encode(to encoder: inout Encoder) {
        switch result {
        case .success(let factor):
            encoder.put(false)
            encoder.put(factor)
        case .failure(let failure):
            encoder.put(true)
            encoder.put(failure)
        }
        encoder.put(kind)
        encoder.put(domainState) { $0.put($1) }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        let result: Result<Factor, EvaluationFailure> =
            try decoder.bool() ? .failure(try decoder.choice()) : .success(try decoder.choice())
        self.init(
            result: result, kind: try decoder.choice(),
            domainState: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.bytes() })
    }
}

extension Capability: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(failure) { $0.put($1) }
        encoder.put(kind)
        encoder.put(domainState) { $0.put($1) }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            failure: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.choice(EvaluationFailure.self)
            },
            kind: try decoder.choice(),
            domainState: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.bytes() })
    }
}

extension PromptNotice: WireValue {
    func encode(to encoder: inout Encoder) {
        switch self {
        case .missed(let left):
            encoder.put(UInt8(1))
            encoder.put(UInt8(clamping: left))
        case .retry(let hint):
            encoder.put(UInt8(2))
            encoder.put(hint)
        case .wrongPasscode: encoder.put(UInt8(3))
        case .passcodeUnchecked: encoder.put(UInt8(4))
        case .biometryLocked: encoder.put(UInt8(5))
        case .passcodesDiffer: encoder.put(UInt8(6))
        case .passcodeTooShort(let least):
            encoder.put(UInt8(7))
            encoder.put(UInt8(clamping: least))
        case .question(let question):
            encoder.put(UInt8(8))
            encoder.put(question)
        case .accountPasswordChanged: encoder.put(UInt8(9))
        case .accountPasswordExpired: encoder.put(UInt8(10))
        case .accountLocked: encoder.put(UInt8(11))
        case .passcodeWaits: encoder.put(UInt8(12))
        }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.u8() {
        case 1: self = .missed(attemptsLeft: Int(try decoder.u8()))
        case 2: self = .retry(try decoder.choice())
        case 3: self = .wrongPasscode
        case 4: self = .passcodeUnchecked
        case 5: self = .biometryLocked
        case 6: self = .passcodesDiffer
        case 7: self = .passcodeTooShort(least: Int(try decoder.u8()))
        case 8: self = .question(try decoder.value())
        case 9: self = .accountPasswordChanged
        case 10: self = .accountPasswordExpired
        case 11: self = .accountLocked
        case 12: self = .passcodeWaits
        default: throw .malformed
        }
    }
}

extension PromptContent: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(purpose)
        encoder.put(program)
        encoder.put(words)
        encoder.put(words.areOurs)
        encoder.put(signIn) { $0.put($1) }
        encoder.put(listening)
        encoder.put(acceptsPasscode)
        encoder.put(offersFallback)
        encoder.put(notice) { $0.put($1) }
        encoder.put(passcodeWait)
        encoder.put(waiting)
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            purpose: try decoder.choice(), program: try decoder.value(),
            words: try Self.words(from: &decoder),
            signIn: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.value(SignInWords.self) },
            listening: try decoder.choice(), acceptsPasscode: try decoder.bool(),
            offersFallback: try decoder.bool(),
            notice: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.value(PromptNotice.self) },
            passcodeWait: try decoder.double())
        waiting = try decoder.u16()
    }

    private static func words(from decoder: inout Decoder) throws(Refusal) -> PromptWords {
        let words = try decoder.words()
        guard try decoder.bool() else { return words }
        // Ours have the usual titles.
        guard words.fallbackTitle == nil, words.cancelTitle == nil else { throw .malformed }
        return PromptWords(ours: words.reason)
    }
}

extension DeviceStatus: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(mode)
        encoder.put(biometry)
        for flag in [isEnrolled, isBiometryLocked, passcodeIsSet, passcodeWasGiven, hasRecoveryCode, isSessionLocked] {
            encoder.put(flag)
        }
        encoder.put(items)
        encoder.put(quarantined)
        encoder.put(custodian)
        encoder.put(enclave) { $0.put($1) }
        encoder.put(UInt32(bitPattern: processID))
        encoder.put(biometryLevel)
        encoder.put(passcodeSource)
        encoder.put(sensor)
        for flag in [isAtDisplay, hasPromptAgent] { encoder.put(flag) }
        for number in [usage.items, usage.bytes, quota.items, quota.bytes] { encoder.put(number) }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            mode: try decoder.choice(), biometry: try decoder.choice(), isEnrolled: try decoder.bool(),
            isBiometryLocked: try decoder.bool(), passcodeIsSet: try decoder.bool(), passcodeWasGiven: try decoder.bool(),
            hasRecoveryCode: try decoder.bool(), isSessionLocked: try decoder.bool(), items: try decoder.u64(),
            quarantined: try decoder.u64(), custodian: try decoder.choice(),
            enclave: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.choice(Custodian.self) },
            processID: Int32(bitPattern: try decoder.u32()), biometryLevel: try decoder.choice(),
            passcodeSource: try decoder.choice(),
            sensor: try decoder.value(), isAtDisplay: try decoder.bool(), hasPromptAgent: try decoder.bool(),
            usage: StoreUsage(items: try decoder.u64(), bytes: try decoder.u64()),
            quota: StoreQuota(items: try decoder.u64(), bytes: try decoder.u64()))
    }
}

extension SensorFacts: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(name)
        encoder.put(hindrance) { $0.put($1) }
        encoder.put(tellsEnrolments)
        encoder.put(tellsFingers)
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        let name = try decoder.text()
        self.init(
            name: name,
            hindrance: try decoder.optional { (decoder: inout Decoder) throws(Refusal) in
                try decoder.choice(SensorHindrance.self)
            }, tellsEnrolments: try decoder.bool(), tellsFingers: try decoder.bool())
        // What had to be made safe wasn't written by this house.
        guard self.name.hasSameBytes(as: name) else { throw .malformed }
    }
}

extension KnownApp: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(app)
        encoder.put(name)
        encoder.put(kind)
        encoder.put(wish)
        encoder.put(verdict)
        encoder.put(date)
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        self.init(
            app: try decoder.value(), name: try decoder.text(), kind: try decoder.choice(), wish: try decoder.value(),
            verdict: try decoder.choice(), date: try decoder.double())
    }
}

extension AppWish: WireValue {
    func encode(to encoder: inout Encoder) {
        switch self {
        case .face: encoder.put(UInt8(1))
        case .group(let group):
            encoder.put(UInt8(2))
            encoder.put(group)
        case .program(let path):
            encoder.put(UInt8(3))
            encoder.put(path)
        case .folder(let path):
            encoder.put(UInt8(4))
            encoder.put(path)
        }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.u8() {
        case 1: self = .face
        case 2: self = .group(try decoder.value())
        case 3: self = .program(try decoder.value())
        case 4: self = .folder(try decoder.value())
        default: throw .malformed
        }
    }
}
