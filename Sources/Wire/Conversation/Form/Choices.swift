public import ThumbAccess

// Our lists whose entries are numbers on the wire; docs/PROTOCOL.md has them.

extension Accessibility: WireChoice {}
extension AccountVerdict: WireChoice {}
extension Allowance: WireChoice {}
extension AppVerdict: WireChoice {}
extension AuditEvent: WireChoice {}
extension AuditRing: WireChoice {}
extension AuditScope: WireChoice {}
extension BiometryKind: WireChoice {}
extension BiometryLevel: WireChoice {}
extension CallerClass: WireChoice {}
extension Custodian: WireChoice {}
extension DeviceMode: WireChoice {}
extension EnrollingFailure: WireChoice {}
extension EvaluationFailure: WireChoice {}
extension Factor: WireChoice {}
extension Finger: WireChoice {}
extension HashFunction: WireChoice {}
extension ItemClass: WireChoice {}
extension PasscodeSource: WireChoice {}
extension PairingSide: WireChoice {}
extension Policy: WireChoice {}
extension ProgramPlace: WireChoice {}
extension PromptPermission: WireChoice {}
extension PromptPurpose: WireChoice {}
extension Readability: WireChoice {}
extension RetryHint: WireChoice {}
extension RuleOperation: WireChoice {}
extension SensorHindrance: WireChoice {}
extension SealGuard: WireChoice {}
extension SessionEvent: WireChoice {}
extension StatementPurpose: WireChoice {}
extension StayingBehind: WireChoice {}
extension SyncFilter: WireChoice {}
