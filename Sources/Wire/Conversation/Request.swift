public import ThumbAccess
public import ThumbSecrets

/// What a peer says first.
public struct Hello: Sendable, Equatable {
    public enum Role: UInt8, Sendable {
        case app = 1
        case prompt = 2
        /// Shows prompts in a window, for the callers of its own session.
        case agent = 3
        /// The system's login, which is root's: it may offer passwords, nothing else.
        case login = 4
    }

    public var lowestVersion: UInt16
    public var highestVersion: UInt16
    public var role: Role
    /// The app's bundle identifier: a label to show, not proof.
    public var label: String?
    /// Why the app wants face recognition, in its own words.
    public var faceUsage: String?
    public var ticket: [UInt8]?
    /// What a prompt draws on.
    public var surface: PromptSurface?

    public init(
        role: Role, label: String? = nil, faceUsage: String? = nil, ticket: [UInt8]? = nil, surface: PromptSurface? = nil
    ) {
        lowestVersion = WireLimit.version
        highestVersion = WireLimit.version
        self.role = role
        self.label = label
        self.faceUsage = faceUsage
        self.ticket = ticket
        self.surface = surface
    }
}

/// Everything that may be said to the daemon. What is large stands apart, so that a request is handed on without copying it.
public enum Request: Sendable {
    case hello(Hello)
    case echo(SecretBytes)
    case status
    case capability(context: UInt64, policy: UInt8)
    case evaluate(EvaluationRequest)
    case invalidate(context: UInt64)
    case release(context: UInt64)
    case promptUnavailable(ticket: [UInt8])
    case setCredential(context: UInt64, kind: UInt8, SecretBytes?)
    case isCredentialSet(context: UInt64, kind: UInt8)
    case watchEnvironment
    indirect case add(NewItem)
    indirect case find(Query)
    indirect case update(Query, ItemChange)
    indirect case remove(Query)
    case setPasscode
    case removePasscode
    case makeRecoveryCode
    case recover(SecretBytes)
    /// Makes the account's password the passcode.
    case useAccountPassword
    case listApps
    case judgeApp(ExactName, AppWish, AppVerdict?)
    case readAudit(AuditScope, from: UInt64)
    case verifyAudit(AuditScope)
    case beginExport(passphrase: SecretBytes)
    case exportChunk
    case beginImport(head: [UInt8], passphrase: SecretBytes, replaces: Bool, countsOnly: Bool)
    case importChunk(box: [UInt8], isLast: Bool)
    case makeKey(NewKey)
    /// Puts a detached key into the keychain, with these attributes besides its own.
    case keepKey(detached: [UInt8], Attributes)
    case readKey(detached: [UInt8])
    case useKey(KeyUse)
    case signStatement(StatementUse)
    case allow(Allowance, Bool)
    case listFingers
    case enroll(Finger)
    case forgetFinger(Finger?)
    case typed(SecretBytes)
    case cancelled
    case fallback
    /// A prompt's first content is on the screen.
    case shown
    /// A prompt is still there, and whether its owner did something at it since it last said so.
    case here(acts: Bool)
    /// The owner wants nothing of what this prompt's program asks.
    case dismissProgram
    /// What a user typed at the system's login, or, where `isNew`, has just made the account's password: of no bytes where the
    /// login can't tell which.
    case offerPasscode(uid: UInt32, SecretBytes, isNew: Bool)

    /// The frame that says this.
    public func frame(call: UInt32) -> EncodedFrame {
        var encoder = Encoder(kind: kind.rawValue, call: call)
        switch self {
        case .hello(let hello): encoder.put(hello)
        case .echo(let bytes), .recover(let bytes), .beginExport(let bytes), .typed(let bytes): encoder.put(bytes)
        case .capability(let context, let policy):
            encoder.put(context)
            encoder.put(policy)
        case .evaluate(let request): encoder.put(request)
        case .invalidate(let context), .release(let context): encoder.put(context)
        case .promptUnavailable(let ticket): encoder.put(ticket)
        case .setCredential(let context, let kind, let secret):
            encoder.put(context)
            encoder.put(kind)
            encoder.put(secret) { $0.put($1) }
        case .isCredentialSet(let context, let kind):
            encoder.put(context)
            encoder.put(kind)
        case .add(let item): encoder.put(item)
        case .find(let query), .remove(let query): encoder.put(query)
        case .readAudit(let scope, let place):
            encoder.put(scope)
            encoder.put(place)
        case .verifyAudit(let scope): encoder.put(scope)
        case .makeKey(let key): encoder.put(key)
        case .keepKey(let sealed, let attributes):
            encoder.put(sealed)
            encoder.put(attributes)
        case .readKey(let sealed): encoder.put(sealed)
        case .useKey(let use): encoder.put(use)
        case .signStatement(let use): encoder.put(use)
        case .allow(let allowance, let isAllowed):
            encoder.put(allowance)
            encoder.put(isAllowed)
        case .enroll(let finger): encoder.put(finger)
        case .forgetFinger(let finger): encoder.put(finger) { $0.put($1) }
        case .judgeApp(let app, let wish, let verdict):
            encoder.put(app)
            encoder.put(wish)
            encoder.put(verdict) { $0.put($1) }
        case .update(let query, let change):
            encoder.put(query)
            encoder.put(change)
        case .beginImport(let head, let passphrase, let replaces, let countsOnly):
            encoder.put(head)
            encoder.put(passphrase)
            encoder.put(replaces)
            encoder.put(countsOnly)
        case .importChunk(let box, let isLast):
            encoder.put(box)
            encoder.put(isLast)
        case .offerPasscode(let uid, let password, let isNew):
            encoder.put(uid)
            encoder.put(password)
            encoder.put(isNew)
        case .status, .watchEnvironment, .setPasscode, .useAccountPassword, .removePasscode, .makeRecoveryCode, .listApps,
            .listFingers, .exportChunk, .cancelled, .fallback, .shown, .dismissProgram:
            break
        case .here(let acts): encoder.put(acts)
        }
        return EncodedFrame(encoder)
    }

    /// Reads a frame, its length already taken off.
    public static func read(_ body: SecretBytes) throws(Refusal) -> (call: UInt32, request: Request) {
        var decoder = Decoder(body, from: 0)
        guard let kind = Kind(rawValue: try decoder.u8()) else { throw .unknownKind }
        let call = try decoder.u32()
        let request: Request =
            switch kind {
            case .hello: .hello(try decoder.value())
            case .echo: .echo(try decoder.secret())
            case .status: .status
            case .capability: .capability(context: try decoder.u64(), policy: try decoder.u8())
            case .evaluate: .evaluate(try decoder.value())
            case .invalidate: .invalidate(context: try decoder.u64())
            case .release: .release(context: try decoder.u64())
            case .promptUnavailable: .promptUnavailable(ticket: try decoder.bytes())
            case .setCredential:
                .setCredential(
                    context: try decoder.u64(), kind: try decoder.u8(),
                    try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.secret() })
            case .isCredentialSet: .isCredentialSet(context: try decoder.u64(), kind: try decoder.u8())
            case .watchEnvironment: .watchEnvironment
            case .add: .add(try decoder.value())
            case .find: .find(try decoder.value())
            case .update: .update(try decoder.value(), try decoder.value())
            case .remove: .remove(try decoder.value())
            case .setPasscode: .setPasscode
            case .removePasscode: .removePasscode
            case .makeRecoveryCode: .makeRecoveryCode
            case .recover: .recover(try decoder.secret())
            case .useAccountPassword: .useAccountPassword
            case .listApps: .listApps
            case .judgeApp:
                .judgeApp(
                    try decoder.value(), try decoder.value(),
                    try decoder.optional { (decoder: inout Decoder) throws(Refusal) in
                        let verdict = try decoder.choice(AppVerdict.self)
                        // Nobody says this: it is what the daemon notes by itself.
                        if verdict == .noted { throw .malformed }
                        return verdict
                    })
            case .readAudit: .readAudit(try decoder.choice(), from: try decoder.u64())
            case .verifyAudit: .verifyAudit(try decoder.choice())
            case .beginExport: .beginExport(passphrase: try decoder.secret())
            case .exportChunk: .exportChunk
            case .beginImport:
                .beginImport(
                    head: try decoder.bytes(), passphrase: try decoder.secret(), replaces: try decoder.bool(),
                    countsOnly: try decoder.bool())
            case .importChunk: .importChunk(box: try decoder.bytes(), isLast: try decoder.bool())
            case .makeKey: .makeKey(try decoder.value())
            case .keepKey: .keepKey(detached: try decoder.bytes(), try decoder.attributes())
            case .readKey: .readKey(detached: try decoder.bytes())
            case .useKey: .useKey(try decoder.value())
            case .signStatement: .signStatement(try decoder.value())
            case .allow: .allow(try decoder.choice(), try decoder.bool())
            case .listFingers: .listFingers
            case .enroll: .enroll(try decoder.choice())
            case .forgetFinger:
                .forgetFinger(
                    try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.choice(Finger.self) })
            case .typed: .typed(try decoder.secret())
            case .cancelled: .cancelled
            case .fallback: .fallback
            case .shown: .shown
            case .here: .here(acts: try decoder.bool())
            case .dismissProgram: .dismissProgram
            case .offerPasscode:
                .offerPasscode(uid: try decoder.u32(), try decoder.secret(), isNew: try decoder.bool())
            }
        try decoder.finish()
        return (call, request)
    }

    private enum Kind: UInt8 {
        case hello = 1, echo = 2, status = 3
        case capability = 10, evaluate = 11, invalidate = 13, release = 14, promptUnavailable = 15
        case setCredential = 16, isCredentialSet = 17, watchEnvironment = 18
        case add = 20, find = 21, update = 22, remove = 23
        case setPasscode = 30, removePasscode = 31, makeRecoveryCode = 32, recover = 33, listApps = 34, judgeApp = 35
        case useAccountPassword = 36
        case readAudit = 40, verifyAudit = 41
        case beginExport = 70, exportChunk = 71, beginImport = 72, importChunk = 73
        case makeKey = 50, keepKey = 51, readKey = 52, useKey = 53, allow = 54, signStatement = 55
        case listFingers = 56, enroll = 57, forgetFinger = 58
        case typed = 60, cancelled = 61, fallback = 62, offerPasscode = 63
        case shown = 64, here = 65, dismissProgram = 66
    }

    private var kind: Kind {
        switch self {
        case .hello: .hello
        case .echo: .echo
        case .status: .status
        case .capability: .capability
        case .evaluate: .evaluate
        case .invalidate: .invalidate
        case .release: .release
        case .promptUnavailable: .promptUnavailable
        case .setCredential: .setCredential
        case .isCredentialSet: .isCredentialSet
        case .watchEnvironment: .watchEnvironment
        case .add: .add
        case .find: .find
        case .update: .update
        case .remove: .remove
        case .setPasscode: .setPasscode
        case .removePasscode: .removePasscode
        case .makeRecoveryCode: .makeRecoveryCode
        case .recover: .recover
        case .useAccountPassword: .useAccountPassword
        case .listApps: .listApps
        case .judgeApp: .judgeApp
        case .readAudit: .readAudit
        case .verifyAudit: .verifyAudit
        case .beginExport: .beginExport
        case .exportChunk: .exportChunk
        case .beginImport: .beginImport
        case .importChunk: .importChunk
        case .makeKey: .makeKey
        case .keepKey: .keepKey
        case .readKey: .readKey
        case .useKey: .useKey
        case .signStatement: .signStatement
        case .allow: .allow
        case .listFingers: .listFingers
        case .enroll: .enroll
        case .forgetFinger: .forgetFinger
        case .typed: .typed
        case .cancelled: .cancelled
        case .fallback: .fallback
        case .shown: .shown
        case .here: .here
        case .dismissProgram: .dismissProgram
        case .offerPasscode: .offerPasscode
        }
    }
}

extension Hello: WireValue {
    func encode(to encoder: inout Encoder) {
        encoder.put(lowestVersion)
        encoder.put(highestVersion)
        encoder.put(role)
        encoder.put(label) { $0.put($1) }
        encoder.put(faceUsage) { $0.put($1) }
        encoder.put(ticket) { $0.put($1) }
        encoder.put(surface) { $0.put($1) }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        lowestVersion = try decoder.u16()
        highestVersion = try decoder.u16()
        role = try decoder.choice()
        label = try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.text() }
        faceUsage = try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.text() }
        ticket = try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.bytes() }
        surface = try decoder.optional { (decoder: inout Decoder) throws(Refusal) in try decoder.value(PromptSurface.self) }
        guard lowestVersion <= highestVersion, (label?.utf8.count ?? 0) <= WireLimit.labelBytes,
            (faceUsage?.utf8.count ?? 0) <= WireLimit.faceUsageBytes
        else { throw .malformed }
    }
}

extension PromptSurface: WireValue {
    func encode(to encoder: inout Encoder) {
        switch self {
        case .terminal: encoder.put(UInt8(1))
        case .x11(let display):
            encoder.put(UInt8(2))
            encoder.put(display)
        case .wayland(let compositor):
            encoder.put(UInt8(3))
            encoder.put(UInt32(bitPattern: compositor))
        }
    }

    init(from decoder: inout Decoder) throws(Refusal) {
        switch try decoder.u8() {
        case 1: self = .terminal
        case 2:
            let display = try decoder.text()
            guard display.utf8.count <= WireLimit.displayBytes else { throw .malformed }
            self = .x11(display: display)
        case 3: self = .wayland(compositor: Int32(bitPattern: try decoder.u32()))
        default: throw .malformed
        }
    }
}
