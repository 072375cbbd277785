import CThumbLinux
import Foundation
import Testing
import ThumbAccess
import ThumbConversation
import ThumbKeychain
import ThumbLoop
import ThumbSecrets
import ThumbSystem
import thumbturn_test_tpm

@testable import ThumbCustody

/// What the TPM is told, in the order of its commands.
private final class Commands: Sendable {
    private let numbers = Locked<[UInt32]>([])
    let flush: UInt32 = 0x165
    let load: UInt32 = 0x157
    /// What an index is.
    let look: UInt32 = 0x169

    func add(_ number: UInt32) { numbers.withLock { $0.append(number) } }
    func forget() { numbers.withLock { $0 = [] } }
    func count(_ number: UInt32) -> Int { numbers.withLock { all in all.count { $0 == number } } }

    /// Whether a command comes; what is waited for is done by another thread.
    func comes(_ number: UInt32) -> Bool {
        for _ in 0..<6000 where count(number) == 0 { usleep(10_000) }
        return count(number) > 0
    }
}

@Suite("A keeper whose disk, TPM or users fail", .timeLimit(.minutes(3)))
struct KeeperFailureTests {
    private let digest = [UInt8](repeating: 0x5A, count: 32)
    private let name: [UInt8] = [1, 0, 0, 0] + [UInt8](repeating: 1, count: 12)

    private func random() throws -> SecretBytes { try SecretBytes.random(count: 32) }

    /// A keeper of which the test sees each command before the TPM does.
    private func stand(
        on tpm: SoftwareTPM, _ atCommand: @escaping @Sendable (UInt32) -> Void
    ) throws -> KeeperStand {
        try KeeperStand(tpm) { () throws(TPMError) in
            guard let way = try? RecordingTCTI(socket: tpm.socket) else { throw TPMError(.absent, "reaching the test's TPM") }
            way.atCommand = atCommand
            return TCTI(context: way.context, isDirect: true) { way.close() }
        }
    }

    @Test("A user's key leaves the TPM with the user's last connection, and not before")
    func departure() throws {
        let commands = Commands()
        let stand = try stand(on: SoftwareTPM()) { commands.add($0) }
        let (first, second) = (stand.device(of: 1000), stand.device(of: 1000))
        let key = try first.makeKey()
        _ = try first.sign(digest, with: key)
        _ = try second.sign(digest, with: key)
        commands.forget()
        second.close()
        for _ in 0..<5 { _ = try first.sign(digest, with: key) }
        #expect(commands.count(commands.flush) == 0 && commands.count(commands.load) == 0)
        first.close()
        #expect(commands.comes(commands.flush))
    }

    @Test("A guess that can't be written down isn't made")
    func unwritten() throws {
        let stand = try KeeperStand()
        let eve = stand.device(of: 1001)
        let (secret, own) = (try random(), try random())
        let seal = try eve.seal(secret, under: own, guardedBy: .guesses)
        // The folder is gone, as a disk may be.
        try FileManager.default.removeItem(atPath: stand.folder.path)
        let wrong = try random()
        #expect(throws: KeychainFailure.internalFailure) { try eve.unseal(seal, under: wrong, guardedBy: .guesses) }
        // Not even the right one is tried, or there would be guesses that nobody counts.
        #expect(throws: KeychainFailure.internalFailure) { try eve.unseal(seal, under: own, guardedBy: .guesses) }
        #expect(throws: KeychainFailure.internalFailure) { try eve.countUp(name, under: own) }
        stand.end()
        let chip = TPMChip(.swtpm(path: stand.tpm.socket))
        defer { chip.close() }
        #expect(try chip.guesses().counted == 0)
        #expect(try !chip.hasCounter(TPMLink.index(name)))
    }

    @Test("A seal that the TPM doesn't take costs no guess")
    func damagedSeal() throws {
        let stand = try KeeperStand()
        try stand.atTPM { try $0.lockAfter(12) }
        let eve = stand.device(of: 1001)
        let (secret, own) = (try random(), try random())
        let seal = try eve.seal(secret, under: own, guardedBy: .guesses)
        var damaged = seal
        damaged[damaged.count - 1] ^= 1
        for _ in 0..<12 { #expect(throws: KeychainFailure.damaged) { try eve.unseal(damaged, under: own, guardedBy: .guesses) } }
        #expect(try eve.unseal(seal, under: own, guardedBy: .guesses) == secret)
        #expect(try stand.ledger() == KeeperLedger())
    }

    @Test("A guess stays its user's if the TPM went before it answered: it may have counted it")
    func lostGuess() throws {
        let (tpm, ends) = (try SoftwareTPM(), Once())
        let unseal: UInt32 = 0x15E
        let stand = try stand(on: tpm) { number in
            if number == unseal, ends.isFirst() { tpm.end() }
        }
        try stand.atTPM { try $0.lockAfter(12) }
        let eve = stand.device(of: 1001)
        let (secret, own, wrong) = (try random(), try random(), try random())
        let seal = try eve.seal(secret, under: own, guardedBy: .guesses)
        #expect(throws: KeychainFailure.custodianLost) { try eve.unseal(seal, under: wrong, guardedBy: .guesses) }
        #expect(ends.count == 1)
        #expect(try stand.ledger().guesses.guesses == [1001])
        try tpm.start()
        #expect(try eve.unseal(seal, under: own, guardedBy: .guesses) == secret)
    }

    @Test("A counter that is read again isn't looked up again, until it is gone or another one")
    func remembered() throws {
        let (commands, tpm, own) = (Commands(), try SoftwareTPM(), try random())
        let way = try RecordingTCTI(socket: tpm.socket)
        way.atCommand = { commands.add($0) }
        // Somebody with the rights of the TPM's owner, who reaches it while the link is open.
        let owner = try CarelessClient(way)
        let link = try TPMLink(TCTI(context: way.context, isDirect: true) {})
        let index = TPMLink.index(name)
        let first = try link.countUp(name, own)
        commands.forget()
        for _ in 0..<3 { #expect(try link.count(name, own) == first) }
        #expect(commands.count(commands.look) == 1)
        #expect(throws: TPMError.self) { try link.count(name, random()) }
        #expect(try link.countUp(name, own) == first + 1)
        #expect(try link.count(name, own) == first + 1)
        try owner.undefine(index)
        #expect(try link.count(name, own) == nil)
        #expect(try link.countUp(name, own) > first)
        let second = try link.count(name, own)
        #expect(try link.count(name, own) == second)
        try owner.undefine(index)
        try owner.define(index, attributes: 0x0004_0004, authorization: [1, 2, 3, 4])
        #expect((#expect(throws: TPMError.self) { try link.count(name, own) })?.code == .damaged)
    }

    @Test("A counter that lost its power before it first counted is as good as none, and counts from then on")
    func neverCounted() throws {
        let (tpm, own) = (try SoftwareTPM(), try random())
        let owner = try CarelessClient(RecordingTCTI(socket: tpm.socket))
        // One of ours: a counter, read and written by its authorization, at which wrong ones don't count.
        try owner.define(TPMLink.index(name), attributes: 0x0204_0014, authorization: own.plainBytes(in: 0..<32))
        owner.leave()
        let chip = TPMChip(.swtpm(path: tpm.socket))
        #expect(try chip.hasCounter(TPMLink.index(name)))
        #expect(try chip.count(name, under: own) == nil)
        let first = try chip.countUp(name, under: own)
        #expect(try chip.count(name, under: own) == first)
        chip.close()
        tpm.end()
    }

    @Test("A counter is its user's on the disk before the TPM makes it")
    func counterBefore() throws {
        let tpm = try SoftwareTPM()
        let (place, standing) = (Locked<String?>(nil), Locked<[String]>([]))
        let define: UInt32 = 0x12A
        let stand = try stand(on: tpm) { number in
            guard number == define, let path = place.withLock({ $0 }) else { return }
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            standing.withLock { $0.append(text) }
        }
        place.withLock { [path = stand.folder.path] in $0 = path + "/ledger" }
        _ = try stand.device(of: 1000).countUp(name, under: random())
        let text = "thumbturn-tpm 1\ncounter 1000 \(String(TPMLink.index(name), radix: 16))\nend\n"
        #expect(Set(standing.withLock { $0 }) == [text])
    }

    @Test("A counter that the TPM didn't make is nobody's")
    func counterNotMade() throws {
        let tpm = try SoftwareTPM()
        let define: UInt32 = 0x12A
        let ends = Locked(0)
        let stand = try stand(on: tpm) { number in
            guard number == define else { return }
            let count = ends.withLock { count in
                count += 1
                return count
            }
            // A TPM that was started by nobody takes no command: at the first attempt, and at the second that follows from it.
            guard count <= 2 else { return }
            tpm.end()
            try? tpm.start()
        }
        let (ada, own) = (stand.device(of: 1000), try random())
        // The link is open, so that there is a second attempt.
        _ = try ada.makeKey()
        #expect(throws: KeychainFailure.self) { try ada.countUp(name, under: own) }
        #expect(try stand.ledger() == KeeperLedger())
        _ = try ada.countUp(name, under: own)
        #expect(try stand.ledger().counters == [TPMLink.index(name): 1000])
    }

    @Test("A ledger that is a link isn't followed")
    func link() throws {
        let stand = try KeeperStand()
        stand.end()
        _ = try stand.folder.write("other", Array(KeeperLedger().text.utf8))
        try FileManager.default.createSymbolicLink(
            atPath: stand.folder.path + "/ledger", withDestinationPath: stand.folder.path + "/other")
        #expect(throws: SystemError(ELOOP)) { try stand.start() }
    }

    @Test("A device takes no answer to another question than its own, and none of another kind")
    func answers() throws {
        for (answer, call, failure) in [
            (TPMSealed([1, 2, 3]), 99, .custodianLost), (TPMCount(1), 1, .internalFailure),
        ] as [(any Word, UInt32, KeychainFailure)] {
            let (mine, theirs) = try UnixSocket.pair().get()
            defer { close(theirs) }
            let device = RemoteTPM(connected: mine) { nil }
            // It stands there before it is asked.
            let isTold = tell(answer, theirs, call: call)
            #expect(isTold)
            let secret = try random()
            #expect(throws: failure) { try device.seal(secret, under: secret, guardedBy: .file) }
        }
    }

    @Test("A device waits for a keeper that says nothing as long as a TPM may take, and no longer")
    func silence() throws {
        let (mine, theirs) = try UnixSocket.pair().get()
        defer { close(theirs) }
        let device = RemoteTPM(connected: mine) { nil }
        // What the kernel was told, because waiting for it would take a minute.
        var limit = timeval()
        var size = socklen_t(MemoryLayout<timeval>.size)
        try #require(getsockopt(mine, SOL_SOCKET, SO_RCVTIMEO, &limit, &size) == 0)
        #expect(limit.tv_sec > 0 && Double(limit.tv_sec) == WireLimit.secondsForTPM)
        device.close()
    }
}

@Suite("Calls that wait for a TPM", .timeLimit(.minutes(2)))
struct TPMLineTests {
    /// Holds the TPM's thread until it is opened.
    private final class Gate: Sendable {
        private let condition = Condition()
        private let state = Locked((isReached: false, isOpen: false))

        func wait() {
            state.withLock { $0.isReached = true }
            condition.withLock { held in while !state.withLock({ $0.isOpen }) { held.wait() } }
        }

        func open() {
            condition.withLock { _ in state.withLock { $0.isOpen = true } }
            condition.broadcast()
        }

        func isReached() { while !state.withLock({ $0.isReached }) { usleep(1000) } }
    }

    @Test("1,024 calls wait, one more is refused at once, and all are answered")
    func limit() throws {
        let (gate, failures) = (Gate(), Locked<[KeychainFailure]>([]))
        let custodian = EventLoop.shared.sync {
            let chip = TPMChip { () throws(TPMError) in
                gate.wait()
                throw TPMError(.absent, "reaching no TPM")
            }
            return TPMCustodian(chip) { _ in }
        }
        func ask(_ times: Int) -> [KeychainFailure] {
            EventLoop.shared.sync {
                for _ in 0..<times {
                    custodian.make(.elliptic(.p256)) { made in
                        if case .failure(let failure) = made { failures.withLock { $0.append(failure) } }
                    }
                }
            }
            return failures.withLock { $0 }
        }
        #expect(ask(1).isEmpty)
        gate.isReached()
        let limit = EventLoop.shared.sync { TPMCustodian.limit }
        #expect(limit == 1024 && ask(limit).isEmpty)
        #expect(ask(1) == [.internalFailure])
        gate.open()
        let all = limit + 2
        for _ in 0..<6000 where failures.withLock({ $0.count }) < all { usleep(10_000) }
        #expect(failures.withLock { $0 } == [.internalFailure] + Array(repeating: .custodianAbsent, count: all - 1))
    }
}
