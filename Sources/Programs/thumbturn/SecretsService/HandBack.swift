import ThumbAccess

/// Giving the passwords of other programs back to whoever kept them before.
struct HandBack {
    private let folders: UserFolders
    private let takesItems: Bool
    private let portal: String

    init(takesItems: Bool) throws(Failure) {
        guard let folders = UserFolders() else { throw .secretsService(.noHome) }
        self.folders = folders
        self.takesItems = takesItems
        portal = folders.activation(KeyringProgram.ours)
    }

    func perform() throws(Failure) -> Outcome {
        let former = try former()
        // What starts our provider for its own name goes last: items may have to be fetched from it.
        try undo { !$0.isLink(at: portal) }
        if case .ours = try KeyringProgram.who() { try end() }
        try startFormer(former)
        let someone = try startOther()
        var tally = KeyringProgram.Tally()
        if takesItems {
            guard someone else { throw .noSecretService }
            try startOurs()
            tally = try KeyringProgram.move(from: KeyringProgram.ours, to: KeyringProgram.service)
            try end()
        }
        try undo { _ in true }
        // The bus reads its files once more.
        _ = try startOther()
        return outcome(tally, try KeyringProgram.who())
    }

    /// Who answered before Thumbturn.
    private func former() throws(Failure) -> Keyring? {
        do throws(SecretsServiceFailure) {
            return try ChangeRecord(folders).former
        } catch {
            throw .secretsService(error)
        }
    }

    /// Starts the keyring that answered before by its own names, because the bus may know another one by the service's name. If it runs, it
    /// reads its settings only when it starts anew.
    private func startFormer(_ former: Keyring?) throws(Failure) {
        for name in former?.names ?? [] where folders.activationFile(name) != nil {
            guard case .nobody = try KeyringProgram.who() else { return }
            try KeyringProgram.restart(name)
        }
    }

    private func undo(_ isWanted: (Change) -> Bool) throws(Failure) {
        do throws(SecretsServiceFailure) {
            var record = try ChangeRecord(folders)
            for entry in record.entries.reversed() where isWanted(entry.change) {
                try entry.change.undo(before: entry.before)
                try record.forget(entry)
            }
            try UserManager.reload()
        } catch {
            throw .secretsService(error)
        }
    }

    private func end() throws(Failure) {
        do throws(SecretsServiceFailure) {
            try UserManager.stop(["thumbturn-secrets.service"].filter(UserFolders.hasUnit))
        } catch {
            throw .secretsService(error)
        }
        try KeyringProgram.end(KeyringProgram.ours)
    }

    private func startOurs() throws(Failure) {
        do throws(Failure) {
            try KeyringProgram.start(KeyringProgram.ours)
        } catch .noSecretService {
            throw .secretsService(.notStarted)
        }
    }

    /// Whether somebody answers now.
    private func startOther() throws(Failure) -> Bool {
        do throws(Failure) {
            try KeyringProgram.start(KeyringProgram.service)
            return true
        } catch .noSecretService {
            return false
        }
    }

    private func outcome(_ tally: KeyringProgram.Tally, _ answering: KeyringProgram.Answering) -> Outcome {
        var said: [Notice] = tally.moved > 0 ? [.broughtOver(UInt64(tally.moved))] : []
        if !tally.left.isEmpty { said.append(.leftOut(tally.left.count)) }
        let left = tally.left.map { "  '\(SafeText($0.label, limit: 60))': \($0.reason)" }
        return Outcome(
            lines: said.map(\.text) + left + [
                Notice.secretsServiceIsOff.text, SecretsServiceStatus.notice(answering, isOn: false).text,
            ],
            json: .object([
                ("isOn", .flag(false)), ("moved", .number(Int64(tally.moved))),
                ("left", .list(tally.left.map { .object([("label", .text($0.label)), ("reason", .text($0.reason))]) })),
                ("answering", SecretsServiceStatus.json(answering)),
            ]), asides: takesItems ? [] : [.itemsStay])
    }
}
