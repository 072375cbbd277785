public import ThumbAccess
public import ThumbAuthentication
public import ThumbCompanion
public import ThumbKeychain
public import ThumbSecrets

extension Device {
    /// The parts that a device is made of.
    public struct Parts {
        public var mode: DeviceMode
        public var biometry: any Biometry
        /// Where fingers can be enrolled; nil if the sensor knows no fingers.
        public var fingers: (any FingerKeeper)?
        public var passcode: any Passcode
        /// Judges the account's password if that may be the passcode; nil if nobody does.
        public var account: (any AccountPassword)?
        public var prompts: any PromptSource
        /// Knows where the owner is, and whether a touch could be meant for a certain prompt.
        public var seat: any OwnerSeat
        public var ledger: any AttemptLedger
        public var clock: any HouseClock
        public var store: any ItemStore
        /// Keeps the owner's decisions, the makers of groups, and the allowances.
        public var tables: any HouseTables
        public var audit: any AuditTrail
        public var backups: any Backups
        /// Holds keys in software: those that may leave and, if allowed, those that belong into a TPM.
        public var software: any KeyCustodian
        /// Holds keys that never leave it; nil if there is no such part.
        public var enclave: (any KeyCustodian)?
        /// Makes an enrolment unrecognizable outside one app: the same app always sees the same state, another app sees another.
        public var blind: (_ enrolment: [UInt8], _ app: ExactName) -> [UInt8]
        /// Stretches an app's own password to a key, on another thread. nil if that can't begin, or if it fails.
        public var stretch: (_ password: SecretBytes) -> (@Sendable () -> SecretBytes?)?
        /// How many items there are and how many are damaged, for `doctor`.
        public var census: () -> StoreCensus
        /// Logs what an administrator should know, in our own words and never in a peer's.
        public var log: (String) -> Void

        /// A public key, X9.63 of P-256, as a SubjectPublicKeyInfo in DER; nil if it isn't one.
        public var spki: (_ publicKey: [UInt8]) -> [UInt8]?
        /// SHA-256; nil if it can't be calculated.
        public var sha256: (_ bytes: [UInt8]) -> [UInt8]?
        /// How frames to and from paired machines are sealed.
        public var crypto: any CompanionCrypto
        /// Scripted companions in place of those that are paired; nil: those that are paired.
        public var companions: (any Companions)?
        /// How much the store may hold.
        public var quota: StoreQuota
        /// Meters what the device's clients use.
        public var meter: Meter
        /// Where a process's user sits.
        public var place: (_ uid: UInt32, _ pid: Int32) -> CallerPlace

        public init(
            mode: DeviceMode,
            biometry: any Biometry,
            fingers: (any FingerKeeper)?,
            passcode: any Passcode,
            account: (any AccountPassword)?,
            prompts: any PromptSource,
            seat: any OwnerSeat,
            ledger: any AttemptLedger,
            clock: any HouseClock,
            store: any ItemStore,
            tables: any HouseTables,
            audit: any AuditTrail,
            backups: any Backups,
            software: any KeyCustodian,
            enclave: (any KeyCustodian)?,
            blind: @escaping (_ enrolment: [UInt8], _ app: ExactName) -> [UInt8],
            stretch: @escaping (_ password: SecretBytes) -> (@Sendable () -> SecretBytes?)?,
            census: @escaping () -> StoreCensus,
            log: @escaping (String) -> Void,
            spki: @escaping (_ publicKey: [UInt8]) -> [UInt8]?,
            sha256: @escaping (_ bytes: [UInt8]) -> [UInt8]?,
            crypto: any CompanionCrypto,
            companions: (any Companions)?,
            quota: StoreQuota,
            meter: Meter,
            place: @escaping (_ uid: UInt32, _ pid: Int32) -> CallerPlace
        ) {
            self.mode = mode
            self.biometry = biometry
            self.fingers = fingers
            self.passcode = passcode
            self.account = account
            self.prompts = prompts
            self.seat = seat
            self.ledger = ledger
            self.clock = clock
            self.store = store
            self.tables = tables
            self.audit = audit
            self.backups = backups
            self.software = software
            self.enclave = enclave
            self.blind = blind
            self.stretch = stretch
            self.census = census
            self.log = log
            self.spki = spki
            self.sha256 = sha256
            self.crypto = crypto
            self.companions = companions
            self.quota = quota
            self.meter = meter
            self.place = place
        }
    }
}

/// What is in the store, and what holds its keys.
public struct StoreCensus {
    public var items: UInt64
    public var quarantined: UInt64
    public var custodian: Custodian

    public init(items: UInt64, quarantined: UInt64, custodian: Custodian) {
        (self.items, self.quarantined, self.custodian) = (items, quarantined, custodian)
    }
}
