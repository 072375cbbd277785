public import ThumbAccess
internal import ThumbConversation
public import ThumbSecrets

// The keychain and the passcode: blocking, on the caller's thread.
extension DeviceClient {
    /// Adds an item. `.deviceUnreachable` when no daemon answers, which says nothing about whether it was stored.
    public func add(_ item: NewItem) throws(KeychainFailure) -> FoundItem {
        let items = try collect(.add(item))
        guard let first = items.first else { throw .internalFailure }
        return first
    }

    /// What a query matches; never empty, `.itemNotFound` instead.
    public func find(_ query: Query) throws(KeychainFailure) -> [FoundItem] {
        let items = try collect(.find(query))
        guard !items.isEmpty else { throw .itemNotFound }
        return items
    }

    public func update(_ query: Query, with change: ItemChange) throws(KeychainFailure) {
        _ = try collect(.update(query, change))
    }

    public func remove(_ query: Query) throws(KeychainFailure) { _ = try collect(.remove(query)) }

    /// Chooses or changes the device's passcode; the prompt asks for the old one and the new.
    public func setPasscode() throws(KeychainFailure) { _ = try collect(.setPasscode) }

    /// Has the owner asked for the passcode, if there is one, and for the account's password, which is the passcode from then on.
    ///
    /// `.unsupported` where nobody can judge it.
    public func useAccountPassword() throws(KeychainFailure) { _ = try collect(.useAccountPassword) }

    public func removePasscode() throws(KeychainFailure) { _ = try collect(.removePasscode) }

    /// A recovery code for the owner to write down; an earlier one is void from then on.
    public func makeRecoveryCode() throws(KeychainFailure) -> SecretBytes {
        try settle { () throws(ClientError) in
            try ask(.makeRecoveryCode) {
                switch $0 {
                case .secret(let code): Result<SecretBytes, KeychainFailure>.success(code)
                case .failed(let failure): .failure(failure)
                default: nil
                }
            }
        }
    }

    /// Opens the keybag with the recovery code and has a new passcode chosen.
    public func recover(with code: SecretBytes) throws(KeychainFailure) { _ = try collect(.recover(code)) }

    /// The apps the owner has decided about.
    public func apps() throws(KeychainFailure) -> [KnownApp] {
        try settle { () throws(ClientError) in
            try ask(.listApps) {
                switch $0 {
                case .apps(let apps): Result<[KnownApp], KeychainFailure>.success(apps)
                case .failed(let failure): .failure(failure)
                default: nil
                }
            }
        }
    }

    /// Changes the word about an app's wish, after the owner's passcode; nil forgets it.
    public func judge(_ app: ExactName, _ verdict: AppVerdict?, on wish: AppWish = .face) throws(KeychainFailure) {
        _ = try collect(.judgeApp(app, wish, verdict))
    }

    /// What happened, chain by chain: what this program did, or, where the owner allows it, what every program did.
    public func audit(_ scope: AuditScope, _ body: ([AuditRecord]) -> Void) throws(KeychainFailure) {
        var place: UInt64? = 0
        while let from = place {
            let page = try auditPage(scope, from: from)
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

    private func auditPage(_ scope: AuditScope, from place: UInt64) throws(KeychainFailure) -> AuditAnswer {
        try settle { () throws(ClientError) in
            try ask(.readAudit(scope, from: place)) {
                switch $0 {
                case .audit(let page): Result<AuditAnswer, KeychainFailure>.success(page)
                case .failed(let failure): .failure(failure)
                default: nil
                }
            }
        }
    }

    /// Whether what happened is all still there as it was written, and what there was no room for.
    public func verifyAudit(_ scope: AuditScope = .own) throws(KeychainFailure) -> AuditReport {
        try settle { () throws(ClientError) in
            try ask(.verifyAudit(scope)) {
                switch $0 {
                case .auditReport(let report): Result<AuditReport, KeychainFailure>.success(report)
                case .failed(let failure): .failure(failure)
                default: nil
                }
            }
        }
    }

    private func collect(_ request: Request) throws(KeychainFailure) -> [FoundItem] {
        var items: [FoundItem] = []
        return try settle { () throws(ClientError) in
            try ask(request) {
                switch $0 {
                case .page(let page, let isLast):
                    items += page
                    return isLast ? Result<[FoundItem], KeychainFailure>.success(items) : nil
                case .done: return .success([])
                case .failed(let failure): return .failure(failure)
                default: return nil
                }
            }
        }
    }

    func settle<Value>(
        _ body: () throws(ClientError) -> Result<Value, KeychainFailure>
    ) throws(KeychainFailure) -> Value {
        let result: Result<Value, KeychainFailure>
        do {
            result = try body()
        } catch {
            throw error.keychainFailure
        }
        return try result.get()
    }
}

extension ClientError {
    /// The same, in the keychain's words.
    var keychainFailure: KeychainFailure {
        switch code {
        case .refused(.tooLarge): .dataTooLarge
        case .refused(.noRoom): .outOfMemory
        case .refused(.malformed): .parameter
        case .refused(.storeUnavailable), .refused(.oldCopy), .refused(.storeIncomplete): .storeUnavailable
        case .refused(.custodianUnavailable): .custodianAbsent
        case .notFound, .connectionLost, .impostor, .protocolBroken, .refused: .deviceUnreachable
        }
    }
}
