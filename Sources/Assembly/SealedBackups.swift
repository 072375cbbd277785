import ThumbAccess
import ThumbKeychain
import ThumbLoop
import ThumbSecrets
import ThumbService
import ThumbStorage

/// The backups that the rules use. Stretching a passphrase takes a good part of a second, so it is done off the loop.
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
        let work: @Sendable () -> Result<SecretBytes, StorageError> = {
            do throws(StorageError) { return .success(try stretch.stretch(passphrase: passphrase)) } catch {
                return .failure(error)
            }
        }
        let isTaken = meter.stretch(for: self, work) { key in
            let (then, failed) = reply.value
            do throws(BackupError) {
                switch key {
                case .success(let key): try then(key)
                case .failure(let error): throw .keychain(error.keychainFailure)
                }
            } catch {
                failed(error)
            }
        }
        if !isTaken { failed(.keychain(.internalFailure)) }
    }
}

extension SealedBackups: @OnLoop Backups {
    func make(_ passphrase: SecretBytes, _ answer: @escaping (Result<any BackupWriter, BackupError>) -> Void) {
        let stretch: Stretch
        do throws(StorageError) {
            stretch = try Stretch(cost: cost)
        } catch {
            return answer(.failure(.keychain(error.keychainFailure)))
        }
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
        do throws(BackupError) {
            known = try BackupHead(reading: head)
        } catch {
            return answer(.failure(error))
        }
        stretched(passphrase, known.stretch) { (key) throws(BackupError) in
            answer(.success(try BackupOpener(known, stretched: key)))
        } failed: {
            answer(.failure($0))
        }
    }
}
