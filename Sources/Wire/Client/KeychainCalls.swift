public import ThumbAccess
import ThumbConversation
public import ThumbSecrets

// The keychain, the passcode, and what happened: blocking, on the caller's thread.
extension DeviceClient {
    /// Sends bytes there and back, which shows the least that a call costs.
    public func echo(_ bytes: SecretBytes) throws(ClientError) -> SecretBytes { try call(Echo(bytes)).bytes }

    /// The same, answered as an evaluation is: `reply` is called once, mostly on the loop.
    public func echo(_ bytes: SecretBytes, reply: @escaping @Sendable (Result<SecretBytes, ClientError>) -> Void)
        throws(ClientError)
    {
        let connection = try connected()
        try connection.start(Echo(bytes)) { answer in
            do throws(ClientError) {
                let frame = try answer.get()
                reply(.success(try connection.read { () throws(Refusal) in try frame.word(Echoed.self).bytes }))
            } catch {
                reply(.failure(error))
            }
            return .finished
        }
    }

    /// The device's status.
    public func status() throws(ClientError) -> DeviceStatus { try call(GetStatus()) }

    /// Adds an item. `.deviceUnreachable` means that no daemon answered, which says nothing about whether the item was stored.
    public func add(_ item: NewItem) throws(KeychainFailure) -> FoundItem {
        guard let added = try call(AddItem(item)).items.first else { throw .internalFailure }
        return added
    }

    /// Adds an item in the place of the one with its name, if there is one: both or neither, and without reading that one.
    public func put(_ item: NewItem) throws(KeychainFailure) -> FoundItem {
        guard let added = try call(PutItem(item)).items.first else { throw .internalFailure }
        return added
    }

    /// The items that a query matches. Never empty: without a match it fails with `.itemNotFound`.
    public func find(_ query: Query) throws(KeychainFailure) -> [FoundItem] {
        do throws(ReleaseFailure) {
            return try release(query)
        } catch {
            throw error.keychainFailure
        }
    }

    /// The same, but if the owner was asked in vain it fails with how that ended.
    public func release(_ query: Query) throws(ReleaseFailure) -> [FoundItem] {
        var items: [FoundItem] = []
        try call(FindItems(query)) { items += $0.items }
        guard !items.isEmpty else { throw .keychain(.itemNotFound) }
        return items
    }

    /// Changes the items that a query matches.
    public func update(_ query: Query, with change: ItemChange) throws(KeychainFailure) {
        do throws(ReleaseFailure) {
            try self.change(query, to: change)
        } catch {
            throw error.keychainFailure
        }
    }

    /// The same, but if the owner was asked in vain it fails with how that ended.
    public func change(_ query: Query, to change: ItemChange) throws(ReleaseFailure) {
        _ = try call(UpdateItems(query, change))
    }

    /// Removes the items that a query matches.
    public func remove(_ query: Query) throws(KeychainFailure) { _ = try call(RemoveItems(query)) }

    // MARK: The passcode

    /// Chooses or changes the device's passcode; the prompt asks for the old one and the new.
    public func setPasscode() throws(KeychainFailure) { _ = try call(SetPasscode()) }

    /// Asks the owner for the passcode, if there is one, and for the account's password, which is the passcode from then on.
    ///
    /// Fails with `.unsupported` if nobody can check that password.
    public func useAccountPassword() throws(KeychainFailure) { _ = try call(UseAccountPassword()) }

    /// What `removePasscode` would remove and close. Asks nobody. Fails with `.itemNotFound` if no passcode is set.
    public func countBehindPasscode() throws(KeychainFailure) -> PasscodeHold { try call(CountBehindPasscode()) }

    /// Removes the passcode, and every item of the class that lives only while one is set.
    public func removePasscode() throws(KeychainFailure) { _ = try call(RemovePasscode()) }

    /// Makes a recovery code for the owner to write down. An earlier code is void from then on.
    public func makeRecoveryCode() throws(KeychainFailure) -> SecretBytes { try call(MakeRecoveryCode()).code }

    /// Opens the keybag with the recovery code and has a new passcode chosen.
    public func recover(with code: SecretBytes) throws(KeychainFailure) { _ = try call(Recover(code)) }

    // MARK: The owner's word

    /// The apps the owner has decided about.
    public func apps() throws(KeychainFailure) -> [KnownApp] { try call(ListApps()).apps }

    /// Changes the owner's decision about an app's wish, after the owner's passcode; nil forgets the decision.
    public func judge(_ app: ExactName, _ verdict: AppVerdict?, on wish: AppWish = .face) throws(KeychainFailure) {
        _ = try call(JudgeApp(app, wish, verdict))
    }

    /// Allows the device something that protects less, or forbids it again. Needs the owner's passcode.
    public func allow(_ allowance: Allowance, _ isAllowed: Bool) throws(KeychainFailure) {
        _ = try call(Allow(allowance, isAllowed))
    }

    // MARK: What happened

    /// The audit, chain by chain: what this program did or, if the owner allows it, what every program did.
    public func audit(_ scope: AuditScope, _ body: ([AuditRecord]) -> Void) throws(KeychainFailure) {
        var place: UInt64? = 0
        while let from = place {
            let page = try call(ReadAudit(scope, from: from))
            body(page.records)
            place = page.next
        }
    }

    /// All of it at once.
    public func audit(_ scope: AuditScope = .own) throws(KeychainFailure) -> [AuditRecord] {
        var records: [AuditRecord] = []
        try audit(scope) { records += $0 }
        return records
    }

    /// Checks that the audit is complete and unaltered, and reports what there was no room for.
    public func verifyAudit(_ scope: AuditScope = .own) throws(KeychainFailure) -> AuditReport { try call(VerifyAudit(scope)) }
}
