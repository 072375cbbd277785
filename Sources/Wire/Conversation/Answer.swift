public import ThumbAccess
public import ThumbSecrets

/// Everything the daemon may say.
public enum Answer: Sendable {
    case welcome(version: UInt16, mode: DeviceMode)
    case refused(Refusal)
    case done
    case echoed(SecretBytes)
    case status(DeviceStatus)
    case capability(Capability)
    case evaluated(EvaluationReply)
    case failed(KeychainFailure)
    case page([FoundItem], isLast: Bool)
    case promptNeeded(ticket: [UInt8])
    /// As `promptNeeded`, to a caller in a graphical session at this machine.
    case windowNeeded(ticket: [UInt8])
    case secret(SecretBytes)
    case flag(Bool)
    case changed
    case apps([KnownApp])
    case audit(AuditAnswer)
    case auditReport(AuditReport)
    case exportBegun(head: [UInt8], items: UInt64)
    case exportChunk(box: [UInt8], isLast: Bool, ExportTally)
    case imported(ImportTally)
    case backupFailed(BackupFailure)
    case key(KeyRecord)
    case keyUsed(KeyProduct)
    case fingers(EnrolledFingers)
    case enrolling(EnrollingProgress)
    case enrollingEnded(EnrollingFailure?)
    /// To an agent: a prompt is to come with this ticket.
    case promptWanted(ticket: [UInt8])
    case show(PromptContent)
    /// To a prompt whose turn hasn't come: how many programs are asked before it.
    case wait(programs: UInt16)
    case dismiss(PromptEnding)

    /// The frame that says this.
    public func frame(call: UInt32) -> EncodedFrame {
        var encoder = Encoder(kind: kind.rawValue, call: call)
        switch self {
        case .welcome(let version, let mode):
            encoder.put(version)
            encoder.put(mode)
        case .refused(let refusal): encoder.put(refusal)
        case .done, .changed: break
        case .flag(let flag): encoder.put(flag)
        case .apps(let apps): encoder.put(apps) { $0.put($1) }
        case .audit(let page): encoder.put(page)
        case .auditReport(let report): encoder.put(report)
        case .key(let record): encoder.put(record)
        case .keyUsed(let product): encoder.put(product)
        case .fingers(let fingers): encoder.put(fingers)
        case .enrolling(let progress): encoder.put(progress)
        case .enrollingEnded(let failure): encoder.put(failure) { $0.put($1) }
        case .echoed(let bytes), .secret(let bytes): encoder.put(bytes)
        case .status(let status): encoder.put(status)
        case .capability(let capability): encoder.put(capability)
        case .evaluated(let reply): encoder.put(reply)
        case .failed(let failure): encoder.put(failure)
        case .page(let items, let isLast):
            // A secret is a send of its own: with nothing after it, one item's takes two.
            encoder.put(isLast)
            encoder.put(items) { $0.put($1) }
        case .promptNeeded(let ticket), .windowNeeded(let ticket), .promptWanted(let ticket): encoder.put(ticket)
        case .exportBegun(let head, let items):
            encoder.put(head)
            encoder.put(items)
        case .exportChunk(let box, let isLast, let tally):
            encoder.put(box)
            encoder.put(isLast)
            encoder.put(tally)
        case .imported(let tally): encoder.put(tally)
        case .backupFailed(let failure): encoder.put(failure)
        case .show(let content): encoder.put(content)
        case .wait(let programs): encoder.put(programs)
        case .dismiss(let ending): encoder.put(ending)
        }
        return EncodedFrame(encoder)
    }

    /// Reads a frame, its length already taken off.
    public static func read(_ body: SecretBytes) throws(Refusal) -> (call: UInt32, answer: Answer) {
        var decoder = Decoder(body, from: 0)
        guard let kind = Kind(rawValue: try decoder.u8()) else { throw .unknownKind }
        let call = try decoder.u32()
        let answer: Answer =
            switch kind {
            case .welcome: .welcome(version: try decoder.u16(), mode: try decoder.choice())
            case .refused: .refused(try decoder.choice())
            case .done: .done
            case .echoed: .echoed(try decoder.secret())
            case .status: .status(try decoder.value())
            case .capability: .capability(try decoder.value())
            case .evaluated: .evaluated(try decoder.value())
            case .failed: .failed(try decoder.choice())
            case .page: try page(&decoder)
            case .promptNeeded: .promptNeeded(ticket: try decoder.bytes())
            case .windowNeeded: .windowNeeded(ticket: try decoder.bytes())
            case .promptWanted: .promptWanted(ticket: try decoder.bytes())
            case .secret: .secret(try decoder.secret())
            case .flag: .flag(try decoder.bool())
            case .changed: .changed
            case .apps: .apps(try decoder.array { (decoder: inout Decoder) throws(Refusal) in try decoder.value(KnownApp.self) })
            case .audit: .audit(try decoder.value())
            case .auditReport: .auditReport(try decoder.value())
            case .exportBegun: .exportBegun(head: try decoder.bytes(), items: try decoder.u64())
            case .exportChunk:
                .exportChunk(box: try decoder.bytes(), isLast: try decoder.bool(), try decoder.value())
            case .imported: .imported(try decoder.value())
            case .backupFailed: .backupFailed(try decoder.choice())
            case .key: .key(try decoder.value())
            case .keyUsed: .keyUsed(try decoder.value())
            case .fingers: .fingers(try decoder.value())
            case .enrolling: .enrolling(try decoder.value())
            case .enrollingEnded:
                .enrollingEnded(
                    try decoder.optional { (decoder: inout Decoder) throws(Refusal) in
                        try decoder.choice(EnrollingFailure.self)
                    })
            case .show: .show(try decoder.value())
            case .wait: .wait(programs: try decoder.u16())
            case .dismiss: .dismiss(try decoder.choice())
            }
        try decoder.finish()
        return (call, answer)
    }

    private static func page(_ decoder: inout Decoder) throws(Refusal) -> Answer {
        let isLast = try decoder.bool()
        return .page(
            try decoder.array { (decoder: inout Decoder) throws(Refusal) in try decoder.value(FoundItem.self) }, isLast: isLast)
    }

    private enum Kind: UInt8 {
        case welcome = 128, refused, done, echoed, status, capability, evaluated, failed, page, promptNeeded, secret, flag,
            changed, apps, audit, auditReport
        case exportBegun = 170, exportChunk, imported, backupFailed
        case key = 150, keyUsed
        case fingers = 156, enrolling, enrollingEnded
        case show = 160, dismiss, promptWanted
        case windowNeeded = 164, wait
    }

    private var kind: Kind {
        switch self {
        case .welcome: .welcome
        case .refused: .refused
        case .done: .done
        case .echoed: .echoed
        case .status: .status
        case .capability: .capability
        case .evaluated: .evaluated
        case .failed: .failed
        case .page: .page
        case .promptNeeded: .promptNeeded
        case .windowNeeded: .windowNeeded
        case .promptWanted: .promptWanted
        case .secret: .secret
        case .flag: .flag
        case .changed: .changed
        case .apps: .apps
        case .audit: .audit
        case .auditReport: .auditReport
        case .exportBegun: .exportBegun
        case .exportChunk: .exportChunk
        case .imported: .imported
        case .backupFailed: .backupFailed
        case .key: .key
        case .keyUsed: .keyUsed
        case .fingers: .fingers
        case .enrolling: .enrolling
        case .enrollingEnded: .enrollingEnded
        case .show: .show
        case .wait: .wait
        case .dismiss: .dismiss
        }
    }
}

extension Answer {
    /// Whether nothing more is said to the call that it answers.
    public var endsCall: Bool {
        switch self {
        case .promptNeeded, .windowNeeded, .promptWanted, .show, .wait, .dismiss, .enrolling, .changed: false
        case .page(_, let isLast): isLast
        case .welcome, .refused, .done, .echoed, .status, .capability, .evaluated, .failed, .secret, .flag, .apps, .audit,
            .auditReport, .exportBegun, .exportChunk, .imported, .backupFailed, .key, .keyUsed, .fingers, .enrollingEnded:
            true
        }
    }
}
