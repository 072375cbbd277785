import CThumbLinux
import Foundation
import Testing
import ThumbConversation
import ThumbLoop
import ThumbSecrets
import ThumbSystem
import thumbturn_test_tpm

@testable import ThumbCustody

/// A TPM's keeper in this process, on a software TPM and a folder of its own, and connections as the front makes them.
final class KeeperStand: Sendable {
    let tpm: SoftwareTPM
    let folder: Folder
    private let reach: @Sendable () throws(TPMError) -> TCTI
    private let keeper = Locked<TPMKeeper?>(nil)
    let said = Locked<[String]>([])

    /// A keeper that reaches its TPM as a keeper does.
    convenience init(_ given: SoftwareTPM? = nil) throws {
        let tpm = try given ?? SoftwareTPM()
        try self.init(tpm) { () throws(TPMError) in try TCTI(.swtpm(path: tpm.socket)) }
    }

    /// - Parameter reach: how the keeper reaches its TPM.
    init(_ tpm: SoftwareTPM, reach: @escaping @Sendable () throws(TPMError) -> TCTI) throws {
        self.tpm = tpm
        self.reach = reach
        folder = try Folder()
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        try start()
    }

    deinit { end() }

    func start() throws {
        let descriptor = try PrivateFolder.open(folder.path, of: getuid(), .fromReaders).released()
        let (reach, said) = (reach, said)
        let made = EventLoop.shared.sync { () -> Result<TPMKeeper, SystemError> in
            do throws(SystemError) {
                return .success(
                    try TPMKeeper(chip: TPMChip(reach), peer: getuid(), folder: Descriptor(owning: descriptor)) { line in
                        said.withLock { $0.append(line) }
                    })
            } catch {
                return .failure(error)
            }
        }
        let keeper = try made.get()
        self.keeper.withLock { $0 = keeper }
    }

    /// Ends the keeper, which gives the TPM back all that it held.
    func end() {
        let ending = keeper.withLock { held -> TPMKeeper? in
            defer { held = nil }
            return held
        }
        guard let ending else { return }
        let (done, isDone) = (Condition(), Locked(false))
        EventLoop.shared.post {
            ending.shutDown {
                done.withLock { _ in isDone.withLock { $0 = true } }
                done.broadcast()
            }
        }
        done.withLock { held in while !isDone.withLock({ $0 }) { held.wait() } }
    }

    func restart() throws {
        end()
        try start()
    }

    /// A connection of which nobody has said whom it serves; nil where there is no keeper.
    func connection() -> Int32? {
        guard let keeper = keeper.withLock({ $0 }), case .success(let (mine, theirs)) = UnixSocket.pair() else { return nil }
        EventLoop.shared.sync { keeper.broker.serve(theirs) }
        return mine
    }

    /// A connection that is a user's.
    func connection(of uid: UInt32) -> Int32? {
        guard let fd = connection() else { return nil }
        tell(Serve(uid: uid), fd)
        return fd
    }

    /// What a device of a user's has in place of a chip.
    func device(of uid: UInt32) -> RemoteTPM { RemoteTPM { [weak self] in self?.connection(of: uid) } }

    /// The ledger as it is on the disk.
    func ledger() throws -> KeeperLedger { try #require(KeeperLedger(folder.read("ledger"))) }

    /// Something done to the TPM as its owner, while no keeper has it.
    func atTPM<Value>(_ body: (CarelessClient) throws -> Value) throws -> Value {
        end()
        let client = try CarelessClient(RecordingTCTI(socket: tpm.socket))
        defer { client.leave() }
        let value = try body(client)
        client.leave()
        try start()
        return value
    }
}

/// Says a word over a descriptor.
@discardableResult
func tell(_ word: some Word, _ fd: Int32, call: UInt32 = 1) -> Bool {
    let encoded = word.frame(call: call)
    var frame = OutgoingFrame(plain: encoded.plain, secrets: encoded.secrets)
    return frame.send(to: fd, waiting: true) == .sent
}

/// Reads words from a descriptor.
struct WordReader: ~Copyable {
    private let fd: Int32
    private var frames = FrameReader(least: WireLimit.headBytes, limit: WireLimit.brokerFrame)

    init(_ fd: Int32) { self.fd = fd }

    /// The next word's kind; nil where the connection is closed.
    mutating func next() -> WordKind? {
        guard case .frame(let body) = frames.read(from: fd, waiting: true), let frame = try? Frame(body) else { return nil }
        return frame.kind
    }

    /// How many words have come and can be read without waiting.
    mutating func there() -> Int {
        var count = 0
        while case .frame = frames.read(from: fd, waiting: false) { count += 1 }
        return count
    }
}
