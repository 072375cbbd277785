import CThumbLinux
import ThumbAccess
import ThumbClient
import ThumbProtectedPrograms

/// Taking the passwords of other programs over from whoever keeps them. Each step can be made again after a failure, and nothing is removed
/// that belongs to the other keyring.
struct TakeOver {
    private let folders: UserFolders
    private let files: InstalledFiles
    private let leavesItems: Bool
    private let isSure: Bool

    init(leavesItems: Bool, isSure: Bool) throws(Failure) {
        guard let folders = UserFolders() else { throw .secretsService(.noHome) }
        self.folders = folders
        files = try InstalledFiles()
        (self.leavesItems, self.isSure) = (leavesItems, isSure)
    }

    /// The link by which the bus starts the provider for its own name. With it alone, nothing is taken from anybody yet.
    private var first: Change { .link(folders.activation(KeyringProgram.ours), to: files.file("\(KeyringProgram.ours).service")) }
    private var name: Change {
        .link(folders.activation(KeyringProgram.service), to: files.file("\(KeyringProgram.service).service"))
    }

    /// Whether the bus would start our provider for the name of the Secret Service.
    var isOn: Bool { name.isMade }

    func perform() throws(Failure) -> Outcome {
        try check(try Daemon.statusWithPasscode())
        let answering = try KeyringProgram.who()
        let old = try keyring(answering)
        let changes = [first, name] + others(old)
        if !isSure, !changes.allSatisfy(\.isMade) || old != nil {
            for change in changes where !change.isMade { Output.say("  \(change.words)") }
            if let old, !leavesItems { Output.say("  copy the items of \(old.name)") }
            if let old { Output.say("  end \(old.name)") }
            try Confirmation.ask(.takesOver(from: old?.name))
        }
        return try perform(changes, old)
    }

    private func perform(_ changes: [Change], _ old: Keyring?) throws(Failure) -> Outcome {
        var tally = KeyringProgram.Tally()
        do throws(SecretsServiceFailure) {
            var record = try ChangeRecord(folders)
            try record.note(changes, before: old)
            try first.make(replacing: true)
        } catch {
            throw .secretsService(error)
        }
        if old != nil, !leavesItems {
            try startBeside()
            tally = try KeyringProgram.move(from: KeyringProgram.service, to: KeyringProgram.ours)
            if !tally.left.isEmpty, !isSure {
                for item in tally.left { Output.say("  '\(SafeText(item.label, limit: 60))': \(item.reason)") }
                try Confirmation.ask(.keepsBehind(tally.left.count))
            }
        }
        do throws(SecretsServiceFailure) {
            let record = try ChangeRecord(folders)
            for change in changes.dropFirst() { try change.make(replacing: record.isOurs(change)) }
            try UserManager.reload()
        } catch {
            throw .secretsService(error)
        }
        if let old {
            // What was stored there meanwhile.
            if !leavesItems {
                let late = try KeyringProgram.move(from: KeyringProgram.service, to: KeyringProgram.ours, isShown: false)
                // What couldn't be copied before is tried again, so the second list is the whole one.
                (tally.moved, tally.left) = (tally.moved + late.moved, late.left)
            }
            try end(old)
        }
        try start()
        return outcome(tally)
    }

    /// Has the provider run while the other one still answers.
    private func startBeside() throws(Failure) {
        do throws(Failure) {
            try KeyringProgram.start(KeyringProgram.ours)
        } catch .noSecretService {
            throw .secretsService(.notStarted)
        }
    }

    private func end(_ old: Keyring) throws(Failure) {
        do throws(SecretsServiceFailure) {
            try UserManager.stop(old.units.filter(UserFolders.hasUnit))
        } catch {
            throw .secretsService(error)
        }
        // As a unit it has ended already. Then the name is ours, or nobody's.
        if case .other = try KeyringProgram.who() { try KeyringProgram.end(KeyringProgram.service) }
    }

    private func start() throws(Failure) {
        do throws(Failure) {
            try KeyringProgram.start(KeyringProgram.service)
        } catch .noSecretService {
            throw .secretsService(.notStarted)
        }
        switch try KeyringProgram.who() {
        case .ours: return
        case .nobody: throw .secretsService(.notAnswering(nil))
        case .other(let name): throw .secretsService(.notAnswering(name))
        }
    }

    // MARK: What there is

    /// In system mode the daemon believes what the provider says about others only if root vouches for it.
    private func check(_ status: DeviceStatus) throws(Failure) {
        guard status.mode == .system else { return }
        let programs: [(program: ProtectedProgram, isInForce: Bool)]
        do throws(ProtectionFailure) {
            programs = try Protecting.list(on: Machine(root: nil, run: Tool.run))
        } catch {
            throw .protection(error)
        }
        guard programs.contains(where: { $0.program.name == "secrets" && $0.isInForce }) else {
            throw .secretsService(.notProtected)
        }
    }

    /// The keyring that answers now; nil if nobody does, or Thumbturn.
    private func keyring(_ answering: KeyringProgram.Answering) throws(Failure) -> Keyring? {
        switch answering {
        case .nobody, .ours: return nil
        case .other(let process):
            guard let keyring = Keyring(process: process) else { throw .secretsService(.unknownKeyring(process)) }
            guard keyring.mayBeEnded else { throw .secretsService(.visibleKeyring(keyring.name)) }
            return keyring
        }
    }

    /// What keeps every keyring of this machine's from answering, whether it does now or not.
    private func others(_ old: Keyring?) -> [Change] {
        Keyring.allCases.filter { $0 != .kwallet || old == .kwallet || hasKWallet }.flatMap { $0.changes(folders, files) }
    }

    private var hasKWallet: Bool {
        Keyring.kwallet.names.contains { folders.activationFile($0) != nil }
    }

    private func outcome(_ tally: KeyringProgram.Tally) -> Outcome {
        var said: [Notice] = tally.moved > 0 ? [.broughtOver(UInt64(tally.moved))] : []
        if !tally.left.isEmpty { said.append(.leftOut(tally.left.count)) }
        let lines = said.map(\.text) + tally.left.map { "  '\(SafeText($0.label, limit: 60))': \($0.reason)" }
        return Outcome(
            lines: lines + [Notice.secretsServiceIsOn.text],
            json: .object([
                ("isOn", .flag(true)), ("moved", .number(Int64(tally.moved))),
                ("left", .list(tally.left.map { .object([("label", .text($0.label)), ("reason", .text($0.reason))]) })),
            ]), asides: [.goBack])
    }
}
