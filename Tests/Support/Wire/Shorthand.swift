public import ThumbAccess
public import ThumbConversation
public import ThumbSecrets

// Words as tests say them: `peer.send(.status)`.

extension Word where Self == Echo {
    public static func echo(_ bytes: SecretBytes) -> Self { Echo(bytes) }
}
extension Word where Self == GetStatus {
    public static var status: Self { GetStatus() }
}
extension Word where Self == Hello {
    public static func hello(_ hello: Hello) -> Self { hello }
}
extension Word where Self == GetCapability {
    public static func capability(context: UInt64, policy: UInt8) -> Self { GetCapability(policy, context: context) }
}
extension Word where Self == Evaluate {
    public static func evaluate(_ request: EvaluationRequest) -> Self { Evaluate(request) }
}
extension Word where Self == Invalidate {
    public static func invalidate(context: UInt64) -> Self { Invalidate(context: context) }
}
extension Word where Self == Release {
    public static func release(context: UInt64) -> Self { Release(context: context) }
}
extension Word where Self == PromptUnavailable {
    public static func promptUnavailable(ticket: [UInt8]) -> Self { PromptUnavailable(ticket: ticket) }
}
extension Word where Self == SetCredential {
    public static func setCredential(context: UInt64, kind: UInt8, _ secret: SecretBytes?) -> Self {
        SetCredential(kind, secret, context: context)
    }
}
extension Word where Self == IsCredentialSet {
    public static func isCredentialSet(context: UInt64, kind: UInt8) -> Self { IsCredentialSet(kind, context: context) }
}
extension Word where Self == WatchSession {
    public static var watchSession: Self { WatchSession() }
}
extension Word where Self == WatchEnvironment {
    public static var watchEnvironment: Self { WatchEnvironment() }
}
extension Word where Self == AddItem {
    public static func add(_ item: NewItem) -> Self { AddItem(item) }
}
extension Word where Self == FindItems {
    public static func find(_ query: Query) -> Self { FindItems(query) }
}
extension Word where Self == UpdateItems {
    public static func update(_ query: Query, _ change: ItemChange) -> Self { UpdateItems(query, change) }
}
extension Word where Self == RemoveItems {
    public static func remove(_ query: Query) -> Self { RemoveItems(query) }
}
extension Word where Self == SetPasscode {
    public static var setPasscode: Self { SetPasscode() }
}
extension Word where Self == RemovePasscode {
    public static var removePasscode: Self { RemovePasscode() }
}
extension Word where Self == MakeRecoveryCode {
    public static var makeRecoveryCode: Self { MakeRecoveryCode() }
}
extension Word where Self == Recover {
    public static func recover(_ code: SecretBytes) -> Self { Recover(code) }
}
extension Word where Self == UseAccountPassword {
    public static var useAccountPassword: Self { UseAccountPassword() }
}
extension Word where Self == ListApps {
    public static var listApps: Self { ListApps() }
}
extension Word where Self == JudgeApp {
    public static func judgeApp(_ app: ExactName, _ wish: AppWish, _ verdict: AppVerdict?) -> Self {
        JudgeApp(app, wish, verdict)
    }
}
extension Word where Self == ReadAudit {
    public static func readAudit(_ scope: AuditScope, from place: UInt64) -> Self { ReadAudit(scope, from: place) }
}
extension Word where Self == VerifyAudit {
    public static func verifyAudit(_ scope: AuditScope) -> Self { VerifyAudit(scope) }
}
extension Word where Self == BeginExport {
    public static func beginExport(passphrase: SecretBytes) -> Self { BeginExport(passphrase: passphrase) }
}
extension Word where Self == ExportChunk {
    public static var exportChunk: Self { ExportChunk() }
}
extension Word where Self == BeginImport {
    public static func beginImport(head: [UInt8], passphrase: SecretBytes, replaces: Bool, countsOnly: Bool) -> Self {
        BeginImport(head: head, passphrase: passphrase, replaces: replaces, countsOnly: countsOnly)
    }
}
extension Word where Self == ImportChunk {
    public static func importChunk(box: [UInt8], isLast: Bool) -> Self { ImportChunk(box: box, isLastChunk: isLast) }
}
extension Word where Self == MakeKey {
    public static func makeKey(_ key: NewKey) -> Self { MakeKey(key) }
}
extension Word where Self == KeepKey {
    public static func keepKey(detached: [UInt8], _ attributes: Attributes) -> Self { KeepKey(detached, attributes) }
}
extension Word where Self == ReadKey {
    public static func readKey(detached: [UInt8]) -> Self { ReadKey(detached) }
}
extension Word where Self == UseKey {
    public static func useKey(_ use: KeyUse) -> Self { UseKey(use) }
}
extension Word where Self == SignStatement {
    public static func signStatement(_ use: StatementUse) -> Self { SignStatement(use) }
}
extension Word where Self == Allow {
    public static func allow(_ allowance: Allowance, _ isAllowed: Bool) -> Self { Allow(allowance, isAllowed) }
}
extension Word where Self == ListFingers {
    public static var listFingers: Self { ListFingers() }
}
extension Word where Self == EnrollFinger {
    public static func enroll(_ finger: Finger) -> Self { EnrollFinger(finger) }
}
extension Word where Self == ForgetFinger {
    public static func forgetFinger(_ finger: Finger?) -> Self { ForgetFinger(finger) }
}
extension Word where Self == Typed {
    public static func typed(_ passcode: SecretBytes) -> Self { Typed(passcode) }
}
extension Word where Self == Cancelled {
    public static var cancelled: Self { Cancelled() }
}
extension Word where Self == Fallback {
    public static var fallback: Self { Fallback() }
}
extension Word where Self == Shown {
    public static var shown: Self { Shown() }
}
extension Word where Self == Here {
    public static func here(acts: Bool) -> Self { Here(acts: acts) }
}
extension Word where Self == DismissProgram {
    public static var dismissProgram: Self { DismissProgram() }
}
extension Word where Self == OfferPasscode {
    public static func offerPasscode(uid: UInt32, _ password: SecretBytes, isNew: Bool) -> Self {
        OfferPasscode(uid: uid, password, isNew: isNew)
    }
}
extension Word where Self == CheckPassword {
    public static func check(uid: UInt32, _ password: SecretBytes) -> Self { CheckPassword(uid: uid, password) }
}
extension Word where Self == Look {
    public static func look(uid: UInt32) -> Self { Look(uid: uid) }
}
extension Word where Self == HelperReply {
    public static func reply(_ typed: SecretBytes) -> Self { HelperReply(typed) }
}
