import CThumbLinux
import Foundation
import ThumbAccess
import ThumbAuthentication
import ThumbCrypto
import thumbturn_test_daemon

@testable import ThumbSensors

/// A machine's models in a folder of a test's own: the administrator's file that names them, and what a module would keep.
final class FaceModelStage: Sendable {
    private let folder: Scratch
    var path: String { folder.path }
    var settings: String { path + "/face-models" }
    var place: FaceModelPlace { FaceModelPlace(settings: settings, owners: [0, getuid()]) }

    /// - Parameter paths: what the administrator's file says, each below the folder.
    init(_ paths: [String] = ["faces/%u.dat"]) throws {
        folder = try Scratch()
        try mkdir("faces")
        try name(paths.map { path + "/" + $0 }.joined(separator: "\n") + "\n")
    }

    func name(_ text: String) throws { try put(Array(text.utf8), at: settings) }

    /// Makes a folder, and those above it that aren't there.
    func mkdir(_ name: String, mode: mode_t = 0o755) throws {
        var made = ""
        for part in name.split(separator: "/") {
            made += (made.isEmpty ? "" : "/") + part
            if CThumbLinux.mkdir(path + "/" + made, 0o755) == 0 { try allow(made, 0o755) }
        }
        try allow(name, mode)
    }

    /// Whatever this process's umask is.
    func allow(_ name: String, _ mode: mode_t) throws {
        guard chmod(path + "/" + name, mode) == 0 else { throw CocoaError(.fileWriteNoPermission) }
    }

    func write(_ name: String, _ bytes: [UInt8] = [1, 2, 3]) throws { try put(bytes, at: path + "/" + name) }

    /// A file of so many bytes that takes no room.
    func write(_ name: String, count: Int) throws {
        try write(name, [])
        guard truncate(path + "/" + name, count) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path + "/" + name) }

    /// It was written long ago, so that whatever is written from now on has another time.
    func age(_ name: String) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: path + "/" + name)
    }

    private func put(_ bytes: [UInt8], at path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
        guard chmod(path, 0o644) == 0 else { throw CocoaError(.fileWriteNoPermission) }
    }

    static let sha256: @Sendable ([UInt8]) -> [UInt8]? = { try? HashFunction.sha256.hash($0) }

    /// What the models are now.
    func models(
        of name: String? = "ada", uid: UInt32 = 1000, owners: Set<UInt32>? = nil,
        hash: @escaping @Sendable ([UInt8]) -> [UInt8]? = sha256
    ) throws(FaceModelFailure) -> FaceModels {
        try FaceModelReading.models(
            of: uid, name: name, settings: settings, owners: TrustedOwners(owners: owners ?? place.owners), hash: hash)
    }

    func failure(of name: String? = "ada", owners: Set<UInt32>? = nil) -> FaceModelFailure? {
        do throws(FaceModelFailure) {
            _ = try models(of: name, owners: owners)
            return nil
        } catch {
            return error
        }
    }
}
