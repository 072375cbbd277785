internal import ThumbAccess
internal import ThumbKeychain
internal import ThumbLoop
internal import ThumbSecrets
internal import ThumbService
internal import ThumbStorage

/// Backups as the rules see them. Stretching a passphrase takes a good part of a second, so it is done off the loop.
@OnLoop final class SealedBackups {
    private let cost: Stretch.Cost
    private let meter: Meter

    init(cost: Stretch.Cost, meter: Meter) {
        self.cost = cost
        self.meter = meter
    }

    private func stretched(
        _ passphrase: SecretBytes, _ stretch: Stretch, then: @escaping (SecretBytes) throws(BackupError) -> Void,
        failed: @escaping (BackupError) -> Void
    ) {
        let reply = LoopBox((then, failed))
        // Without memory for it there is no key: that is what is answered.
        let isTaken = meter.stretch(for: self, { try? stretch.stretch(passphrase: passphrase) }) { key in
            let (then, failed) = reply.value
            do throws(BackupError) {
                guard let key else { throw .keychain(.outOfMemory) }
                try then(key)
            } catch {
                failed(error)
            }
        }
        if !isTaken { failed(.keychain(.internalFailure)) }
    }
}

extension SealedBackups: @OnLoop Backups {
    func make(_ passphrase: SecretBytes, _ answer: @escaping (Result<any BackupWriter, BackupError>) -> Void) {
        guard let stretch = try? Stretch(cost: cost) else { return answer(.failure(.keychain(.internalFailure))) }
        stretched(passphrase, stretch) { (key) throws(BackupError) in
            do throws(StorageError) {
                answer(.success(try BackupSealer(stretched: key, stretch)))
            } catch {
                throw .keychain(error.keychainFailure)
            }
        } failed: {
            answer(.failure($0))
        }
    }

    func open(
        _ head: [UInt8], _ passphrase: SecretBytes, _ answer: @escaping (Result<any BackupReader, BackupError>) -> Void
    ) {
        let known: BackupHead
        do throws(BackupFailure) {
            known = try BackupHead(reading: head)
        } catch {
            return answer(.failure(.backup(error)))
        }
        stretched(passphrase, known.stretch) { (key) throws(BackupError) in
            answer(.success(try BackupOpener(known, stretched: key)))
        } failed: {
            answer(.failure($0))
        }
    }
}
