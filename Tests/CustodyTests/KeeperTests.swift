import CThumbLinux
import Testing
import ThumbAccess
import ThumbConversation
import ThumbCrypto
import ThumbKeychain
import ThumbLoop
import ThumbSecrets
import ThumbSystem
import thumbturn_test_tpm

@testable import ThumbCustody

@Suite("A TPM through its keeper", .timeLimit(.minutes(10)))
struct KeeperTests {
    private let digest = [UInt8](repeating: 0x5A, count: 32)

    private func random(_ count: Int = 32) throws -> SecretBytes { try SecretBytes.random(count: count) }

    private func publicKey(_ key: TPMKeyMaterial) throws -> PublicKey {
        try PublicKey(external: TPMTemplate.point(of: key.area), .elliptic)
    }

    @Test("A key is made, signs and agrees, as with a TPM of one's own")
    func keys() throws {
        let stand = try KeeperStand()
        let ada = stand.device(of: 1000)
        let key = try ada.makeKey()
        #expect(try publicKey(key).isSignature(ada.sign(digest, with: key), of: digest, .ecdsa))
        // A digest that is too long counts by its first bytes, one that is short as the same number.
        let long = digest + [1, 2, 3]
        #expect(try publicKey(key).isSignature(ada.sign(long, with: key), of: long, .ecdsa))
        let peer = try PrivateKey.generate(.elliptic(.p256))
        let shared = try ada.agree(with: peer.publicKey.external, key)
        #expect(try shared == peer.agree(with: publicKey(key), .raw))
        let other = try PrivateKey.generate(.elliptic(.p521))
        #expect(throws: TPMError.self) { try ada.agree(with: other.publicKey.external, key) }
    }

    @Test("What it holds goes back to the TPM when the keeper ends")
    func givesBack() throws {
        let stand = try KeeperStand()
        let key = try stand.device(of: 1000).makeKey()
        _ = try stand.device(of: 1000).sign(digest, with: key)
        #expect(try stand.atTPM { try $0.held() } == [])
    }

    @Test("A loaded key is used on without being loaded again, and is flushed when the turn is another user's")
    func turns() throws {
        let tpm = try SoftwareTPM()
        let commands = Locked<[UInt32]>([])
        let stand = try KeeperStand(tpm) { () throws(TPMError) in
            guard let way = try? RecordingTCTI(socket: tpm.socket) else { throw TPMError(.absent, "reaching the test's TPM") }
            way.atCommand = { number in commands.withLock { $0.append(number) } }
            return TCTI(context: way.context, isDirect: true) { way.close() }
        }
        let (load, flush): (UInt32, UInt32) = (0x157, 0x165)
        func counted(_ body: () throws -> Void) rethrows -> (loads: Int, flushes: Int) {
            commands.withLock { $0 = [] }
            try body()
            return commands.withLock { all in (all.count { $0 == load }, all.count { $0 == flush }) }
        }
        let (ada, eve) = (stand.device(of: 1000), stand.device(of: 1001))
        let key = try ada.makeKey()
        _ = try ada.sign(digest, with: key)
        #expect(try counted { _ = try ada.sign(digest, with: key) } == (0, 0))
        let own = try eve.makeKey()
        // Ada's is flushed before Eve's first command, and Eve's before Ada's.
        #expect(try counted { _ = try eve.sign(digest, with: own) } == (1, 0))
        #expect(try counted { _ = try ada.sign(digest, with: key) } == (1, 1))
        // Eve has Ada's blob and its authorization: what these allow, and nothing that lies in the TPM.
        #expect(try counted { _ = try eve.sign(digest, with: key) } == (1, 1))
        ada.close()
    }

    @Test("Another user's blob is of no use without its authorization, whether its key is loaded or not")
    func blobs() throws {
        let stand = try KeeperStand()
        let (ada, eve) = (stand.device(of: 1000), stand.device(of: 1001))
        let key = try ada.makeKey()
        _ = try ada.sign(digest, with: key)
        let stolen = TPMKeyMaterial(parent: key.parent, authorization: try random(), area: key.area, wrapped: key.wrapped)
        for _ in 0..<10 {
            let error = #expect(throws: TPMError.self) { try eve.sign(digest, with: stolen) }
            #expect(error?.code == .damaged)
        }
        _ = try ada.sign(digest, with: key)
    }

    @Test("Failures keep their meaning: no TPM, another TPM, damage, and what was never a parameter")
    func failures() throws {
        let stand = try KeeperStand()
        let ada = stand.device(of: 1000)
        let key = try ada.makeKey()
        let (secret, own) = (try random(), try random())
        let seal = try ada.seal(secret, under: own, guardedBy: .file)
        #expect(try ada.unseal(seal, under: own, guardedBy: .file) == secret)
        #expect(try ada.unseal(seal, under: random(), guardedBy: .file) == nil)
        #expect(throws: KeychainFailure.damaged) { try ada.unseal(seal, under: own, guardedBy: .guesses) }
        #expect(throws: KeychainFailure.damaged) { try ada.unseal(seal + [0], under: own, guardedBy: .file) }
        #expect(throws: KeychainFailure.damaged) { try ada.unseal(seal, under: random(31), guardedBy: .file) }
        for count in [0, TPMLink.mostSealed + 1] {
            #expect(throws: KeychainFailure.parameter) { try ada.seal(random(count), under: own, guardedBy: .file) }
        }
        #expect(
            try ada.unseal(ada.seal(random(TPMLink.mostSealed), under: own, guardedBy: .guesses), under: own, guardedBy: .guesses)
                != nil)
        stand.end()
        try stand.tpm.replace()
        try stand.start()
        #expect(throws: KeychainFailure.custodianForeign) { try ada.unseal(seal, under: own, guardedBy: .file) }
        #expect((#expect(throws: TPMError.self) { try ada.sign(digest, with: key) })?.code == .foreign)
        stand.end()
        stand.tpm.end()
        try stand.start()
        #expect(throws: KeychainFailure.custodianAbsent) { try ada.unseal(seal, under: own, guardedBy: .file) }
    }

    @Test("A keeper that goes is found again; while there is none, a device hears that it was lost, then that there is none")
    func reconnects() throws {
        let stand = try KeeperStand()
        let ada = stand.device(of: 1000)
        let key = try ada.makeKey()
        for _ in 0..<3 {
            try stand.restart()
            _ = try ada.sign(digest, with: key)
        }
        stand.end()
        #expect((#expect(throws: TPMError.self) { try ada.sign(digest, with: key) })?.code == .lost)
        #expect((#expect(throws: TPMError.self) { try ada.sign(digest, with: key) })?.code == .absent)
        try stand.start()
        _ = try ada.sign(digest, with: key)
    }

    @Test("On a machine without a TPM the keeper says so")
    func none() throws {
        let stand = try KeeperStand()
        stand.end()
        stand.tpm.end()
        try stand.start()
        #expect((#expect(throws: TPMError.self) { try stand.device(of: 1).makeKey() })?.code == .absent)
    }
}

@Suite("A device that doesn't keep to the words", .timeLimit(.minutes(10)))
struct KeeperAttackTests {
    @Test("A word before `serve`, a second `serve`, and a word of another's end the connection; nothing is done")
    func words() throws {
        let stand = try KeeperStand()
        func answers(_ words: [any Word], count: Int = 2) throws -> [WordKind?] {
            let fd = try #require(stand.connection())
            defer { close(fd) }
            for word in words { tell(word, fd) }
            var reader = WordReader(fd)
            var kinds: [WordKind?] = []
            for _ in 0..<count { kinds.append(reader.next()) }
            return kinds
        }
        #expect(try answers([MakeTPMKey()]) == [.refused, nil])
        #expect(try answers([Serve(uid: 1), Serve(uid: 2)]) == [.refused, nil])
        #expect(try answers([Serve(uid: 1), Serve(uid: 1)]) == [.refused, nil])
        #expect(try answers([Serve(uid: 1), GetStatus()]) == [.refused, nil])
        #expect(try answers([Serve(uid: 1), TPMCount(1)]) == [.refused, nil])
        #expect(try answers([Serve(uid: 1), MakeTPMKey()], count: 1) == [.tpmKey])
    }

    @Test("Somebody else's connections than root's aren't heard")
    func peer() throws {
        let tpm = try SoftwareTPM()
        let folder = try Folder()
        let descriptor = try PrivateFolder.open(folder.path, of: getuid(), .fromWriters).released()
        let (mine, theirs) = try UnixSocket.pair().get()
        defer { close(mine) }
        let route = TPMRoute.swtpm(path: tpm.socket)
        let keeper = EventLoop.shared.sync {
            let keeper = try? TPMKeeper(route, peer: getuid() + 1, folder: Descriptor(owning: descriptor)) { _ in }
            keeper?.broker.serve(theirs)
            return keeper
        }
        #expect(keeper != nil)
        tell(Serve(uid: 1), mine)
        var reader = WordReader(mine)
        #expect(reader.next() == nil)
    }

    @Test("A connection with hundreds of commands waits for its turn like any other: who asks once is answered soon")
    func greedy() throws {
        let stand = try KeeperStand()
        let greedy = try (0..<WireLimit.brokerConnectionsPerUser).map { _ in try #require(stand.connection(of: 1001)) }
        defer { for fd in greedy { close(fd) } }
        for fd in greedy { for call in 1...200 { tell(MakeTPMKey(), fd, call: UInt32(call)) } }
        func answered() -> Int {
            greedy.reduce(0) { count, fd in
                var reader = WordReader(fd)
                return count + reader.there()
            }
        }
        let ada = stand.device(of: 1000)
        // Those that run before Ada comes say nothing, and a busy machine runs many.
        _ = try ada.makeKey()
        let before = answered()
        for _ in 0..<5 { _ = try ada.makeKey() }
        let served = answered()
        // One of the greedy one's for each of Ada's, and those that were on their way.
        #expect(before > 0 && served <= 20)
        #expect(served > 0)
        // One connection more isn't let in.
        let more = try #require(stand.connection(of: 1001))
        defer { close(more) }
        var reader = WordReader(more)
        #expect(reader.next() == .refused)
    }
}
