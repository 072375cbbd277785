import CThumbLinux
import ThumbBus
import ThumbLoop
import ThumbSystem

/// Who answers on the session bus, and how one of them is started and ended.
@OnLoop final class Providers {
    /// A name that only Thumbturn's provider has.
    static let ours = "org.freedesktop.impl.portal.desktop.thumbturn"
    private static let driver = "org.freedesktop.DBus"
    /// How many seconds the bus has to answer, and to start a program.
    private static let patience = 60.0
    /// How many seconds a provider has to end: it writes to the disk what it still has.
    private static let endPatience = 15.0
    /// How many seconds a keyring has to answer after its start, and how often that is looked at.
    private static let answerPatience = 10.0
    private static let look = 0.1

    private let bus: Bus

    init() throws(Failure) { bus = try SessionBus.connect() }

    /// Writes who has the name of the Secret Service. Nobody is started for it.
    func tell(_ records: RecordWriter) async throws(Failure) {
        guard let owner = try await owner(of: KeyringLink.service) else { return records.nobody() }
        let isOurs = try await self.owner(of: Self.ours) == owner
        let process: Int32
        do throws(BusError) { process = try await bus.credentials(of: owner).process } catch { throw .stopped }
        records.provider(Self.name(of: process), process: process, isOurs: isOurs)
    }

    /// Has the bus read its files again, and start the program for a name if nobody has it.
    func start(_ name: String) async throws(Failure) {
        do throws(BusError) {
            _ = try await ask("ReloadConfig", [])
        } catch {
            throw error.code == .disconnected ? .noBus : .stopped
        }
        do throws(BusError) {
            _ = try await ask("StartServiceByName", [.string(name), .uint32(0)])
        } catch {
            throw .noService
        }
    }

    /// Asks whoever has a name to end, and waits until they have. Nothing happens if nobody has it.
    func end(_ name: String) async throws(Failure) {
        guard let owner = try await owner(of: name) else { return }
        let gone = Departure(owner)
        let subscription = bus.listenForDepartures { gone.heard($0) }
        defer { subscription.cancel() }
        let credentials: BusCredentials
        do throws(BusError) { credentials = try await bus.credentials(of: owner) } catch { throw .stopped }
        guard credentials.user == getuid(), credentials.process > 1, credentials.process != getpid() else { throw .notEnded }
        try await closeWallets(of: owner)
        guard kill(credentials.process, SIGTERM) == 0 || thumb_errno() == ESRCH else { throw .notEnded }
        guard await gone.wait(within: Self.endPatience) else { throw .notEnded }
    }

    /// KWallet writes a change to the disk seconds later, or when it closes the wallet; not when it is ended.
    private func closeWallets(of owner: String) async throws(Failure) {
        for program in ["kwalletd5", "kwalletd6"] where try await self.owner(of: "org.kde.\(program)") == owner {
            let call = BusCall(owner, "/modules/\(program)", "org.kde.KWallet", "closeAllWallets", [])
            do throws(BusError) { _ = try await bus.call(call, within: Self.endPatience) } catch { throw .notEnded }
        }
    }

    /// Starts a keyring anew under a name that is its own, and waits until somebody answers as the Secret Service. It may be that nobody does.
    func restart(_ name: String) async throws(Failure) {
        try await end(name)
        try await start(name)
        var waited = 0.0
        while try await owner(of: KeyringLink.service) == nil, waited < Self.answerPatience {
            await withCheckedContinuation { looked in _ = EventLoop.shared.after(Self.look) { looked.resume() } }
            waited += Self.look
        }
    }

    private func owner(of name: String) async throws(Failure) -> String? {
        do throws(BusError) {
            return try await ask("GetNameOwner", [.string(name)])?.text
        } catch {
            switch error.code {
            case .noOwner, .refused: return nil
            case .disconnected: throw .noBus
            case .timedOut, .cancelled, .wrongOwner, .malformed, .noRoom, .failed: throw .stopped
            }
        }
    }

    private func ask(_ member: String, _ values: [BusValue]) async throws(BusError) -> BusValue? {
        let call = BusCall(Self.driver, "/org/freedesktop/DBus", Self.driver, member, values)
        return try await bus.call(call, within: Self.patience).values.first
    }

    /// What the kernel calls a process: the first letters of its program's name. Everybody may read that, whatever a process hides.
    private static func name(of process: Int32) -> String {
        let bytes = Transfer.file("/proc/\(process)/comm", atMost: 64) ?? []
        return String(decoding: bytes.prefix { $0 != 0x0a }, as: UTF8.self)
    }
}

/// Whether a connection has left the bus.
@OnLoop private final class Departure {
    private let connection: String
    private var hasLeft = false
    private var waiting: CheckedContinuation<Void, Never>?

    init(_ connection: String) { self.connection = connection }

    func heard(_ left: String) {
        guard left == connection else { return }
        hasLeft = true
        resume()
    }

    func wait(within seconds: Double) async -> Bool {
        if hasLeft { return true }
        let timer = EventLoop.shared.after(seconds) { [weak self] in self?.resume() }
        defer { timer.cancel() }
        await withCheckedContinuation { waiting = $0 }
        return hasLeft
    }

    private func resume() {
        waiting?.resume()
        waiting = nil
    }
}
