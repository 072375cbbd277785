import CThumbLinux
import ThumbAccess
public import ThumbAuthentication
public import ThumbLoop

/// Where a machine's face models are named, and who may own them.
public struct FaceModelPlace: Sendable, Hashable {
    /// The administrator's file.
    let settings: String
    let owners: Set<UInt32>

    /// Another machine's, for tests.
    init(settings: String, owners: Set<UInt32>) { (self.settings, self.owners) = (settings, owners) }

    /// This machine's. Files of root's count, and those of the user who runs this process.
    public static var machines: FaceModelPlace { FaceModelPlace(settings: FaceModelSettings.file, owners: [0, getuid()]) }
}

/// The files in which a camera's module keeps one user's faces. They are read off the loop: a disk may be slow.
@OnLoop public final class FaceModelFiles {
    private let uid: UInt32
    private let name: String?
    private let place: FaceModelPlace
    private let worker: Worker
    private let hash: @Sendable ([UInt8]) -> [UInt8]?
    private let log: (String) -> Void
    /// What was said last, so that the same isn't said again at every question.
    private var said: FaceModelFailure?

    /// - Parameters:
    ///   - name: the user's name; nil for a user without one.
    ///   - worker: reads the files.
    ///   - hash: a collision-resistant digest; nil if none can be made.
    public init(
        of uid: UInt32, name: String?, _ place: FaceModelPlace = .machines, worker: Worker,
        hash: @escaping @Sendable ([UInt8]) -> [UInt8]?, log: @escaping (String) -> Void
    ) {
        (self.uid, self.name, self.place, self.worker) = (uid, name, place, worker)
        self.hash = hash
        self.log = log
    }

    /// Reads them now. Answers once, later.
    public func read(_ answer: @escaping (FaceModels) -> Void) {
        let (uid, name, place, hash, reply) = (uid, name, place, hash, LoopBox(answer))
        let isTaken = worker.run { () -> Result<FaceModels, FaceModelFailure> in
            do throws(FaceModelFailure) {
                return .success(
                    try FaceModelReading.models(
                        of: uid, name: name, settings: place.settings, owners: TrustedOwners(owners: place.owners), hash: hash))
            } catch {
                return .failure(error)
            }
        } then: { [self] found in
            reply.value(heard(found))
        }
        if !isTaken { EventLoop.shared.post { reply.value(.refused(.modelsUnreadable)) } }
    }

    private func heard(_ found: Result<FaceModels, FaceModelFailure>) -> FaceModels {
        switch found {
        case .success(let models):
            said = nil
            return models
        case .failure(let failure):
            if failure != said { log("face models: \(failure)") }
            said = failure
            return .refused(failure.hindrance)
        }
    }
}
